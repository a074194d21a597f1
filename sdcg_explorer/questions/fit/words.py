"""Fit in words: which weights fit what searchers examined best, and what can't be estimated."""

import math

from sdcg_explorer.metrics.interval import FEWEST_CLUSTERS
from sdcg_explorer.questions import wording
from sdcg_explorer.questions.fit import numbers
from sdcg_explorer.questions.wording import counted, enumerated
from sdcg_explorer.study.wording import short

MARKS = {  # what a log says of what was examined: in a headline, and as data
    "clicked": ("searchers' clicks", "all counted ranks down to the lowest click of each list"),
    "examined": (
        "the examination marks",
        "counted results that are marked as examined, clicked or opened",
    ),
    "": ("the number of queries", "the queries that were asked"),
}
PICTURE = (
    "Points are shares of what was examined (of the queries, if nothing is marked), lines the "
    "weights of the fitted model and of the current sDCG; each set sums to 1."
)
ATTENTION = (
    "Clicks, marks and queries are not attention: top results are looked at because of their "
    "position, and sessions that stop early say nothing about what would have followed."
)
NO_MARKS = (
    "The log has no clicks or examination marks, so only the number of queries can be fitted, not "
    "the depth in a list."
)
NOT_IDENTIFIABLE = (
    "A parameter that is not identifiable has no value: it only scales all weights, or would need "
    "several ranks or queries."
)
FEW = f"Intervals need at least {FEWEST_CLUSTERS} searchers (or sessions that name none)."


def headline(of: numbers.Fits) -> str:
    """The page's first line: the model that fits best, those that tie with it, sDCG's best form."""
    if not of.fitted:
        return wording.why_none("session", 0)
    if of.examined.shares.size == 1:
        one = "only one rank of one query was examined"
        return f"Every model fits: {one if of.examined.by else 'every session has one query'}."
    best, *others = of.ranked()
    by = "" if math.isnan(best.held_out_error) else " by held-out squared error"
    head = f"{best.model.words} fits {MARKS[of.examined.by][0]} best{by} ({_parameters(best)})"
    if of.ties:
        head += f"; {counted(len(of.ties), 'other model fits', 'other models fit')} about as well"
    if best.model.form:
        return f"{head}."
    form = next(fit for fit in others if fit.model.form)
    head += f"; best of sDCG's forms: {form.model.form}"
    return wording.first_fit(f"{head} ({_parameters(form)}).", f"{head}.")


def _parameters(of: numbers.Fitted, *, intervals: bool = False) -> str:
    """Parameters that are estimated."""
    told: list[str] = []
    for i in of.model.estimable.tolist():
        parameter, value = of.model.parameters[i], float(of.values[i])
        write = wording.share if parameter.kind == "chance" else short
        around = wording.interval(write, float(of.low[i]), float(of.high[i]))
        told.append(f"{parameter.symbol} = {write(value)}{around if intervals else ''}")
    return ", ".join(told) or "no parameter can be estimated"


def fit_line(of: numbers.Fitted) -> str:
    """A fit in a sentence: parameters with their intervals."""
    return f"{of.model.words} ({of.by}): {_parameters(of, intervals=True)}."


def details(of: numbers.Fits, shown: numbers.Fitted, found: numbers.FitErrors) -> list[str]:
    """The fit that is shown, the errors of sDCG under the definition, what is not estimated."""
    tse, tae, kl = (f"{value:.4f}".removeprefix("0") for value in found)
    in_force = (
        f"sDCG under the current definition: total squared error (TSE) {tse}, total absolute error "
        f"(TAE) {tae}, Kullback–Leibler divergence (KL) {kl} bits; lower is better."
    )
    return [fit_line(shown), in_force, *unknown(of)]


def unknown(of: numbers.Fits) -> list[str]:
    """What can't be estimated, and why."""
    ends = ", ".join(dict.fromkeys(fit.model.words for fit in of.fitted if fit.at_end.any()))
    limit = f"Models with a parameter at the limit of its range, which has no interval: {ends}."
    return [NOT_IDENTIFIABLE, *([] if of.examined.by else [NO_MARKS]), *[limit] * bool(ends)]


def figure_notes(of: numbers.Fits) -> str:
    """On what data the figure rests."""
    seen = of.examined
    number = f"{int(seen.total):,} in {seen.marked:,} of {counted(seen.sessions, 'session')}"
    few = f" {FEW}" * (seen.searchers < FEWEST_CLUSTERS)
    return f"Fitted to {MARKS[seen.by][1]}: {number}.{few}"


def cautions(of: numbers.Fits) -> list[str]:
    """Which models fit as well, and where a reader could be misled."""
    near = ", ".join(fit.model.words for fit in of.ties)
    return [*[f"Within one standard error of the best fit: {near}."] * bool(near), ATTENTION]


def method(of: numbers.Fits) -> str:
    """A paragraph of a methods section."""
    seen, groups = of.examined, min(of.examined.searchers, len(of.examined.results))
    units = f"{seen.searchers:,}{f', in {groups} groups' * (groups < seen.searchers)}"
    names = dict.fromkeys("sDCG" if fit.model.form else fit.model.words for fit in of.fitted)
    inst = "INST's weights are averaged over lists. " * ("INST" in names)
    return (
        f"What searchers examined was taken from {MARKS[seen.by][1]}, as shares of all "
        f"cells (query, rank); weights of {enumerated([*names])}, adding up to 1, were fitted to "
        "it by least squares and by Kullback–Leibler divergence (Lipani et al. 2019). "
        f"{inst}The units are searchers, or sessions that name none ({units}): 95% intervals "
        f"(jackknife) need at least {FEWEST_CLUSTERS}, held-out errors at least 2."
    )


def fit_text(of: numbers.Fits) -> str:
    """All of it, a line each."""
    lines = [headline(of), *map(fit_line, of.fitted), *cautions(of), *unknown(of), figure_notes(of)]
    return "".join(f"{line}\n" for line in dict.fromkeys(lines))
