"""Fit in words: which weights fit what searchers examined best, and what can't be estimated."""

from typing import NamedTuple

from sdcg_explorer.metrics.interval import FEWEST_CLUSTERS
from sdcg_explorer.questions import wording
from sdcg_explorer.questions.fit import numbers
from sdcg_explorer.questions.wording import counted, enumerated, plural
from sdcg_explorer.study.wording import short


class Marks(NamedTuple):
    """What a log says of what was examined: in a headline, as data, and what it doesn't say."""

    words: str
    data: str
    warning: str


MARKS = {
    "clicked": Marks(
        "searchers' clicks",
        "all ranks down to the lowest click of each list",
        "Clicks are not attention: top results attract clicks by their position, results read "
        "below the lowest click don't count, and sessions that stop early say nothing about what "
        "would have followed.",
    ),
    "examined": Marks(
        "the examination marks",
        "results that are marked as examined, clicked or opened",
        "Examination marks are closer to attention than clicks, but share two limits: top results "
        "are examined because of their position, and sessions that stop early say nothing about "
        "what would have followed.",
    ),
    "": Marks(
        "the number of queries",
        "the queries that were asked",
        "Asking a further query shows that a searcher went on, not what they looked at; a session "
        "may also end because the task is done or time is up.",
    ),
}
NO_MARKS = (
    "The log has no clicks or examination marks, so only the number of queries can be fitted, not "
    "the depth in a list."
)
ONE_LIST = "RBP and INST describe one list: to them, all queries weigh the same."
EACH_RANK = "rank's share of all that was examined, query by query"
EACH_QUERY = "query's share of all queries, by its number"
NO_SPREAD = "There is nothing to fit: only one rank of one query was examined."


def headline(of: numbers.Fits) -> str:
    """The page's first line: the model that fits best, those that tie with it, sDCG's best form."""
    if not of.fitted:
        return wording.why_none("session", 0)
    if of.examined.shares.size == 1:
        return NO_SPREAD
    best, *others = of.ranked()
    head = f"{best.model.words} fits {MARKS[of.examined.by].words} best{_in_brackets(best)}"
    if of.ties:
        models = counted(len(of.ties), "other model fits", "other models fit")
        head += f"; {models} about as well"
    if best.model.form:
        return f"{head}."
    form = next(fit for fit in others if fit.model.form)
    head += f"; best of sDCG's forms: {form.model.form}"
    return wording.first_fit(f"{head}{_in_brackets(form)}.", f"{head}.")


def _in_brackets(of: numbers.Fitted) -> str:
    """Parameters that are estimated, in brackets."""
    known = [f"{name} = {value}" for name, value, _ in _estimated_parameters(of)]
    return f" ({', '.join(known)})" if known else ""


def _estimated_parameters(of: numbers.Fitted) -> list[tuple[str, str, str]]:
    """Symbol, value and interval of each parameter that is estimated."""
    found = list[tuple[str, str, str]]()
    for i in of.model.estimable.tolist():
        parameter, value = of.model.parameters[i], float(of.values[i])
        write = wording.share if parameter.kind == "chance" else short
        between = wording.interval(write, float(of.low[i]), float(of.high[i]))
        found.append((parameter.symbol, write(value), between))
    return found


def fit_line(of: numbers.Fitted) -> str:
    """A fit in a sentence: parameters with their intervals."""
    known = [f"{name} = {value}{between}" for name, value, between in _estimated_parameters(of)]
    return f"{of.model.words} ({of.by}): {', '.join(known) or 'no parameter can be estimated'}."


def details(of: numbers.Fits, shown: numbers.Fitted, found: numbers.FitErrors) -> list[str]:
    """The fit that is shown, the errors of sDCG under the definition, what is not estimated."""
    tse, tae, kl = (f"{value:.4f}".removeprefix("0") for value in found)
    in_force = (
        f"sDCG under the current definition: total squared error (TSE) {tse}, total absolute error "
        f"(TAE) {tae}, Kullback–Leibler divergence (KL) {kl} bits; lower is better."
    )
    return [fit_line(shown), in_force, *unknown(of)]


def tied_models_text(of: numbers.Fits) -> list[str]:
    """Which models fit about as well as the best, if any is known to."""
    near = [fit.model.words for fit in of.ties if of.examined.shares.size > 1]
    fit = f"{enumerated(near or [''])} {plural(len(near), 'fits', 'fit')}"
    return [f"{fit} about as well (within one standard error)."] if near else []


def unknown(of: numbers.Fits) -> list[str]:
    """What can't be estimated, and why."""
    one = [fit for fit in of.fitted if fit.by == numbers.LEAST_SQUARES]
    every = [(fit.model, p) for fit in one for p in fit.model.parameters if p.unknown]
    scaled = [
        f"{base} under {enumerated(forms)}"
        for base in ("b", "bq")
        if (forms := [m.form for m, p in every if (p.name, p.unknown) == (base, numbers.SCALES)])
    ]
    alone: dict[str, list[str]] = {}
    for model, parameter in every:
        if parameter.unknown == numbers.ALONE:
            alone.setdefault(parameter.symbol, []).append(model.words)
    ends = [fit.model.words for fit in one if fit.at_end.any()]
    lines: list[str] = []
    if scaled:
        cancels = "there the base only scales all weights, which cancels out."
        lines.append(f"No log can determine {', or '.join(scaled)}: {cancels}")
    if not of.examined.by:
        lines.append(NO_MARKS)
    if alone:
        what = "query" if of.examined.results.shape[1] == 1 else "rank"
        untold = ", and ".join(f"{symbol} of {enumerated(of)}" for symbol, of in alone.items())
        lines.append(f"With only one {what} in the fit, {untold} can't be estimated.")
    if ends:
        limit = "at least one parameter is at the limit of its range and has no interval."
        lines.append(f"In {enumerated(ends)}, {limit}")
    return lines


def how_to_read(of: numbers.Fits) -> str:
    """How the figure is read."""
    point = EACH_RANK if of.examined.by else EACH_QUERY
    return (
        f"Each point is one {point}. Lines are the weights of the fitted model and of sDCG as now "
        "defined; each set sums to 1."
    )


def figure_notes(of: numbers.Fits) -> str:
    """On what data the figure rests."""
    seen, text = of.examined, counted(of.examined.sessions, "session")
    if seen.by:
        what = "examined rank" if seen.by == "clicked" else "examined result"
        top = f"top {seen.results.shape[2]}"
        some = "all " if seen.marked > 1 else ""
        some = f"{seen.marked:,} of " if seen.marked < seen.sessions else some
        text = f"{counted(int(seen.total), what)} ({top}) in {some}{text}: {MARKS[seen.by].data}"
    few = f" No interval with fewer than {FEWEST_CLUSTERS} {seen.unit}s."
    return f"{text}.{few * (seen.searchers < FEWEST_CLUSTERS)}{f' {ONE_LIST}' * bool(seen.by)}"


def cautions(of: numbers.Fits) -> list[str]:
    """Which models fit as well, and where a reader could be misled."""
    return [*tied_models_text(of), MARKS[of.examined.by].warning]


def method(of: numbers.Fits) -> str:
    """A paragraph of a methods section."""
    seen = of.examined
    groups = f" in {len(seen.results)} groups" if seen.searchers > len(seen.results) else ""
    names = dict.fromkeys("sDCG" if fit.model.form else fit.model.words for fit in of.fitted)
    inst = "INST's weights are the mean over the lists' gains. " * ("INST" in names)
    return (
        f"What searchers examined was taken from {MARKS[seen.by].data}, as shares of all cells "
        f"(query, rank); weights of {enumerated([*names])}, adding up to 1, were fitted to it by "
        f"least squares and by Kullback–Leibler divergence (Lipani et al. 2019). {inst}With at "
        f"least {FEWEST_CLUSTERS} {seen.unit}s, intervals (95%) are by the jackknife over "
        f"them{groups}; with at least two, held-out errors are of {seen.unit}s left out."
    )


def fit_text(of: numbers.Fits) -> str:
    """All of it, a line each."""
    lines = [headline(of), *map(fit_line, of.fitted), *cautions(of), *unknown(of), figure_notes(of)]
    return "".join(f"{line}\n" for line in dict.fromkeys(lines))
