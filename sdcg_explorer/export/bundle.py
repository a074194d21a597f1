"""Everything of one study and view in one zip, with the line that makes its tables again."""

import io
import zipfile
from collections.abc import Callable, Iterator
from typing import BinaryIO

from sdcg_explorer.export import into, study_zip, without_persons
from sdcg_explorer.export.figure_files import Pictures, paper_figure
from sdcg_explorer.export.link import ADDRESS, view_link
from sdcg_explorer.export.report import report_of
from sdcg_explorer.export.tables import Content, ScoreTables, versions, view_files
from sdcg_explorer.questions.catalogue import Question, iterate_answers
from sdcg_explorer.questions.compare_systems import command_result as comparison_result
from sdcg_explorer.questions.compare_systems import methods_of, plan_study
from sdcg_explorer.questions.compare_systems.numbers import compare_systems, session_order, summary
from sdcg_explorer.questions.methods import definition_text, filters_sentence
from sdcg_explorer.questions.query_order import words as last_words
from sdcg_explorer.questions.query_order.numbers import last_against_others
from sdcg_explorer.questions.ratings import command_result as agreement_result
from sdcg_explorer.questions.ratings.numbers import RatingChoices, agreement
from sdcg_explorer.questions.session_curves.numbers import session_curves
from sdcg_explorer.questions.view import Answer, StudyView, View, caching_answers
from sdcg_explorer.reading.own_study import SUMS, sums_text
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.ratings import study_ratings
from sdcg_explorer.study.grade_cube import DEPTH
from sdcg_explorer.study.study import Study

Add = Callable[[str, Content], None]  # a file to the zip
# asked by several files
AGAIN = session_curves, compare_systems, last_against_others, session_order, plan_study, summary
LINE = "sdcg score study --definition scores/definition.toml --out again"
COMPARE = LINE.replace("score ", "compare ", 1) + " --score final_normalised"
README = """{name}
{note}{read}
Definition: {definition}
{shown}
report.html   the pages' answers with interactive figures and tables; opens without a network
study/        the study as tidy tables, digest {digest}
scores/       queries.csv, sessions.csv, session_curves.csv, query_order.csv, definition.toml (with
              the filters) and methods.txt, a paragraph for a paper
comparison/   comparison.csv, last_against_others.csv, next_study.csv (the size of the next study),
              further tables and compare.txt, if at least two systems can be compared
agreement/    how well scores agree with the first rating, as tables and text, if there are ratings
figures/      the figures for a paper, 84 mm wide, and the numbers of each as CSV
sums.txt      the study's digest, and the sha256 of each file: sdcg check says which changed
{missing}
With sDCG Explorer installed, this command, run in this folder, makes the tables of scores/ again:

    {line}

and this one makes the comparison, on this score or another:

    {compare}

To open the view where sDCG Explorer runs (it asks for this zip if it lacks the study):

    {link}

Made with {versions}.
"""


def bundle(
    study: Study, definition: Definition, filters: Filters, *, at: str = ADDRESS, removed: str = ""
) -> bytes:
    """Bytes of the zip; `at` is where the app is, for the link, `removed` as of `write_bundle`.

    Raises
    ------
    ValueError : the filters leave no session
    """
    sink = io.BytesIO()
    write_bundle(sink, StudyView(study, definition, filters), at=at, removed=removed)
    return sink.getvalue()


def write_bundle(
    sink: BinaryIO,
    view: View,
    *,
    at: str = ADDRESS,
    tell: Callable[[str], None] = lambda _: None,
    drawing: bool = True,
    removed: str = "",
) -> None:
    """Write the zip part by part, of which no two are there at once; `tell` hears of each.

    drawing : with pictures of figures · removed : the page of a view without persons, if it is one

    Raises
    ------
    ValueError : the filters leave no session
    """
    study, sums = view.study, dict[str, str]()
    with caching_answers(*AGAIN), zipfile.ZipFile(sink, "w") as archive:
        archive.comment = into.COMMENT

        def add(name: str, content: Content) -> None:
            sums[name] = study_zip.add_entry(archive, name, content)

        tell("scores")
        _ = study.digest  # beside the scores it would take half as much memory again
        for name, content in sorted(_score_files(view).items()):
            add(f"scores/{name}", content)
        tell("comparison")
        for name, content in _comparison_files(view).items():
            add(name, content)
        tell("the study's tables")
        for name, content in study_zip.study_parts(*view):
            add(f"study/{name}", content)
        pictures = Pictures() if drawing else None
        add("report.html", report_of(_answers_adding_figures(add, view, tell, pictures), view))
        missing = pictures.said if pictures else ""
        add("README.txt", _readme_text(view, at, missing))
        if removed:
            add(without_persons.PAGE, removed)
        if missing:
            tell(missing)
        study_zip.add_entry(archive, SUMS, sums_text(study.digest, sums))


def _score_files(view: View) -> dict[str, Content]:
    """The files of `sdcg score`; the methods text says how systems are compared."""
    tables, methods = ScoreTables(*view, depth=DEPTH), list[str]()
    compared = view.ask(compare_systems)
    if compared.names:
        methods = [*methods_of(compared), last_words.method(view.ask(last_against_others))]
    return {**view_files(*view, methods=methods), **tables.files}


def _comparison_files(view: View) -> dict[str, Content]:
    """What `sdcg compare` and `sdcg agreement` write, where there is anything to compare."""
    made = {"comparison": comparison_result(view)} if view.ask(compare_systems).pairs else {}
    asked = [RatingChoices(name) for name in [*study_ratings(view.study)][:1]]
    if asked and view.ask(agreement, asked=asked[0]).number:
        made["agreement"] = agreement_result(view, asked[0])
    return {f"{folder}/{n}": c for folder, each in made.items() for n, c in each.found.items()}


def _answers_adding_figures(
    add: Add, view: View, tell: Callable[[str], None], pictures: Pictures | None
) -> Iterator[tuple[Question, Answer]]:
    """Each answer, once its figures and their numbers are in the zip."""

    def written(answered: tuple[Question, Answer]) -> tuple[Question, Answer]:
        for name, exhibit in answered[1].exhibits.items():
            add(f"figures/{name}.csv", exhibit.table)
            if pictures and (figure := exhibit.figure) is not None:
                for file, content in pictures.files(name, paper_figure(figure)):
                    add(f"figures/{file}", content)
        return answered

    # a loop would hold one while the next comes
    return map(written, iterate_answers(*view, tell=tell))


def _readme_text(view: View, at: str, missing: str) -> str:
    study, definition, filters = view
    return README.format(
        name=study.name,
        note=f"{study.note}\n" if study.note else "",
        read="".join(f"{said}\n" for said in study.report.methods),
        definition=definition_text(definition.named(study.labels), study),
        shown=f"{shown}\n" if (shown := filters_sentence(filters)) else "",
        digest=study.digest,
        missing=f"\n{missing}\n" if missing else "",
        line=LINE,
        compare=COMPARE,
        link=view_link(*view, at=at),
        versions=versions(),
    )
