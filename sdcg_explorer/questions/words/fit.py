"""What searchers looked at in words: which weights come nearest, and what can't be told."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from sdcg_explorer.analysis.definition.definition import Definition
from sdcg_explorer.analysis.fits.fit import (
    ALONE,
    FIELDS,
    KL,
    LEAST_SQUARES,
    SCALES,
    Errors,
    Fits,
    Fitted,
    LookedAt,
    Parameter,
    taken,
)
from sdcg_explorer.metrics.interval import FEWEST_CLUSTERS
from sdcg_explorer.questions.words.wording import counted, enumerated, interval, share, short

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
NAMES = {"b_of_srbp": "b", "p_of_rbp": "p", "t_of_inst": "T"}


def answer(of: Fits) -> str:
    """The page's first line: the model that comes nearest, and sDCG's nearest form."""
    if not of.seen.sessions:
        return NOTHING_LEFT
    ranked = of.ranked()
    best = ranked[0]
    what = "what searchers looked at" if of.seen.by else "how many queries searchers asked"
    said = f"{best.model.words} comes nearest to {what}{_with(best)}"
    forms = [each for each in ranked if each.model.form]
    if not best.model.form:
        said += f"; of sDCG's forms {forms[0].model.form}{_with(forms[0])}"
    return f"{said}."


def _with(of: Fitted) -> str:
    known = [f"{name} {number}" for name, number, _ in _parameters(of)]
    return f", with {enumerated(known)}" if known else ""


def _parameters(of: Fitted) -> Iterable[tuple[str, str, str]]:
    """Name, value and interval of each parameter that is told."""
    for i in of.model.fitted.tolist():
        parameter, value = of.model.parameters[i], float(of.values[i])

        def written(number: float, kind: str = parameter.kind) -> str:
            return share(number) if kind == "chance" else short(number)

        between = interval(written, float(of.low[i]), float(of.high[i]))
        yield _name(parameter), written(value), between


def _name(parameter: Parameter) -> str:
    return NAMES.get(parameter.name, parameter.name)


def fitted(of: Fitted) -> str:
    """A fit in a sentence: parameters with their intervals, and its errors."""
    known = [f"{name} {number}{between}" for name, number, between in _parameters(of)]
    what = f": {enumerated(known)}" if known else ""
    return f"{of.model.words} by {of.by}{what}; {errors(of.errors)}{_held_out(of)}."


def errors(of: Errors) -> str:
    """The three errors, as Lipani et al. print them."""
    return f"TSE {_four(of.tse)}, TAE {_four(of.tae)}, KL {_four(of.kl)} bits"


def _four(value: float) -> str:
    """Four decimals, as Lipani et al. print errors."""
    return f"{value:.4f}".removeprefix("0")


def _held_out(of: Fitted) -> str:
    if np.isnan(of.held_out):
        return ""
    unit = "KL" if of.by == KL else "TSE"
    return f", and {unit} {_four(of.held_out)} of searchers left out"


def in_force(definition: Definition, found: Errors) -> str:
    """The errors of sDCG under the definition in force."""
    bases = f"{definition.discount}, b {definition.b:g}, bq {definition.bq:g}"
    return f"sDCG under the definition in force ({bases}): {errors(found)}."


def ties(of: Fits) -> str:
    """Which models are as near as the nearest, within a standard error."""
    if np.isnan(of.ranked()[0].held_out):
        return ""
    best, *others = of.ranked()
    near = [each.model.words for each in others if best.ties_with(each)]
    if not near:
        return f"No other model is within one standard error of {best.model.words}."
    return f"Within one standard error of {best.model.words}: {enumerated(near)}."


def unknown(of: Fits) -> list[str]:
    """What is not told, and why."""
    said = list[str]()
    one = [each for each in of.fitted if each.by == LEAST_SQUARES]
    for base in ("b", "bq"):
        forms = [each.model.form for each in one if SCALES in _why(each, base)]
        if forms:
            said.append(CANCELS.format(forms=enumerated(forms), base=base))
    alone = [
        f"{_name(p)} of {each.model.words}"
        for each in one
        for p in each.model.parameters
        if p.unknown == ALONE
    ]
    if not of.seen.by:
        said.append(NO_MARKS)
    if alone:
        what = "query" if of.seen.results.shape[1] == 1 else "rank"
        said.append(TOO_FEW.format(what=what, names=enumerated(alone)))
    ends = [each for each in one if any(each.at_end)]
    if ends:
        names = enumerated([each.model.words for each in ends])
        said.append(f"At the end of where a parameter may lie, and without interval: {names}.")
    return said


def _why(of: Fitted, name: str) -> list[str]:
    return [p.unknown for p in of.model.parameters if p.name == name]


def behind(of: Fits) -> str:
    """What stands behind the picture."""
    seen = of.seen
    text = counted(seen.sessions, "session")
    if seen.by:
        looked = counted(int(seen.total), "result")
        text += f", {looked} looked at in {seen.marked:,} of them: {BY_WHAT[seen.by]}"
    return f"{text}; {_by_whom(seen)}. {ONE_LIST}"


def _by_whom(seen: LookedAt) -> str:
    units = "searcher" if seen.names_searchers else "session"
    if seen.searchers < FEWEST_CLUSTERS:
        return f"no interval with fewer than {FEWEST_CLUSTERS} {units}s"
    parts = (
        f"{len(seen.results):,} groups of {units}s"
        if seen.searchers > len(seen.results)
        else counted(seen.searchers, units)
    )
    return f"95 % intervals by the jackknife, and errors left out, over {parts}"


def advice(of: Fits) -> list[str]:
    """Where a reader could be misled."""
    return [{"examined": MARKED, "clicked": BIAS}.get(of.seen.by, ASKED)]


def is_taken(of: Fitted, definition: Definition, study: str) -> str:
    """What the definition in force says of itself, where it is this fit; "" where it is not.

    Of a further measure, what stands beside sDCG; p is that of RBP and of sRBP, whichever was taken
    last.
    """
    bases = [p.name for p in of.model.parameters if not p.unknown]
    if not bases or taken(of, definition) != definition:
        return ""
    told = [(name.partition("_")[0], getattr(definition, FIELDS[name])) for name in bases]
    values = enumerated([f"{sign} {value:g}" for sign, value in told])
    if of.model.form:
        named = f"{of.model.words} with {values}"
        return f"The definition in force is {named}, fitted to {study} by {of.by}."
    return f"{of.model.words} beside it has {values}, fitted to {study} by {of.by}."


def fitted_on(of: Fits, study: str) -> str:
    """The study of a fit, as a definition notes it."""
    return f"{study} ({counted(of.seen.sessions, 'session')})"


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
    lines = [answer(of), *map(fitted, of.fitted), ties(of), *unknown(of), behind(of), *advice(of)]
    return "".join(f"{line}\n" for line in dict.fromkeys(lines) if line)
