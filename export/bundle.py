"""Everything of one study and view in one zip, with the line that makes its tables again."""

from __future__ import annotations

import tempfile
from pathlib import Path

from analysis.agreement import agreement
from analysis.compare_systems import compare_systems
from analysis.definition.definition import Definition, Filters
from analysis.definition.methods import methods_text
from analysis.definition.sentence import filter_words, sentence
from analysis.ratings import Asked, ratings_of
from export.agreement import agreement_files
from export.answers import DEPTH
from export.comparison import comparison_files
from export.figure_files import NO_BROWSER, Paper, browser_path, figure_bytes
from export.link import ADDRESS, view_link
from export.questions import answers, question_of
from export.report import report_of
from export.scores import write_scores
from export.study_zip import study_files, zipped
from export.tables import table_bytes
from export.versions import versions
from study.study import Study

PAPER_FORMS = ("svg", "pdf")
LINE = "sdcg score study --definition scores/definition.toml --out again"
COMPARE = LINE.replace("score ", "compare ", 1) + " --score final_normalised"
README = """{name}
{note}
Definition in force: {definition}
{shown}
report.html   every page's answer with interactive figures and tables; opens without a network
study/        the study as tidy tables, digest {digest}
scores/       queries.csv, sessions.csv, session_curves.csv, query_order.csv, definition.toml (with
              the filters) and methods.txt, a paragraph for a paper
comparison/   comparison.csv, last_against_others.csv, next_study.csv (how many searchers a next
              study needs) and compare.txt, where two systems or more can be compared
agreement/    scores beside the first rating as tables and in agreement.txt, where there are ratings
figures/      the figures for a paper, 84 mm wide{figures}, and the numbers of each as CSV

With sDCG Explorer installed, this line, given in this folder, makes the tables of scores/ again:

    {line}

and this one the comparison, of this score or another:

    {compare}

The view, where sDCG Explorer runs (it asks for this zip, if it lacks the study):

    {link}

Made with {versions}.
"""


def bundle(study: Study, definition: Definition, filters: Filters, *, at: str = ADDRESS) -> bytes:
    """Bytes of the zip; `at` is where the app is, for the link.

    Raises
    ------
    ValueError : the filters leave no session
    """
    view = study, definition, filters
    with tempfile.TemporaryDirectory() as name:
        out = Path(name)
        write_scores(*view, depth=DEPTH, out=out / "scores")
        files = {str(p.relative_to(out)): p.read_bytes() for p in sorted(out.rglob("*.*"))}
    compared = compare_systems(*view)
    if compared.pairs:
        made = comparison_files(compared, *view)
        files |= {f"comparison/{each}": content for each, content in made.items()}
    if ratings := [*ratings_of(study)]:  # as `sdcg agreement` writes them
        beside = agreement(*view, asked=Asked(ratings[0]))
        made = agreement_files(beside, view) if beside.number else {}
        files |= {f"agreement/{each}": content for each, content in made.items()}
    files |= {f"study/{each}": content for each, content in study_files(*view).items()}
    answered = answers(*view)
    compared_by = answered[question_of("compare_systems")].methods  # as `sdcg compare` writes it
    files["scores/methods.txt"] = methods_text(*view, *compared_by).encode()
    files["report.html"] = report_of(answered, *view, at=at)
    drawn = browser_path()
    for each, exhibit in [pair for answer in answered.values() for pair in answer.exhibits.items()]:
        files[f"figures/{each}.csv"] = table_bytes(exhibit.table)
        if drawn and exhibit.figure is not None:
            for form in PAPER_FORMS:
                files[f"figures/{each}.{form}"] = figure_bytes(exhibit.figure, form, Paper())
    files["README.txt"] = README.format(
        name=study.name,
        note=f"{study.note}\n" if study.note else "",
        definition=sentence(definition.named(study.labels), study.labels),
        shown=f"{shown}\n" if (shown := filter_words(filters)) else "",
        digest=study.digest,
        figures="" if drawn else f" (none: {NO_BROWSER})",
        line=LINE,
        compare=COMPARE,
        link=view_link(*view, at=at),
        versions=versions(),
    ).encode()
    return zipped(files)
