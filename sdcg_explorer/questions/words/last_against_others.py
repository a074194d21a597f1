"""Last queries against the others of their sessions, in words."""

from __future__ import annotations

from collections.abc import Sequence

from sdcg_explorer.analysis.statistics.permutation import DRAWS, FEWEST_ARRANGEMENTS
from sdcg_explorer.analysis.systems.last_against_others import (
    MEASURES,
    Difference,
    LastAgainstOthers,
)
from sdcg_explorer.questions.words.wording import (
    between,
    by_t,
    counted,
    enumerated,
    plural,
    short,
    tested,
)

NAMED = 2  # systems that the first line names each
CLEAR = 5  # of more, those that it names as clear on either side
WITHIN = (
    "Within sessions that have both, over the top {} and before the query discount, each {} "
    "counting once, the last query less the mean of the others is"
)
METHOD = (
    "Last queries were compared, system by system, with the mean of the others of their session: "
    "DCG of the top {} before the query discount, searchers as units (a session that names no "
    f"searcher is one), intervals by t. A permutation test (last and others change places within "
    f"units, {DRAWS:,} arrangements at most) leads; t where there are fewer than "
    f"{FEWEST_ARRANGEMENTS}."
)
NONE = "no session has a last query and others on judged topics"
CAVEAT = (
    "A query is the last partly because of what it was worth: a search ends when enough was found, "
    "or is given up."
)


def headline(of: LastAgainstOthers) -> str:
    """The difference in short, without the tests, which take long for thousands of searchers."""
    known = sorted(of.by_system.values(), key=lambda each: -each.difference)
    if not known:
        return f"{NONE.capitalize()}."
    parts = [_many(known)] if len(known) > NAMED else [enumerated([brief(each) for each in known])]
    if others := [name for name in of.systems if name not in of.by_system]:
        which = others[0] if len(others) == 1 else counted(len(others), "system")
        parts.append(f"no session has both with {which}")
    by_searcher = any(each.named for each in known)
    unit = "searcher" if by_searcher else "session"
    return f"{WITHIN.format(of.top, unit)} {'; '.join(parts)}."


def after(of: LastAgainstOthers) -> str:
    """The same after the query discount, where there are any."""
    known = sorted(of.of("sdcg").values(), key=lambda each: -each.difference)
    many = len(known) > NAMED
    return f"After it, that is {_many(known) if many else enumerated([*map(brief, known)])}."


def _many(known: Sequence[Difference]) -> str:
    """Of differences in their order the highest and the lowest, and where one is clear."""
    high, *_, low = known
    more = between([each.system for each in known])
    ends = f"{_gap(high)} with {high.system}, {_gap(low)} with {low.system}, {more}"
    clear = [each for each in known if each.is_clear]
    sides = {
        "above 0": [each.system for each in clear if each.difference > 0],
        "below 0": [each.system for each in reversed(clear) if each.difference < 0],
    }
    said = [f"{side} with {_some(names)}" for side, names in sides.items() if names]
    return f"{ends}; clearly {', '.join(said) or 'above or below 0 with none'}"


def _some(systems: list[str]) -> str:
    """Names of systems; of many the first, and how many more."""
    more = len(systems) - CLEAR
    return enumerated([*systems[:CLEAR], *([f"{more:,} more"] if more > 0 else [])])


def caveat(of: LastAgainstOthers) -> list[str]:
    """What being the last says of a query, where a searcher chose it to be."""
    return [CAVEAT] if of.differences and not of.ends_given else []


def sentences(of: LastAgainstOthers) -> list[str]:
    """What each system's last queries are worth more, or less, and what that can't say."""
    told = [said(each) for each in of.by_system.values()]
    told += [f"{name}: {NONE}." for name in of.systems if name not in of.by_system]
    told = [*told, *caveat(of)] if of.differences else []
    others = f"{counted(of.undefined, 'session')} whose last query, or every other, is on a topic"
    if of.single:
        told.append(f"{counted(of.single, 'session')} with a single query can't be asked.")
    if of.undefined:
        lead, end = ("Nor can ", "") if of.single else ("", " can't be asked")
        told.append(f"{lead}{others} nobody judged{end}.")
    return told


def method(of: LastAgainstOthers) -> str:
    """How last queries were compared, for a methods section; empty where none were."""
    if not of.differences:
        return ""
    return METHOD.format(of.top)


def counts(of: LastAgainstOthers) -> str:
    """Sessions that are compared, system by system."""
    return "; ".join(f"{name}, {_counts(each)}" for name, each in of.by_system.items())


def _counts(of: Difference) -> str:
    """Sessions that are compared, and by whom they are."""
    sessions = counted(int(of.sessions.sum()), "session")
    if not of.named:
        return sessions
    by = f"by {counted(of.named, 'searcher')}"
    if not (unnamed := of.unnamed):
        return f"{sessions} {by}"
    none = plural(unnamed, "names", "name")
    return f"{sessions}, of which {unnamed:,} {none} no searcher, the others {by}"


def _gap(of: Difference) -> str:
    """How much more the last query is worth, below 0 where it is worth less."""
    return f"{short(of.difference)} {MEASURES[of.measure]}"


def said(of: Difference) -> str:
    """The difference in a sentence, with its test and counts."""
    lead = "no clear difference between the last query and"
    if of.is_clear:
        lead = f"the last query is worth {'more' if of.difference > 0 else 'less'} than"
    shown = tested(*of.interval, of.p, t_leads=of.t_leads)
    found = f"last − others = {_gap(of)} ({shown}; {_counts(of)})"
    return f"{of.system}: {lead} the others of its session, {found}."


def brief(of: Difference) -> str:
    """The same among those of other systems, without test and counts."""
    clear = "a" if of.is_clear else "no"
    return f"{_gap(of)} with {of.system} ({clear} clear difference; {by_t(*of.interval)})"
