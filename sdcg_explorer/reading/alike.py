"""Ids that log and judgments write otherwise: what they differ by, and how they are read alike."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from shlex import quote

import pandas as pd

from sdcg_explorer.reading import patterns, table_kinds
from sdcg_explorer.reading.cells import Findings
from sdcg_explorer.reading.mapped_table import Mapped
from sdcg_explorer.reading.raw_table import texts_of, with_texts
from sdcg_explorer.reading.recipe import by_fix, by_rule
from sdcg_explorer.study import columns, wording
from sdcg_explorer.study.problems import Problem, Remedy, cut, warning

FIX, NAMES = "alike-ids", "alike-names"
NAMED = "session", "searcher", "system"


def fold(texts: Iterable[str]) -> list[str]:
    """Texts without their case, each run of blanks as one.

    >>> fold(["  Tea  Pots "])
    ['tea pots']
    """
    return [" ".join(text.casefold().split()) for text in texts]


# of roles: the name, the repair, what is left of texts by it, and of one that is compared
ALIKE = {
    "topic": ("topic", FIX, columns.plain_ids, str),
    "doc": ("document id", FIX, columns.plain_ids, str),
    "text": ("query text", "text-case", fold, str.strip),
}
MOST = 2_000  # ids that are compared with all others
LEAST = 0.1  # of the fewer ids, which one difference explains; and two of these, if there are
SHORTEST = 4  # characters of ids that may have been cut
SHORT = 60  # characters of an id in a message
FOLDER = "…/"
ZEROS = "0*"
DIGITS = re.compile(r"[0-9]+")
NUMBERED = re.compile(r"[^\W\d]+[ _-]?0*([0-9]+)")  # T1, task 01
WORDS = re.compile(r"[^\W\d_]{2}|\d{2}")  # letters, or digits, that no affix parts


@dataclass(frozen=True)
class Difference:
    """What ids of log and judgments differ by: a pair, in words, and how they are read alike."""

    pair: tuple[str, str]
    words: str
    remedy: Remedy
    fix: str = ""  # the repair, where it is one

    @property
    def said(self) -> str:
        """That the ids almost match, by the pair."""
        one, other = (repr(cut(text, SHORT)) for text in self.pair)
        return f"the ids almost match ({one} and {other})"


@dataclass(frozen=True)
class _Affix:
    """What stands before or behind ids of one side, each run of digits as 0; ZEROS: and zeros."""

    before: bool
    shape: str

    def pattern(self, role: str) -> str:
        """A pattern by which it is taken off."""
        plain = self.shape.removesuffix(ZEROS)
        own = ".*/" if plain == FOLDER else DIGITS.sub("[0-9]+", re.escape(plain))
        own += ZEROS * (plain != self.shape)
        return f"(?:{own})?(?P<{role}>.+)" if self.before else f"(?P<{role}>.+?)(?:{own})?"


def id_difference(shown: Collection[str], judged: Collection[str], role: str) -> Difference | None:
    """The one thing that ids of a log and its judgments, of which none are alike, differ by.

    role : doc or topic, whose pattern reads them alike
    """
    shown, judged = {*shown} - {""}, {*judged} - {""}
    both = shown, judged
    if not all(both):
        return None
    logged, graded = sorted(shown, reverse=True), sorted(judged)
    plain = dict(zip(columns.plain_ids(logged), logged, strict=True))
    pairs = zip(graded, columns.plain_ids(graded), strict=True)
    near = [(plain[own], text) for text, own in pairs if own in plain]
    if len(near) >= _fewest_ids_to_explain(shown, judged):
        words = "they differ in case, spaces, leading zeros, http or www, or a final “.0” or “/”"
        return Difference(near[0], words, by_fix(FIX), FIX)
    for of_log, longer, shorter in ((True, shown, judged), (False, judged, shown)):
        side, other = ("log", "judgments") if of_log else ("judgments", "log")
        some = sorted(longer)[:: len(longer) // MOST + 1]
        compared = [text for text in some if len(text) <= patterns.LONGEST]
        pairs = [pair for text in compared for pair in _id_affixes(text, shorter)]
        least = _fewest_ids_to_explain(compared, shorter)
        times = Counter(affix for affix, _ in pairs if affix.shape != "0")  # which counts them
        size, *others = {len(text) for text in shorter}  # which were cut off, if all have one
        ends = [text for text in compared if not others and text[:size] in shorter]
        for affix, count in times.most_common(1):
            if count < least or len(ends) > count:
                break
            text, rest = next(pair for own, pair in pairs if own == affix)
            own = text.removesuffix(rest) if affix.before else text.removeprefix(rest)
            where = "start" if affix.before else "end"
            words = f"ids in the {side} {where} with {cut(own, SHORT)!r} or the like"
            remedy = by_rule(f"{role}_id", quote(affix.pattern(role)), "Remove it:")
            return Difference((text, rest) if of_log else (rest, text), words, remedy)
        if len(ends) >= least and size >= SHORTEST:
            words = f"ids in the {other} are cut off after {size} characters"
            pattern = quote(f"(?P<{role}>.{{{size}}}).*")
            text, rest = ends[0], ends[0][:size]
            pair = (text, rest) if of_log else (rest, text)
            return Difference(pair, words, by_rule(f"{role}_id", pattern, "Shorten the others:"))
    numbers = [{fit[1]: text for text in own if (fit := NUMBERED.fullmatch(text))} for own in both]
    met = sorted(numbers[0].keys() & numbers[1].keys())
    told = role == "topic" and len(met) >= _fewest_ids_to_explain(*both)
    if told and [*map(len, numbers)] == [*map(len, both)]:
        words = "each side has a word of its own before the same numbers"
        pattern = quote(f"[^0-9]+0*(?P<{role}>[0-9]+)")
        remedy = by_rule(f"{role}_id", pattern, "Leave the words out:")
        return Difference((numbers[0][met[0]], numbers[1][met[0]]), words, remedy)
    return None


def _fewest_ids_to_explain(some: Collection[str], others: Collection[str]) -> float:
    """How many ids a difference explains at least."""
    fewer = min(len(some), len(others))
    return max(min(2, fewer), LEAST * fewer, 1)


def _id_affixes(text: str, others: Collection[str]) -> Iterator[tuple[_Affix, tuple[str, str]]]:
    """What a text has before, and behind, the longest of others that it ends in, or begins with."""
    places = [i for i in range(1, len(text)) if not WORDS.match(text, i - 1)]
    if end := next((text[i:] for i in places if text[i:] in others), ""):
        own = text.removesuffix(end)
        shape = FOLDER if own.endswith("/") else DIGITS.sub("0", own)
        yield _Affix(True, shape), (text, end)
    if at := next((i for i in places if text[i].isdigit() and text[i:].lstrip("0") in others), 0):
        shape = DIGITS.sub("0", text[:at]) + ZEROS
        yield _Affix(True, shape), (text, text[at:].lstrip("0"))
    if start := next((text[:i] for i in reversed(places) if text[:i] in others), ""):
        yield _Affix(False, DIGITS.sub("0", text.removeprefix(start))), (text, start)


def nearest_ids_text(shown: Collection[str], judged: Collection[str]) -> str:
    """The most alike of some ids of a log and of judgments, in words; "" where none are."""
    others = sorted(judged)[:MOST]
    for text in sorted(shown)[:3]:
        if close := get_close_matches(text, others, 1, 0.8):
            return f"{cut(text, SHORT)!r} is most like {cut(close[0], SHORT)!r}"
    return ""


def with_id_parts(
    table: Mapped, role: str, pattern: str, found: Findings, is_one: Callable[[str], bool] = bool
) -> Mapped:
    """A table whose ids of a role are what a pattern's group holds of each, where that is one."""
    if not pattern or role not in table.cells:
        return table
    texts = texts_of(table.cells[role])
    remedy = by_rule(f"{role}_id", "PATTERN", "Correct the pattern:")
    parts = patterns.match_groups_in_file(table.raw.file, texts, pattern, remedy)
    fits = [part[role] if part else "" for part in parts]
    new = [b if is_one(b) else a for a, b in zip(texts, fits, strict=True)]
    changed = [(a, b) for a, b in zip(texts, new, strict=True) if a != b]
    if not changed:
        return table
    what = f"{wording.counted(len(changed), f'id of {role}', f'ids of {role}')} read by '{pattern}'"
    found.note(table.raw.file, what, f"{changed[0][0]!r} becomes {changed[0][1]!r}")
    return replace(table, cells=table.cells.assign(**{role: with_texts(table.cells[role], new)}))


def with_alike_texts(
    log: Mapped, graded: Mapped, roles: Iterable[str], found: Findings
) -> tuple[Mapped, Mapped]:
    """Log and judgments whose texts of some roles are as the log writes them first, if asked.

    Else a warning counts those of the judgments that the log writes otherwise, somewhere or
    throughout; ids of which none is in the log are refused by themselves.
    """
    for role in (role for role in ALIKE if role in {*roles} & {*log.cells} & {*graded.cells}):
        name, fix, plain_of, same = ALIKE[role]
        logged, judged = texts_of(log.cells[role]), texts_of(graded.cells[role])
        known, named = {*map(same, logged)}, {*map(same, judged)}
        every = known | named
        if known == named or len({*plain_of(every)}) == len(every):
            continue
        plain = plain_of(logged)
        first = dict(zip(reversed(plain), reversed(logged), strict=True))
        alone = {p: t for p, t in zip(plain, logged, strict=True) if same(t) not in named}
        apart = {
            text: others[own]
            for text, own in zip(judged, plain_of(judged), strict=True)
            if own in (others := alone if same(text) in known else first)
        }
        if apart and fix in found.fixes:
            every = [*logged, *judged]
            as_first = zip(every, plain_of(every), strict=True)
            apart = {text: first[own] for text, own in as_first if own in first}
            log = _with_replaced_ids(log, role, apart, found)
            graded = _with_replaced_ids(graded, role, apart, found)
        elif apart and (known & named or role == "text"):
            some = sorted(f"{b!r} and {a!r}" for a, b in apart.items())[:3]
            what = f"{wording.counted(len(apart), name)} written differently in the log"
            what, rule = f"{what} ({'; '.join(some)})", "texts are compared letter by letter"
            said = warning(graded.raw.file, what, rule, by_fix(fix))
            found.problems.append(replace(said, fix=fix))
    return log, graded


def with_alike_names(parts: Sequence[table_kinds.Part], found: Findings) -> list[table_kinds.Part]:
    """Tables whose sessions, searchers and systems are written as most rows write them, if asked.

    Of those that differ only in case or spaces.
    """
    made = [*parts]
    for role in NAMED if NAMES in found.fixes else ():
        having = {i: part.columns[role] for i, part in enumerate(made) if role in part.columns}
        texts = (str(text) for i, name in having.items() for text in made[i].raw.rows[name])
        names = [name for name, _ in Counter(texts).most_common()]
        usual, times = dict[str, str](), Counter(fold(names))
        for name, plain in zip(names, fold(names), strict=True):
            usual.setdefault(plain, " ".join(name.split()) if times[plain] > 1 else name)
        new = {name: usual[plain] for name, plain in zip(names, fold(names), strict=True)}
        for i, name in having.items():
            raw = made[i].raw
            texts = [new.get(text, text) for text in texts_of(raw.rows[name])]
            column = found.rewrite(raw, NAMES, raw.rows[name], texts, name)
            made[i] = made[i].with_rows(raw.rows.assign(**{name: column}))
    return made


def alike_names_warnings(file: str, sessions: pd.DataFrame) -> list[Problem]:
    """Sessions, searchers and systems of a study whose names differ only in case or spaces."""
    warned: list[Problem] = []
    for role in NAMED:
        names = [str(name) for name in sessions[role].dropna().unique()]
        times = Counter(fold(names))
        twice = [name for name, plain in zip(names, fold(names), strict=True) if times[plain] > 1]
        if twice:
            some = ", ".join(map(repr, twice[:3]))
            what = f"{len(twice)} {role}s whose names differ only in case or spaces ({some})"
            rule = "names are compared letter by letter"
            warned.append(replace(warning(file, what, rule, by_fix(NAMES), *twice), fix=NAMES))
    return warned


def _with_replaced_ids(table: Mapped, role: str, new: Mapping[str, str], found: Findings) -> Mapped:
    """A table with other texts of a role, and a note of the rows that change."""
    name, fix, *_ = ALIKE[role]
    texts = [new.get(text, text) for text in texts_of(table.cells[role])]
    column = found.rewrite(table.raw, fix, table.cells[role], texts, name)
    return replace(table, cells=table.cells.assign(**{role: column}))
