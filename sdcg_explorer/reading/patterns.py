"""Patterns that a reader gives: run by RE2, whose time grows with the text alone, and by the clock.

Python's own engine tries every way to match: a short pattern and one id can keep it busy for good.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from time import monotonic
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from sdcg_explorer.reading.limits import IDS_A_SECOND, LONGEST_PATTERN, MOST_GROUPS
from sdcg_explorer.study import problems, study

# pyright: basic
# pyarrow ships no types.


LONGEST = 200  # characters of an id that a pattern reads
PATIENCE = 3.0  # seconds, and one more for each IDS_A_SECOND
ESCAPED = re.compile(r"\\.", re.DOTALL)
# a class of signs, or a sign that is escaped
CLASS_OR_SIGN = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*|\\.", re.DOTALL)
LETTERS = r"\pL\pN_"


class SlowPatternError(ValueError):
    """A pattern that takes longer than anybody waits."""


def pattern_fault(pattern: str, parts: tuple[str, ...] = ("session", "query")) -> str:
    """Why ids can't be split into parts by a pattern; "" where they can.

    >>> pattern_fault("(?P<session>.+)")
    'the pattern names (?P<session>…) and (?P<query>…)'
    >>> pattern_fault("(?P<session>.)(?P<query>.)(?=x)")
    'invalid perl operator: (?= (patterns are those of RE2)'
    """
    if len(pattern) > LONGEST_PATTERN:
        return f"a pattern has at most {LONGEST_PATTERN:,} characters"
    try:
        groups = re.compile(pattern)
        if not {*parts} <= set(groups.groupindex):
            return f"the pattern names {' and '.join(f'(?P<{part}>…)' for part in parts)}"
        _full_pattern_matches(pa.array([""]), pattern)
    except RecursionError:
        return "its groups are nested too deeply"
    except (re.error, OverflowError) as fault:
        return str(fault)
    except pa.ArrowInvalid as fault:
        said = str(fault).removeprefix("Invalid regular expression: ")
        return f"{said} (patterns are those of RE2)"
    return f"a pattern has at most {MOST_GROUPS} groups" if groups.groups > MOST_GROUPS else ""


def match_groups(texts: Sequence[str], pattern: str) -> list[dict[str, str] | None]:
    """What the named groups of a pattern hold in each text; None where it does not fit the whole.

    Raises
    ------
    SlowPatternError : it takes PATIENCE longer than at IDS_A_SECOND

    >>> match_groups(["s-1", "x"], r"(?P<session>.+)-(?P<query>[0-9]+)")
    [{'session': 's', 'query': '1'}, None]
    """
    groups = re.compile(pattern).groupindex
    found: list[dict[str, str] | None] = []
    for part in _growing_batches(texts):
        cells = pa.array(part, pa.string())
        fits = _full_pattern_matches(cells, pattern).to_pylist()
        held = [_replaced(cells, _whole_text_pattern(pattern), rf"\{at}") for at in groups.values()]
        named = (dict(zip(groups, texts, strict=True)) for texts in zip(*held, strict=True))
        found += [one if fit else None for fit, one in zip(fits, named, strict=True)]
    return found


def match_groups_in_file(
    file: str, texts: Sequence[str], pattern: str, remedy: problems.Remedy
) -> list[dict[str, str] | None]:
    """The same of ids of a file, of which those that are too long don't fit.

    Raises
    ------
    UnusableInputError : a pattern that takes too long
    """
    try:
        return match_groups([t.strip() if len(t) <= LONGEST else "" for t in texts], pattern)
    except SlowPatternError:
        rule = f"a pattern reads {IDS_A_SECOND:,} ids a second"
        raise problems.refusal(file, None, f"a slow pattern, {pattern}", rule, remedy) from None


DOC_GROUP = "(?P<doc>"
BETWEEN = "\0"  # which no text has


def all_docs_in_text(texts: Sequence[str], pattern: str) -> list[list[str]]:
    r"""What the group doc holds each time that a pattern fits within a text.

    Raises
    ------
    SlowPatternError : as in `match_groups`

    >>> all_docs_in_text(["1. id=a 2. id=b", ""], r"id=(?P<doc>\w+)")
    [['a', 'b'], []]
    """
    place = re.compile(pattern).groupindex["doc"]
    every, by = _with_letters_of_all_languages(pattern), rf"{BETWEEN}\{place}{BETWEEN}"
    found: list[list[str]] = []
    for part in _growing_batches(texts):
        marked = _replaced(pa.array(part, pa.string()), every, by)
        found += [[doc for doc in text.split(BETWEEN)[1::2] if doc] for text in marked]
    return found


def _full_pattern_matches(cells: Any, pattern: str) -> Any:
    options = pc.MatchSubstringOptions(_whole_text_pattern(pattern))
    return pc.call_function("match_substring_regex", [cells], options)


def _replaced(cells: Any, pattern: str, by: str) -> list[str]:
    """Texts where what fits is replaced by something with groups in it; "" for one without part."""
    options = pc.ReplaceSubstringOptions(pattern, by)
    return pc.call_function("replace_substring_regex", [cells], options).to_pylist()


def _whole_text_pattern(pattern: str) -> str:
    """A pattern that has to fit from end to end."""
    return rf"\A(?:{_with_letters_of_all_languages(pattern)})\z"


def _with_letters_of_all_languages(pattern: str) -> str:
    r"""A pattern with \w for the letters of all languages."""

    def with_letters(part: re.Match[str]) -> str:
        by = LETTERS if part[0].startswith("[") else f"[{LETTERS}]"
        return ESCAPED.sub(lambda sign: by if sign[0] == r"\w" else sign[0], part[0])

    return CLASS_OR_SIGN.sub(with_letters, pattern)


def _growing_batches(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Parts of texts, each twice as long as the one before, as long as there is time."""
    at, size, latest = 0, 1, monotonic() + PATIENCE + len(texts) / IDS_A_SECOND
    while at < len(texts):
        if monotonic() > latest:
            raise SlowPatternError
        yield texts[at : at + size]
        at, size = at + size, 2 * size


OF_SESSIONS = (*study.OWN_OF_SESSIONS, "topic")
PART = re.compile(r"\{(\w+)\}")


def name_fault(pattern: str) -> str:
    """Why names can't be split by a pattern; "" where they can.

    >>> name_fault("{system}-{topic}"), name_fault("{time}"), name_fault("{system}{topic}")
    ('', 'time is not one thing per file', '{system}{topic} has nothing between two parts')
    """
    parts = groups_named(pattern)
    others = ({*study.OWN_OF_QUERIES} - {*OF_SESSIONS}) & {*parts}
    faults = (
        (len(pattern) > LONGEST_PATTERN, f"a pattern has at most {LONGEST_PATTERN:,} characters"),
        (not parts, "it names parts in braces, as in {system}-{topic}"),
        (len(parts) > MOST_GROUPS, f"a pattern has at most {MOST_GROUPS} parts"),
        (len({*parts}) < len(parts), "it names a part twice"),
        ("}{" in pattern, f"{pattern} has nothing between two parts"),
        (bool(others), f"{min(others, default='')} is not one thing per file"),
    )
    return next((fault for is_wrong, fault in faults if is_wrong), "")


def parse_pairs(said: str) -> list[tuple[str, str]]:
    """Names, and the value of each: grades of files, or values of rows to leave out.

    >>> parse_pairs("gold.txt=2, evidence.txt=1"), parse_pairs("is_test")
    ([('gold.txt', '2'), ('evidence.txt', '1')], [('is_test', '')])
    """
    pairs = (each.partition("=") for each in said.split(",") if each.strip())
    return [(name.strip(), value.strip()) for name, _, value in pairs]


SMALL = re.compile(r"-?[0-9]{1,3}([.][0-9]{1,3})?")


def join_words(words: Sequence[str]) -> str:
    """Words as a recipe has them: with commas between, or with < where words have commas.

    >>> join_words(["N", "R"]), join_words(["no", "yes, a bit"])
    ('N,R', 'no<yes, a bit')
    """
    return ("<" if any("," in word for word in words) else ",").join(words)


def words_of(said: str) -> list[tuple[str, str]]:
    """Words of grades and the number of each, "" where it is unjudged, as a recipe has them.

    >>> words_of("N,SR,VR"), words_of("?=<no<yes=2<VR")
    ([('N', '0'), ('SR', '1'), ('VR', '2')], [('?', ''), ('no', '0'), ('yes', '2'), ('VR', '2')])
    """
    pairs = [word.rpartition("=") for word in said.split("<" if "<" in said else ",") if said]
    judged = [pair for pair in pairs if pair[2].strip() or not pair[1]]  # which alone have places
    return [
        (word.strip() or number.strip(), number.strip() if sign else str(judged.index(pair)))
        for pair in pairs
        for word, sign, number in [pair]
    ]


def words_fault(said: str) -> str:
    """What is wrong with words of grades; "" where nothing is."""
    words = words_of(said)
    if all(word and (not number or SMALL.fullmatch(number)) for word, number in words):
        names = [word.casefold() for word, _ in words]
        return "" if len({*names}) == len(names) else "each word may appear only once"
    return "it reads WORST,…,BEST, and WORD=NUMBER where a word has a number of its own"


def grade_fault(said: str) -> str:
    """Why files can't be graded so; "" where they can.

    >>> grade_fault("gold.txt"), grade_fault("gold.txt=2")
    ("'gold.txt' is not FILE=GRADE", '')
    """
    for file, grade in parse_pairs(said):
        if not file or not grade.removeprefix("-").replace(".", "", 1).isdecimal():
            return f"{f'{file}={grade}'.strip('=')!r} is not FILE=GRADE"
    return ""


def groups_named(pattern: str) -> list[str]:
    """The parts that a pattern names."""
    return PART.findall(pattern)


def split_name(name: str, pattern: str) -> dict[str, str] | None:
    """The parts of a file's name, without its folder and ending; None where it does not fit.

    >>> split_name("wapo-bm25-321", "wapo-{system}-{topic}")
    {'system': 'bm25', 'topic': '321'}
    """
    pieces = PART.split(pattern)  # every second one is a part
    pieces[::2] = [re.escape(piece) for piece in pieces[::2]]
    pieces[1::2] = [f"(?P<{part}>.+?)" for part in pieces[1::2]]
    return match_groups([name], "".join(pieces))[0]


def proposed_pattern(names: Sequence[str], topics: Collection[str] = ()) -> str:
    """A pattern for names that differ in a few parts, or name a topic; "" where there is none.

    topics : that are judged; the part whose texts are all among them is the topic. Of the others
    the one with the fewest texts is the system.

    >>> proposed_pattern(["w-bm25-1-x", "w-bm25-2-x", "w-T5-1-x"], {"1", "2"})
    'w-{system}-{topic}-x'
    >>> proposed_pattern(["bm25-7"], {"7"})
    'bm25-{topic}'
    """
    for mark in "-_.":
        split = [each.split(mark) for each in names]
        if len({len(each) for each in split}) > 1 or len(split[0]) < 2:
            continue
        columns = [*zip(*split, strict=True)]
        named = [i for i, texts in enumerate(columns) if {*texts} <= {*topics}]
        named = sorted(named, key=lambda i: len({*columns[i]}) == 1)[:1]
        varying = [i for i, texts in enumerate(columns) if len({*texts}) > 1 or i in named]
        roles = dict.fromkeys(named, "topic")
        others = sorted((i for i in varying if i not in roles), key=lambda i: len({*columns[i]}))
        roles |= {i: "system" if k == 0 else f"part_{i + 1}" for k, i in enumerate(others)}
        pieces = [f"{{{roles[i]}}}" if i in roles else texts[0] for i, texts in enumerate(columns)]
        return mark.join(pieces) if varying else ""
    return ""


COLUMN = "event"  # as a recipe names the column
MEANINGS = ("query", "result", "click", "bookmark")
NOT_USED = "none"
GAP = re.compile(r"([0-9]{1,9}(?:[.][0-9]{1,9})?) ?([smh])")
SECONDS = {"s": 1.0, "m": 60.0, "h": 3600.0}


def events_fault(said: str) -> str:
    """Why what was said of events can't be used; "" where it can.

    >>> events_fault("event=action,query=search"), events_fault("search")
    ('', "'search' is not NAME=VALUE")
    """
    for each in said.split(","):
        name, sign, value = each.partition("=")
        if not sign or not value.strip():
            return f"{each!r} is not NAME=VALUE"
        if name.strip() not in (COLUMN, *MEANINGS, NOT_USED):
            return f"{name.strip()!r} is none of {', '.join((COLUMN, *MEANINGS, NOT_USED))}"
    return ""


def seconds_of_gap(gap: str) -> float:
    """Seconds of a pause; 0 where it is none.

    >>> seconds_of_gap("30m"), seconds_of_gap("1.5h"), seconds_of_gap("odd")
    (1800.0, 5400.0, 0.0)
    """
    fit = GAP.fullmatch(gap.strip())
    return float(fit[1]) * SECONDS[fit[2]] if fit else 0.0


def left_out_rows_fault(said: str) -> str:
    """Why rows can't be left out by a text; "" where they can."""
    wrong = [each for each in said.split(",") if "=" not in each]
    return f"{wrong[0]!r} is not COLUMN=VALUE" if wrong else ""


WAYS_APART = ("one", "blank")  # a cell is one document; several with blanks between


def cells_fault(how: Any) -> str:
    """Why cells can't be taken apart so; "" where they can.

    >>> cells_fault(","), cells_fault("one"), cells_fault("x")
    ('', '', "'x' is no separator, one, blank, or a pattern with (?P<doc>…)")
    """
    if not isinstance(how, str):
        return "it is a text"
    if DOC_GROUP in how:
        return pattern_fault(how, ("doc",))
    signs = 0 < len(how) <= 5 and not any(sign.isalnum() for sign in how) and how.strip()
    rule = f"is no separator, {', '.join(WAYS_APART)}, or a pattern with (?P<doc>…)"
    return "" if signs or how in WAYS_APART else f"{how!r} {rule}"


def columns_fault(said: str) -> str:
    """Why columns can't be what tells sessions apart; "" where they can."""
    return "" if all(map(str.strip, said.split(","))) else "it names columns, separated by commas"


def gap_fault(said: str) -> str:
    """Why a text is no pause; "" where it is one."""
    how = "a pause is a number of seconds, minutes or hours, such as 90s, 30m or 1h"
    return "" if seconds_of_gap(said) else how
