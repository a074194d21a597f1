"""The definition in one sentence, as it stands beneath every figure."""

from __future__ import annotations

import math

from sdcg_explorer.analysis.definition.definition import (
    CHOICES,
    DEFAULT,
    FURTHER,
    NAMES,
    OVER_HIGHEST,
    Definition,
    Filters,
    declared,
    fit_in_force,
    with_parameters,
    written,
)
from sdcg_explorer.metrics import FORMS
from sdcg_explorer.questions.words.wording import counted, enumerated, plain, plural
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
