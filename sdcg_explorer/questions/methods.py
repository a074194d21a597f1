"""The definition and the filters in sentences, and the paragraph on methods."""

from collections.abc import Iterable
from math import isinf, isnan

from sdcg_explorer.metrics import FORMS
from sdcg_explorer.metrics.interval import FEWEST_CLUSTERS, FEWEST_RESAMPLED
from sdcg_explorer.questions.bibliography import OF_REFERENCES
from sdcg_explorer.questions.wording import counted, enumerated, plain, plural, share, withheld_note
from sdcg_explorer.scoring import definition as defined
from sdcg_explorer.scoring.definition import CHOICES, FURTHER, OF_BEHAVIOUR, Definition, Filters
from sdcg_explorer.scoring.measures import Footing, footing
from sdcg_explorer.scoring.selection import Sample, select
from sdcg_explorer.study.annotations import Layer, layer_name
from sdcg_explorer.study.grades import short_label
from sdcg_explorer.study.study import Study


def say_definition(definition: Definition, labels: tuple[float, ...]) -> str:
    """Say a definition in one sentence; `labels` are the study's grades.

    >>> from sdcg_explorer.scoring.definition import PRESETS
    >>> said = say_definition(PRESETS["behaviour"], (0.0, 1.0))
    >>> "the session's own best list; an unseen result gains 0; " in said
    True
    """
    gains = definition.gains(labels)
    worth = ", ".join(
        f"{short_label(g)} → {plain(gain)}" for g, gain in zip(labels, gains, strict=True)
    )
    d = definition
    scheme = d.weights if isinstance(d.weights, str) else "own"
    said = {name: d.clause(name) for name in (*CHOICES, *defined.NUMBERS)}
    if d.behaviour:
        said["unjudged"] = said["unjudged"].replace("unjudged", "unseen")
        said["ideal"] = said["ideal"].replace(*defined.BY_SESSION)
    else:
        said["last_click"] = ""
    by_rank = f"discount by rank {FORMS[d.discount].rank.formula('r', d.b)}"
    by_query = f"by query {FORMS[d.discount].query.formula('q', d.bq)}"
    clauses = [*said.values(), *further_text(d, float(gains.max(initial=0.0))), *fit_notes(d)]
    return (
        f"{d.preset_text}. Gain by grade ({scheme}): {worth or 'no grades'}; "
        f"{'no discount by rank' if isinf(d.b) else by_rank}, "
        f"{'none by query' if isinf(d.bq) else by_query}; "
        f"top {counted(d.top, 'result')} per query, {d.clause('short_lists')}; "
        f"{'; '.join(clause for clause in clauses if clause)}."
    )


def further_text(d: Definition, highest: float) -> list[str]:
    """Further measures that are asked for, with their parameters, and parameters that are moved.

    >>> further_text(Definition(measures=("rbp",)), 100), further_text(Definition(p=0.8), 100)
    (['also RBP (p = 0.9)', 'gains of RBP divided by the highest (100)'], ['p = 0.8'])
    """
    asked = [defined.with_parameters(name, d) for name in d.measures]
    over = [FURTHER[name].words for name in d.measures if name in defined.OVER_HIGHEST]
    shares = [f"gains of {enumerated(over or [''])} divided by the highest ({plain(highest)})"]
    named = {each for name in d.measures for each in FURTHER[name].parameters}
    moved = [name for name in defined.NAMES if getattr(d, name) != getattr(defined.DEFAULT, name)]
    left = [f"{name} = {defined.written(d, name)}" for name in moved if name not in named]
    return [*([f"also {enumerated(asked)}"] if asked else []), *(shares if over else []), *left]


def fit_notes(d: Definition) -> list[str]:
    """From which study parameters come, as long as none of them was moved.

    >>> note = "b=3 bq=4; S (9 sessions)"
    >>> fit_notes(Definition(b=3.0, fitted_to=note)), fit_notes(Definition(b=5.0, fitted_to=note))
    (['b = 3 and bq = 4 fitted to S (9 sessions)'], [])
    """
    found = defined.fit_in_force(d)
    return [f"{enumerated(found[0])} fitted to {found[1]}"] if found else []


def definition_text(definition: Definition, study: Study) -> str:
    """The definition on a study in a sentence, and one that names judgments of one's own."""
    return f"{say_definition(definition, study.labels)}{own_judgments(study.layer)}"


def own_judgments(layer: Layer) -> str:
    """What is said of the reader's judgments, with the name of their layer; "" of none.

    >>> own_judgments({("t", "d"): 1.0})
    ' Includes 1 judgment of your own (layer 0fc8242f).'
    """
    if not layer:
        return ""
    return f" Includes {counted(len(layer), 'judgment')} of your own (layer {layer_name(layer)})."


def filters_sentence(filters: Filters) -> str:
    """Say which sessions are looked at; "" for all.

    >>> filters_sentence(Filters(systems=("A",), topics=("1", "2"), min_queries=2))
    'Only sessions with system A, on topics 1 and 2, with 2 or more queries.'
    """
    clauses = [
        f"{plural(len(names), each.clause)} {enumerated(names)}"
        for name, each in defined.declared(filters).items()
        if each.clause and (names := getattr(filters, name))
    ]
    least, most = filters.min_queries, filters.max_queries
    if most is not None:
        several = f"{least} to " if least != most else ""
        clauses.append(f"with {several}{counted(most, 'query')}")
    elif least > 1:
        clauses.append(f"with {least} or more queries")
    return f"Only sessions {', '.join(clauses)}." if clauses else ""


RULES = {
    "gdeval": "(2^g − 1)/2⁴, whatever the highest grade is",
    "rmax": "(2^g − 1)/2^g_max, g_max the highest grade in the study",
    "ntcir": "g/(g_max + 1), g_max the highest grade in the study",
}


def not_drawn(asked: Iterable[str], drawn: Iterable[str]) -> list[str]:
    """Which further measures that are asked for a page's curves are not of.

    >>> not_drawn(("rbp", "err"), ("sdcg", "rbp", "srbp"))
    ['Not drawn here: ERR. See Compare systems.']
    >>> not_drawn(("rbp",), ("rbp",))
    []
    """
    left = [FURTHER[name].words for name in asked if name not in {*drawn}]
    return [f"Not drawn here: {enumerated(left)}. See Compare systems."] if left else []


def footing_note(of: Footing | None) -> str:
    """What must be known of a further measure's number; "" where nothing is beside its parameters.

    >>> footing_note(Footing("rbp", highest=100.0))
    "RBP's gains are divided by the highest gain (100)."
    >>> footing_note(Footing("esndcg", unseen=0.02, most_unseen=0.125))
    'Paths that see no document are left out of esNDCG: .02 of them on average, .12 at most.'
    >>> footing_note(Footing("esndcg", unseen=0.0, most_unseen=0.0)), footing_note(None)
    ('', '')
    >>> footing_note(Footing("err", rule="rmax", repeats=True))[-19:]
    'ERR counts repeats.'
    """
    if of is None:
        return ""
    name = FURTHER[of.measure].words
    repeats = f" {name} counts repeats." if of.repeats else ""
    if of.rule:
        rule = f"{name} (rule {of.rule}): a result of grade g satisfies with probability"
        return f"{rule} {RULES[of.rule]}.{repeats}"
    if not isnan(of.highest):
        return f"{name}'s gains are divided by the highest gain ({plain(of.highest)})."
    if isnan(of.unseen) or not of.most_unseen:
        return repeats.strip()
    unseen = f"{share(of.unseen)} of them on average, {share(of.most_unseen)} at most"
    return f"Paths that see no document are left out of {name}: {unseen}.{repeats}"


def methods_text(study: Study, definition: Definition, filters: Filters, *more: str) -> str:
    """Paragraph and references, numbers of sessions, queries and exclusions filled in.

    `more` paragraphs say what else was done.
    """
    sample = select(study, definition, filters).sample
    total, sessions = len(study.sessions), int(sample.judged.sum())
    queries = int(sample.queries[sample.judged].sum())
    filtered = total - sample.sessions.size
    unjudged = sample.sessions.size - sessions
    shown = filters_sentence(filters)
    named = definition.named(study.labels)
    average = (
        "Raw gain stays level after a session's last query. Intervals are pointwise 95% "
        f"bootstrap-t intervals (1,000 resamples of {_units_text(sample)}, fixed seed); with fewer "
        f"than {FEWEST_RESAMPLED} to resample, systems' means have t intervals, and with fewer "
        f"than {FEWEST_CLUSTERS}, curves have none."
    )
    average = f"{average} {withheld_note(study.report.withheld)}".strip()
    own, further = select(study, named, filters), sorted({*named.measures} - defined.OVER_HIGHEST)
    basis = [footing_note(footing(own, name)) for name in further]
    parts = [
        f"Study: {study.name}, digest {study.digest[:12]}. {study.note}{' ' if study.note else ''}"
        f"Scored: {sessions:,} of {counted(total, 'session')}, with {counted(queries, 'query')}; "
        f"excluded: {filtered:,}; without a judged topic: {unjudged:,}."
        f"{' ' * bool(shown)}{shown}",
        *([" ".join(study.report.methods)] if study.report.methods else []),
        "Sessions were scored by session-based discounted cumulated gain (sDCG). "
        f"Definition: {definition_text(named, study)}"
        f"{' LDCG and LNDCG count repeats.' if named.repeats == 'first' else ''}",
        average,
        *filter(None, [" ".join(filter(None, basis)), *more]),
        "References: " + " ".join(OF_REFERENCES[key].reference for key in _reference_keys(named)),
    ]
    return "\n\n".join(parts) + "\n"


def _units_text(sample: Sample) -> str:
    """What intervals resample: searchers, and sessions that name none."""
    named = sample.block.searchers[sample.sessions] >= 0
    if named.all():
        return "searchers"
    return "searchers, and of sessions that name none" if named.any() else "sessions"


def _reference_keys(definition: Definition) -> list[str]:
    """Keys of the sources of what was chosen, the paper's own first."""
    asked = [name for name in (*CHOICES, "weights", "short_lists") if name not in OF_BEHAVIOUR]
    chosen = [definition.option(name).reference for name in asked]
    chosen += [FURTHER[name].reference for name in definition.measures]
    return [key for key in dict.fromkeys(["S08", *chosen]) if key]
