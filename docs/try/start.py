"""What the page asks of Python: a study's first figure, its report, and its scores."""

import gzip
import json
import shutil
from collections.abc import Callable
from pathlib import Path

from sdcg_explorer import sample_sessions
from sdcg_explorer.export.figure_files import in_print_colours
from sdcg_explorer.export.report import HERE, PLOTLY
from sdcg_explorer.questions import overview
from sdcg_explorer.questions.view import StudyView
from sdcg_explorer.reading.read import read_study
from sdcg_explorer.scoring.definition import DEFAULT, Filters
from sdcg_explorer.study.problems import UnusableInputError
from sdcg_explorer.study.study import Study

GIVEN = Path("/given")
SCORES = Path("/scores")
IN_THE_APP = "This page has no choices; the app has them: sdcg app."
SAMPLES = Path(*sample_sessions.__path__)


def opened(sample: str, tell: Callable[[str, str], None]) -> Study | None:
    """The study of a sample, or of the files that were given; None where they are refused."""
    try:
        return read_study(SAMPLES / sample if sample else _largest_first())
    except UnusableInputError as refused:
        tell("refused", "\n".join([*refused.lines_in_browser(), IN_THE_APP]))
        return None


def _largest_first() -> list[Path]:
    """The files that were given; a study goes by the first's name, and logs are the largest."""
    return sorted(GIVEN.iterdir(), key=lambda path: (-path.stat().st_size, path.name))


def first_figure(study: Study) -> str:
    """The first figure of Overview, as JSON, and what the page draws it with."""
    answer = overview.answer(StudyView(study, DEFAULT, Filters()))
    (figure,) = [each.figure for each in answer.exhibits.values() if each.figure is not None][:1]
    script = gzip.decompress((HERE / PLOTLY).read_bytes()).decode()
    return json.dumps({**in_print_colours(figure), "script": script})


def report(study: Study, tell: Callable[[str, str], None]) -> bytes:
    """The report, as `sdcg` writes it; each question is named as its answer is made."""
    from sdcg_explorer.export.report import report_of
    from sdcg_explorer.questions.catalogue import iterate_answers

    view = StudyView(study, DEFAULT, Filters())
    return report_of(iterate_answers(*view, tell=lambda title: tell("said", title)), view)


def scores(study: Study) -> bytes:
    """A zip of the tables that `sdcg score` writes."""
    from sdcg_explorer.export.tables import ScoreTables

    shutil.rmtree(SCORES, ignore_errors=True)
    ScoreTables(study, DEFAULT, Filters(), depth=100).write(SCORES)
    return Path(shutil.make_archive("/made", "zip", SCORES)).read_bytes()
