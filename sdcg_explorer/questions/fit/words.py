"""Fit in words: which weights fit what searchers examined best, and what can't be estimated."""

from __future__ import annotations

import numpy as np

from sdcg_explorer.metrics.interval import FEWEST_CLUSTERS
from sdcg_explorer.questions.fit.numbers import (
    ALONE,
    LEAST_SQUARES,
    SCALES,
    Errors,
    Fits,
    Fitted,
)
from sdcg_explorer.questions.wording import (
    counted,
    enumerated,
    fitting,
    interval,
    plural,
    share,
    short,
)

BIAS = (
    "Clicks are not attention: top results attract clicks by their position, results read without "
    "a click don't count, and sessions that stop early say nothing about what would have followed."
)
MARKED = (
    "Examination marks are closer to attention than clicks, but share two limits: top results are "
    "examined because of their position, and sessions that stop early say nothing about what would "
    "have followed."
)
ASKED = (
    "Asking a further query shows that a searcher went on, not what they looked at; a session may "
    "also end because the task is done or time is up."
)
BY_WHAT = {
    "examined": "results that are marked as examined, clicked or opened",
    "clicked": "all results down to the lowest click of their list",
}
CANCELS = "No log can determine {names}: there the base only scales all weights, which cancels out."
TOO_FEW = "With a single {what}, {names} can't be estimated."
ONE_LIST = "RBP and INST describe a single list, so all queries weigh the same here."
PICTURE = (
    "Points are each result's share of all examined results, query by query; lines are the weights "
    "of the model and of sDCG in force (both sum to 1)."
)
NO_MARKS = (
    "The log has no clicks or examination marks, so only the number of queries can be fitted, not "
    "the depth in a list."
)
NOTHING_LEFT = "The filters leave no session: widen them."


FITTED_TO = {
    "examined": "the examination marks",
    "clicked": "searchers' clicks",
    "": "the number of queries",
}


def answer(of: Fits) -> str:
    """The page's first line: the model that fits best, those that tie with it, sDCG's best form."""
    if not of.fitted:
        return NOTHING_LEFT
    best, *others = of.ranked()
    said = f"{best.model.words} fits {FITTED_TO[of.seen.by]} best{_values(best)}"
    if near := len(of.ties):
        models = counted(near, "other model fits", "other models fit")
        said += f"; {models} about as well"
    if best.model.form:
        return f"{said}."
    form = next(each for each in others if each.model.form)
    said += f"; among sDCG's forms, {form.model.form} does"
    return fitting(f"{said}{_values(form)}.", f"{said}.")


def _values(of: Fitted) -> str:
    """Parameters that are estimated, in brackets."""
    known = [f"{name} = {value}" for name, value, _ in _parameters(of)]
    return f" ({', '.join(known)})" if known else ""


def _parameters(of: Fitted) -> list[tuple[str, str, str]]:
    """Name, value and interval of each parameter that is estimated."""
    ends = (each.tolist() for each in (of.values, of.low, of.high))
    known = [each for each in zip(of.model.parameters, *ends, strict=True) if not each[0].unknown]
    written = [share if parameter.kind == "chance" else short for parameter, *_ in known]
    return [
        (parameter.sign, write(value), interval(write, low, high))
        for write, (parameter, value, low, high) in zip(written, known, strict=True)
    ]


def fitted(of: Fitted) -> str:
    """A fit in a sentence: parameters with their intervals."""
    known = [f"{name} = {value}{between}" for name, value, between in _parameters(of)]
    values = ", ".join(known) or "no parameter can be estimated"
    return f"{of.model.words} ({of.by}): {values}."


def more(of: Fits, shown: Fitted, found: Errors) -> list[str]:
    """The fit that is shown, the errors of sDCG under the definition, what is not estimated."""
    errors = (f"{value:.4f}".removeprefix("0") for value in (found.tse, found.tae, found.kl))
    in_force = "sDCG under the definition in force: TSE {}, TAE {}, KL {} bits.".format(*errors)
    return [fitted(shown), in_force, *unknown(of)]


def ties(of: Fits) -> list[str]:
    """Which models fit about as well as the best, if that is known."""
    if np.isnan(of.ranked()[0].held_out):
        return []
    near = [each.model.words for each in of.ties]
    fit = (
        f"{enumerated(near)} {plural(len(near), 'fits', 'fit')}" if near else "No other model fits"
    )
    return [f"{fit} about as well (within one standard error)."]


def unknown(of: Fits) -> list[str]:
    """What can't be estimated, and why."""
    lines = list[str]()
    one = [each for each in of.fitted if each.by == LEAST_SQUARES]
    every = [(each.model, parameter) for each in one for parameter in each.model.parameters]
    scaled = {
        base: [m.form for m, p in every if (p.name, p.unknown) == (base, SCALES)]
        for base in ("b", "bq")
    }
    if names := [f"{base} under {enumerated(forms)}" for base, forms in scaled.items() if forms]:
        lines.append(CANCELS.format(names=", or ".join(names)))
    if not of.seen.by:
        lines.append(NO_MARKS)
    if alone := [f"{p.sign} of {m.words}" for m, p in every if p.unknown == ALONE]:
        what = "query" if of.seen.results.shape[1] == 1 else "rank"
        lines.append(TOO_FEW.format(what=what, names=enumerated(alone)))
    if ends := [each.model.words for each in one if each.at_end.any()]:
        hit = plural(len(ends), "hits", "hit"), plural(len(ends), "has", "have")
        limit = f"the limit of a parameter's range and {hit[1]} no interval."
        lines.append(f"{enumerated(ends)} {hit[0]} {limit}")
    return lines


def behind(of: Fits) -> str:
    """On what data the figure rests."""
    seen = of.seen
    text = f"{counted(seen.sessions, 'session')}."
    if seen.by:
        examined = counted(int(seen.total), "examined result")
        text = f"{examined} in {seen.marked:,} of {counted(seen.sessions, 'session')}"
        text = f"{text}: {BY_WHAT[seen.by]}."
    if seen.searchers < FEWEST_CLUSTERS:
        text += f" No interval with fewer than {FEWEST_CLUSTERS} {seen.unit}s."
    return f"{text} {ONE_LIST}"


def advice(of: Fits) -> list[str]:
    """Which models fit as well, and where a reader could be misled."""
    return [*ties(of), {"examined": MARKED, "clicked": BIAS}.get(of.seen.by, ASKED)]


def method(of: Fits) -> str:
    """A paragraph of a methods section."""
    how, seen = BY_WHAT.get(of.seen.by, "the queries that were asked"), of.seen
    groups = f" in {len(seen.results)} groups" if seen.searchers > len(seen.results) else ""
    return (
        f"What searchers examined was taken from {how}, as shares of all cells (query, rank); "
        "weights of sDCG, sRBP, RBP and INST, adding up to 1, were fitted to it by least squares "
        "and by Kullback–Leibler divergence (Lipani et al. 2019). INST's weights are the mean over "
        f"the lists' gains. Intervals (95 %) are by the jackknife over {seen.unit}s{groups}; "
        f"held-out errors are of {seen.unit}s left out."
    )


def sentences(of: Fits) -> str:
    """All of it, a line each."""
    lines = [answer(of), *map(fitted, of.fitted), *advice(of), *unknown(of), behind(of)]
    return "".join(f"{line}\n" for line in dict.fromkeys(lines))
