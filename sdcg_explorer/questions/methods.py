"""The definition and the filters in sentences, and the paragraph on methods."""

from __future__ import annotations

import math
from collections.abc import Iterable
from math import isnan

from sdcg_explorer.metrics import FORMS
from sdcg_explorer.metrics.interval import FEWEST_RESAMPLED
from sdcg_explorer.questions.wording import counted, enumerated, plain, plural, share, withheld
from sdcg_explorer.scoring.definition import (
    CHOICES,
    DEFAULT,
    FURTHER,
    NAMES,
    OVER_HIGHEST,
    REFERENCES,
    Definition,
    Filters,
    declared,
    fit_in_force,
    with_parameters,
    written,
)
from sdcg_explorer.scoring.measures import Footing, footing
from sdcg_explorer.scoring.selection import ADDITIVE, Sample, Selection, select
from sdcg_explorer.study.grades import label
from sdcg_explorer.study.own_judgments import Layer, layer_name
from sdcg_explorer.study.study import Study

PAPER = (0.0, 1.0, 2.0, 3.0)  # grades of S08 §3.1
HELD = (
    "after its last query a session keeps its share of the ideal, which can go on only where short "
    "lists are padded"
)


def sentence(definition: Definition, labels: tuple[float, ...]) -> str:
    """Say a definition in one sentence; `labels` are the study's grades."""
    gains = definition.gains(labels)
    worth = ", ".join(f"{label(g)} → {plain(gain)}" for g, gain in zip(labels, gains, strict=True))
    d, scheme = definition, "own"
    if isinstance(d.weights, str):
        scheme = f"{d.weights}{beyond_the_paper(d, labels)}"
    said = {name: d.option(name).clause for name in CHOICES}
    if d.after_stop == "ideal-continues" and d.short_lists != "pad":
        said["after_stop"] = HELD
    clauses = [*said.values(), *further_words(d, float(gains.max(initial=0.0))), *fitted(d)]
    short = d.option("short_lists").clause.format(least=d.short_lists)
    return (
        f"{d.preset}. Gain by grade ({scheme}): {worth or 'no grades'}; "
        f"{_rank_words(d)}, {_query_words(d)}; "
        f"the top {d.top} of each query count, {short}; "
        f"{'; '.join(clause for clause in clauses if clause)}."
    )


def further_words(d: Definition, highest: float) -> list[str]:
    """Further measures that are asked for, with their parameters, and parameters that are moved.

    >>> further_words(Definition(measures=("rbp",)), 100), further_words(Definition(p=0.8), 100)
    (['also RBP (p = 0.9)', 'gains of RBP are over the highest, 100'], ['p = 0.8'])
    """
    asked = [with_parameters(name, d) for name in d.measures]
    over = [FURTHER[name].words for name in d.measures if name in OVER_HIGHEST]
    shares = [f"gains of {enumerated(over)} are over the highest, {plain(highest)}"] if over else []
    named = {each for name in d.measures for each in FURTHER[name].parameters}
    moved = [name for name in NAMES if getattr(d, name) != getattr(DEFAULT, name)]
    left = [f"{name} = {written(d, name)}" for name in moved if name not in named]
    return [*([f"also {enumerated(asked)}"] if asked else []), *shares, *left]


def fitted(d: Definition) -> list[str]:
    """From which study parameters come, as long as none of them was moved.

    >>> note = "b=3 bq=4; S (9 sessions)"
    >>> fitted(Definition(b=3.0, fitted_to=note)), fitted(Definition(b=5.0, fitted_to=note))
    (['b = 3 and bq = 4 fitted to S (9 sessions)'], [])
    """
    found = fit_in_force(d)
    return [f"{enumerated(found[0])} fitted to {found[1]}"] if found else []


def in_force(definition: Definition, study: Study) -> str:
    """The definition on a study in a sentence, and one that names judgments of one's own."""
    return f"{sentence(definition, study.labels)}{own_judgments(study.layer)}"


def own_judgments(layer: Layer) -> str:
    """What is said of judgments of one's own, with the name of their layer; "" of none.

    >>> own_judgments({("t", "d"): 1.0})
    " Over the study's judgments lies 1 of one's own (layer 0fc8242f)."
    """
    if not layer:
        return ""
    lies = plural(len(layer), "lies", "lie")
    own = f"{len(layer):,} of one's own (layer {layer_name(layer)})"
    return f" Over the study's judgments {lies} {own}."


def beyond_the_paper(definition: Definition, labels: tuple[float, ...]) -> str:
    """Grades that gain under the paper's weighting though the paper has none such."""
    own = [label(g) for g in labels if g > 0 and g not in PAPER]
    if definition.weights != "paper" or not own:
        return ""
    return f"; {enumerated(own)} {plural(len(own), 'is', 'are')} beyond the paper: 10^(g − 1)"


def filter_words(filters: Filters) -> str:
    """Say which sessions are looked at; "" for all.

    >>> filter_words(Filters(systems=("A",), topics=("1", "2"), min_queries=2))
    'Only sessions with the system A, on the topics 1 and 2, of 2 queries or more.'
    """
    clauses = [
        f"{plural(len(names), each.clause)} {enumerated(names)}"
        for name, each in declared(filters).items()
        if each.clause and (names := getattr(filters, name))
    ]
    least, most = filters.min_queries, filters.max_queries
    if most is not None:
        several = f"{least} to " if least != most else ""
        clauses.append(f"of {several}{counted(most, 'query')}")
    elif least > 1:
        clauses.append(f"of {least} queries or more")
    return f"Only sessions {', '.join(clauses)}." if clauses else ""


def _rank_words(d: Definition) -> str:
    if math.isinf(d.b):
        return "no discount by rank"
    return f"discount by rank {FORMS[d.discount].rank.formula('r', d.b)}"


def _query_words(d: Definition) -> str:
    if math.isinf(d.bq):
        return "none by query"
    return f"by query {FORMS[d.discount].query.formula('q', d.bq)}"


RULES = {
    "gdeval": "(2^g − 1)/2⁴, whatever the highest grade is",
    "rmax": "(2^g − 1)/2^g_max, g_max the highest grade of the judgments",
    "ntcir": "g/(g_max + 1), g_max the highest grade of the judgments",
}


NOT_ADDED = "whose weights depend on what else a list gains, so that nothing adds up along it"
OWN_IDEAL = "of which each query is divided by its own ideal, so that nothing adds up over queries"
ELSEWHERE = "Each is in the tables, and among the scores of Compare systems."


def not_drawn(asked: Iterable[str], drawn: Iterable[str]) -> list[str]:
    """Which further measures that are asked for a page's curves are not of, and why.

    >>> not_drawn(("rbp", "err"), ("sdcg", "rbp", "srbp"))[0][:44]
    'Asked for, and not drawn here: ERR, whose we'
    >>> not_drawn(("rbp",), ("sdcg",))[0][:70]
    'Asked for, and not drawn here: RBP, for these curves are those of sDCG'
    >>> not_drawn(("rbp",), ("rbp",))
    []
    """
    left = [name for name in asked if name not in {*drawn}]
    if not left:
        return []
    names, adds_up = enumerated([FURTHER[name].words for name in left]), {*left} & {*ADDITIVE}
    why = OWN_IDEAL if left == ["ndcg"] else NOT_ADDED
    why = "for these curves are those of sDCG" if adds_up else why
    return [f"Asked for, and not drawn here: {names}, {why}. {ELSEWHERE}"]


def stands_on(of: Footing | None) -> str:
    """What must be known of a further measure's number; "" where nothing is beside its parameters.

    >>> stands_on(Footing("rbp", highest=100.0))
    'Gains of RBP are divided by the highest, 100.'
    >>> stands_on(Footing("esndcg", unseen=0.02, most_unseen=0.125))
    'Paths that see no document are left out of esNDCG: .02 of them on average, .12 at most.'
    >>> stands_on(Footing("esndcg", unseen=0.0, most_unseen=0.0)), stands_on(None)
    ('Every path of esNDCG sees a document: none is left out.', '')
    >>> stands_on(Footing("err", rule="rmax", repeats=True))[-19:]
    'ERR counts repeats.'
    """
    if of is None:
        return ""
    name = FURTHER[of.measure].words
    repeats = f" {name} counts repeats." if of.repeats else ""
    if of.rule:
        by = f"By the rule {of.rule} of {name}"
        return f"{by} a result of grade g satisfies with {RULES[of.rule]}.{repeats}"
    if not isnan(of.highest):
        return f"Gains of {name} are divided by the highest, {plain(of.highest)}."
    if isnan(of.unseen):
        return repeats.strip()
    if not of.most_unseen:
        return f"Every path of {name} sees a document: none is left out.{repeats}"
    mean, most = share(of.unseen), share(of.most_unseen)
    return (
        f"Paths that see no document are left out of {name}: {mean} of them on average, "
        f"{most} at most.{repeats}"
    )


def methods_text(study: Study, definition: Definition, filters: Filters, *more: str) -> str:
    """Paragraph and references, numbers of sessions, queries and exclusions filled in.

    `more` paragraphs say what else was done.
    """
    sample = select(study, definition, filters).sample
    total, sessions = len(study.sessions), int(sample.judged.sum())
    queries = int(sample.queries[sample.judged].sum())
    filtered = total - sample.sessions.size
    unjudged = sample.sessions.size - sessions
    shown = filter_words(filters)
    named = definition.named(study.labels)
    average = (
        "Raw gain stays level after a session's last query. Intervals are pointwise 95 % "
        f"bootstrap-t intervals (1,000 resamples of {_resampled(sample)}, fixed seed), those of a "
        f"group's mean by t where fewer than {FEWEST_RESAMPLED} stand behind it."
    )
    average = f"{average} {withheld(study.report.withheld)}".strip()
    parts = [
        f"Study: {study.name}, digest {study.digest[:12]}. {study.note}{' ' if study.note else ''}"
        f"{counted(sessions, 'session')} with {counted(queries, 'query')} "
        f"{plural(sessions, 'was', 'were')} scored; of {counted(total, 'session')} "
        f"{filtered:,} did not pass the filters and {unjudged:,} had no judged topic."
        f"{' ' * bool(shown)}{shown}",
        *([" ".join(study.report.methods)] if study.report.methods else []),
        "Sessions were scored by session-discounted cumulated gain (sDCG). "
        f"Definition: {in_force(named, study)}"
        f"{' LDCG and LNDCG count repeats.' if named.repeats == 'first' else ''}",
        average,
        *filter(None, [_further(select(study, named, filters)), *more]),
        "References: " + " ".join(REFERENCES[key] for key in _references(named)),
    ]
    return "\n\n".join(parts) + "\n"


def _further(chosen: Selection) -> str:
    """What further measures stand on that the definition does not say."""
    asked = {*chosen.definition.measures} - OVER_HIGHEST
    return " ".join(filter(None, (stands_on(footing(chosen, name)) for name in sorted(asked))))


def _resampled(sample: Sample) -> str:
    """What intervals resample: searchers, and sessions that name none."""
    named = sample.block.searchers[sample.sessions] >= 0
    if named.all():
        return "searchers"
    return "searchers, and of sessions that name none" if named.any() else "sessions"


def _references(definition: Definition) -> list[str]:
    """Keys of the sources of what was chosen, the paper's own first."""
    chosen = [definition.option(name).reference for name in (*CHOICES, "weights", "short_lists")]
    chosen += [FURTHER[name].reference for name in definition.measures]
    return [key for key in dict.fromkeys(["S08", *chosen]) if key]
