"""What further measures stand on, in words: highest gain, ERR's rule, paths that see nothing."""

from __future__ import annotations

from collections.abc import Iterable
from math import isnan

from sdcg_explorer.analysis.definition.definition import FURTHER
from sdcg_explorer.analysis.selection.selection import ADDITIVE
from sdcg_explorer.analysis.sessions.family import Footing
from sdcg_explorer.questions.words.wording import enumerated, plain, share

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
