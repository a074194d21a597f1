"""Captions and cells of a paper's tables; the long form of the definition is in the methods."""

from collections.abc import Sequence

import numpy as np

from sdcg_explorer.questions.columns import WORDS
from sdcg_explorer.questions.wording import counted, enumerated, p_value, plain, plural, short
from sdcg_explorer.scoring.definition import PRESET_NAMES, Definition
from sdcg_explorer.scoring.measures import ALL_SESSION_SCORES
from sdcg_explorer.study.problems import cut

SIZES = (
    "Effect sizes are Hedges' g: the difference (adjusted as above) over the pooled standard "
    "deviation of session scores."
)
MOST_GAINS = 8  # that a caption lists
SAID = ("b", "bq", "top", "weights")  # by their numbers
OF_CURVES = ("average", "after stop", "others")  # and of no session's score
NOTHING = "–"  # where there is none


def headline(tables: int, figures: int) -> str:
    """What there is to be printed.

    >>> headline(3, 2)
    '3 tables, 2 figures, methods and references, ready for a paper.'
    """
    made = f"{counted(tables, 'table')}, {counted(figures, 'figure')}"
    return f"{made}, methods and references, ready for a paper."


def score_label(name: str) -> str:
    """A score in a table, by its unit where that alone says which it is.

    >>> score_label("final_normalised"), score_label("final"), score_label("mean_ndcg")
    ('nsDCG at the end', 'sDCG at the end', 'mean nDCG')
    """
    places = {"final": "at the end", "average": "mean over positions"}
    unit = ALL_SESSION_SCORES[name].unit if name in ALL_SESSION_SCORES else ""
    if (place := name.removesuffix("_normalised")) in places:
        return f"{unit} {places[place]}"
    return f"mean {unit}" if name.startswith("mean_") else WORDS.get(name, name.replace("_", " "))


def short_name(name: str) -> str:
    """A system's name as a column holds it, 40 letters at most."""
    return cut(str(name), 40)


def number_cell(value: float) -> str:
    """A number of a table; a dash where there is none."""
    return NOTHING if np.isnan(value) else short(value)


def p_cell(p: float) -> str:
    """A p of a table, without its letter.

    >>> p_cell(0.0123), p_cell(0.00005)
    ('.012', '< .001')
    """
    return NOTHING if np.isnan(p) else p_value(p).removeprefix("p ").removeprefix("= ")


def clause(
    definition: Definition,
    labels: tuple[float, ...],
    *,
    with_top: bool = True,
    without: Sequence[str] = (),
) -> str:
    """The definition in one clause; without its top, where lists are drawn whole.

    without : choices that a table doesn't go by

    >>> clause(Definition(), (0.0, 1.0, 2.0, 3.0))
    'ECIR 2008: b = 2, bq = 4, gains 0, 1, 10 and 100, top 10'
    >>> clause(Definition(), tuple(grade / 4 for grade in range(9)))
    'ECIR 2008: b = 2, bq = 4, gains 0 to 10 for 9 grades, top 10'
    >>> clause(Definition(unjudged="condense", short_lists="as-is"), (0.0, 1.0), with_top=False)
    'ECIR 2008, unjudged results are removed and ranks renumbered: b = 2, bq = 4, gains 0 and 1'
    """
    of_grades = definition.gains(labels)
    gains = enumerated(list(map(plain, of_grades)))
    if len(labels) > MOST_GAINS:
        ends = f"{plain(float(of_grades.min()))} to {plain(float(of_grades.max()))}"
        gains = f"{ends} for {len(labels)} grades"
    worth = plural(len(of_grades), "gain", "gains")
    bases = f"b = {definition.b:g}, bq = {definition.bq:g}".replace("inf", "∞")
    name, changed = definition.named(labels).nearest_preset()
    said = SAID if with_top else (*SAID, "short lists")  # whole lists are not cut or padded
    said = (*said, *without)
    fields = [each.replace(" ", "_") for each in changed if each not in said]
    own = [definition.clause(each) or f"{each} {getattr(definition, each)}" for each in fields]
    top = f", top {definition.top}" * with_top
    return f"{', '.join([PRESET_NAMES[name], *own])}: {bases}, {worth} {gains}{top}"


def tests_caption(baseline: str) -> str:
    """What p, g and bold are, in the caption of the results."""
    other = baseline or "the best system on that score"
    return f"p and Hedges' g: compared with {other}; bold: clearly above every other system."


def omitted_rows_note(systems: int, scores: Sequence[str], first: str = "") -> str:
    """What finds no line in a table: systems that are lower on the first score, and scores.

    >>> omitted_rows_note(2, ["mean_dcg"], "final"), omitted_rows_note(0, [])
    (' Not shown: 2 systems with lower sDCG at the end; mean DCG.', '')
    """
    lacking = [f"{counted(systems, 'system')} with lower {score_label(first)}"] if systems else []
    lacking += [enumerated([*map(score_label, scores)])] if scores else []
    return f" Not shown: {'; '.join(lacking)}." if lacking else ""


def ranks_caption(definition: Definition, labels: tuple[float, ...], unit: str) -> str:
    """Caption of last queries and others at a few ranks, whole lists."""
    how = clause(definition, labels, with_top=False, without=("average", "after stop"))
    return f"Mean {unit} of last and other queries at selected ranks ({how})."


def figures_caption(definition: Definition, labels: tuple[float, ...]) -> str:
    """Caption of Figures 1 and 2 beside each other."""
    what = "sDCG" if definition.behaviour else "share of the ideal"
    along = f"mean {what} by position in the session ({clause(definition, labels)})"
    return f"(a) Last and other queries by rank; (b) {along}."
