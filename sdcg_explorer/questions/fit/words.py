"""What searchers looked at in words: which weights come nearest, and what can't be told."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sdcg_explorer.metrics.interval import FEWEST_CLUSTERS
from sdcg_explorer.questions.fit.numbers import (
    ALONE,
    KL,
    LEAST_SQUARES,
    SCALES,
    Errors,
    Fits,
    Fitted,
)
from sdcg_explorer.questions.wording import counted, enumerated, interval, share, short
from sdcg_explorer.scoring.definition import Definition

BIAS = (
    "Clicks are not attention. What stands on top is clicked because it stands there (presentation "
    "bias), what was read without a click is not counted, and a session that ended says nothing of "
    "what would have been looked at (stopping)."
)
MARKED = (
    "Marks of what was examined are nearer to attention than clicks, and not the same: a session "
    "that ended says nothing of what would have been looked at (stopping), and what stands on top "
    "is looked at because it stands there (presentation bias)."
)
BY_WHAT = {
    "examined": "what is marked as examined, clicked or opened",
    "clicked": "each result down to the lowest of its list that was clicked or opened",
}
CANCELS = (
    "Under {forms} {base} is not told by any log: it is a pure factor, 1/log_b x = ln b / ln x, "
    "which cancels where weights add up to 1, so that every {base} has the same error."
)
TOO_FEW = "With one {what} alone this study can't tell {names}."
ONE_LIST = (
    "RBP and INST say how far down a list searchers go, and nothing of further queries: here each "
    "query weighs alike. INST's weights are the mean over the lists' gains."
)
PICTURE = (
    "Points are the share of each result, query by query, in all that was looked at; lines are the "
    "weights of the model, and of sDCG under the definition in force, each adding up to 1."
)
NO_MARKS = (
    "Nothing here marks what was clicked or examined: the queries that were asked alone say how "
    "far searchers went, and nothing of how far down a list."
)
ASKED = (
    "That a query was asked says that searchers went on, not what they looked at; a session may "
    "end because its task was done or its time was over (stopping)."
)
NOTHING_LEFT = "No session is left: widen the filters under Show."


def answer(of: Fits) -> str:
    """The page's first line: the model that comes nearest, and sDCG's nearest form."""
    if not of.fitted:
        return NOTHING_LEFT
    best, *others = of.ranked()
    what = "what searchers looked at" if of.seen.by else "how many queries searchers asked"
    said = f"{best.model.words} comes nearest to {what}{_with(best)}"
    if not best.model.form:
        form = next(each for each in others if each.model.form)
        said += f"; of sDCG's forms {form.model.form}{_with(form)}"
    return f"{said}."


def _with(of: Fitted) -> str:
    known = [f"{name} {number}" for name, number, _ in _parameters(of)]
    return f", with {enumerated(known)}" if known else ""


def _parameters(of: Fitted) -> Iterator[tuple[str, str, str]]:
    """Name, value and interval of each parameter that is told."""
    ends = (each.tolist() for each in (of.values, of.low, of.high))
    for parameter, value, low, high in zip(of.model.parameters, *ends, strict=True):
        if not parameter.unknown:
            written = share if parameter.kind == "chance" else short
            yield parameter.sign, written(value), interval(written, low, high)


def fitted(of: Fitted) -> str:
    """A fit in a sentence: parameters with their intervals, and its errors."""
    known = [f"{name} {number}{between}" for name, number, between in _parameters(of)]
    said = f"{of.model.words} by {of.by}{': ' if known else ''}{enumerated(known) if known else ''}"
    said += f"; {errors(of.errors)}"
    if not np.isnan(of.held_out):
        unit = "KL" if of.by == KL else "TSE"
        said += f", and {unit} {_four(of.held_out)} of searchers left out"
    return f"{said}."


def errors(of: Errors) -> str:
    """The three errors, as Lipani et al. print them."""
    return f"TSE {_four(of.tse)}, TAE {_four(of.tae)}, KL {_four(of.kl)} bits"


def _four(value: float) -> str:
    """Four decimals, as Lipani et al. print errors."""
    return f"{value:.4f}".removeprefix("0")


def more(of: Fits, shown: Fitted, definition: Definition, found: Errors) -> list[str]:
    """The fit that is shown, the errors of sDCG under the definition, ties, what is not told."""
    bases = f"{definition.discount}, b {definition.b:g}, bq {definition.bq:g}"
    in_force = f"sDCG under the definition in force ({bases}): {errors(found)}."
    return [fitted(shown), in_force, *ties(of), *unknown(of)]


def ties(of: Fits) -> list[str]:
    """Which models are as near as the nearest, within a standard error, if that is known."""
    best, *others = of.ranked()
    if np.isnan(best.held_out):
        return []
    near = [each.model.words for each in others if best.ties_with(each)]
    if not near:
        return [f"No other model is within one standard error of {best.model.words}."]
    return [f"Within one standard error of {best.model.words}: {enumerated(near)}."]


def unknown(of: Fits) -> list[str]:
    """What is not told, and why."""
    said = list[str]()
    one = [each for each in of.fitted if each.by == LEAST_SQUARES]
    every = [(each.model, parameter) for each in one for parameter in each.model.parameters]
    for base in ("b", "bq"):
        if forms := [m.form for m, p in every if (p.name, p.unknown) == (base, SCALES)]:
            said.append(CANCELS.format(forms=enumerated(forms), base=base))
    if not of.seen.by:
        said.append(NO_MARKS)
    if alone := [f"{p.sign} of {m.words}" for m, p in every if p.unknown == ALONE]:
        what = "query" if of.seen.results.shape[1] == 1 else "rank"
        said.append(TOO_FEW.format(what=what, names=enumerated(alone)))
    if ends := [each.model.words for each in one if each.at_end.any()]:
        names = enumerated(ends)
        said.append(f"At the end of where a parameter may lie, and without interval: {names}.")
    return said


def behind(of: Fits) -> str:
    """What stands behind the picture."""
    seen = of.seen
    text = counted(seen.sessions, "session")
    if seen.by:
        looked = counted(int(seen.total), "result")
        text += f", {looked} looked at in {seen.marked:,} of them: {BY_WHAT[seen.by]}"
    unit, groups = "searcher" if seen.names_searchers else "session", len(seen.results)
    if seen.searchers < FEWEST_CLUSTERS:
        told = f"no interval with fewer than {FEWEST_CLUSTERS} {unit}s"
    else:
        grouped = seen.searchers > groups
        parts = f"{groups:,} groups of {unit}s" if grouped else counted(seen.searchers, unit)
        told = f"95 % intervals by the jackknife, and errors left out, over {parts}"
    return f"{text}; {told}. {ONE_LIST}"


def advice(of: Fits) -> list[str]:
    """Where a reader could be misled."""
    return [{"examined": MARKED, "clicked": BIAS}.get(of.seen.by, ASKED)]


def method(of: Fits) -> str:
    """A paragraph of a methods section."""
    how = BY_WHAT.get(of.seen.by, "the queries that were asked")
    return (
        f"What searchers looked at was taken from {how}, as shares of all cells (query, rank), and "
        "weights of sDCG, sRBP, RBP and INST, adding up to 1, were fitted to it by least squares "
        "and by Kullback–Leibler divergence (Lipani et al. 2019), with 95 % intervals by the "
        "jackknife over searchers, or sessions without one, and errors of those left out. "
        f"{fitted(of.ranked()[0])} {advice(of)[0]}"
    )


def sentences(of: Fits) -> str:
    """All of it, a line each."""
    lines = [answer(of), *map(fitted, of.fitted), *ties(of), *unknown(of), behind(of), *advice(of)]
    return "".join(f"{line}\n" for line in dict.fromkeys(lines))
