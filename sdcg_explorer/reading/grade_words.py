"""Grades in words: which number each stands for, and which end of a scale is the best."""

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from shlex import quote

import numpy as np
import pandas as pd

from sdcg_explorer.reading import cells, patterns, shapes, table_kinds
from sdcg_explorer.reading.mapped_table import NO_WORDS, YES_WORDS, Mapped
from sdcg_explorer.reading.raw_table import RawTable, texts_of, with_texts
from sdcg_explorer.reading.recipe import Recipe, by_rule, option
from sdcg_explorer.study import arrays, columns
from sdcg_explorer.study.grades import label
from sdcg_explorer.study.problems import Problem, Remedy, cut, error

RULE = "grades in words are read as numbers"
MOST_WORDS = 30

# "3 - very relevant", "(2) relevant", "very relevant (3)"
NUMBERED = re.compile(
    r"[(\[]?([+-]?[0-9]{1,3})[)\]]?\s*[-–—=:.)\]]+\s*([^0-9\s].*)|"
    r"([^0-9\s].{0,99}?)\s{0,9}[-–—=:(\[]{1,3}\s{0,9}([+-]?[0-9]{1,3})[)\]]?"
)
NUMBERED_LEVEL = re.compile("(l|level|grade|rel) ?([0-9]{1,2})")  # as NTCIR's L0, L1, …
STARS = re.compile("[★☆]+")
IN_NAME = re.compile(r"([0-9])\s*[=:]\s*([^0-9,;…()]*[^0-9,;…()\s])")  # Grade (1 = high, 4 = low)
NO_GRADE = {  # what stands for one among words, too: "none" may be the worst of them
    *("ignore", "ignored", "skip", "skipped", "unjudged", "not judged", "unrated"),
    *("na", "n/a", "#n/a", "<na>", "nan", "null"),
}
YES = {*YES_WORDS, "yes", "y", "true", "t", "accept", "accepted", "1", "1.0"} - {"x"}
NO = {*NO_WORDS, "no", "n", "false", "f", "reject", "rejected", "0", "0.0"} - {"-", "–"}
MARKS = {"schulnote", "schulnoten", "note", "noten"}  # in German 1 is the best, in French 20
NEGATED = re.compile(r"(?:not|non|nicht|não|nao|no|pas|in|ir|un)[\s_-]*(.+)")


def _letters(text: str) -> str:
    """Letters and digits of a text, without case, accents, and what stands between.

    >>> _letters("Très pertinent"), _letters("highly-relevant")
    ('trespertinent', 'highlyrelevant')
    """
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKD", text.casefold()))


# words that scales of relevance know, from worst to best, without "relevant" after them; words of
# one row never stand together
LEVELS = (
    "n i nr nonrelevant irrelevant irrelevante not nicht garnicht überhauptnicht notatall pas "
    "pasdutout bad poor useless off offtopic none no non nada spam junk norelevante unrelated "
    "schlecht nutzlos inutile inútil horssujet não irrilevante nie niet",
    "l c low mr complement marginal marginally hardly barely kaum peu poco gering marginalmente "
    "pouco basso baixo",
    "sr pr s p m substitute medium somewhat slightly partial partially partly related fair fairly "
    "moderately teilweise teil wenig etwas eher mittel partiellement assez plutôt algo bastante "
    "parcialmente parzialmente abbastanza medio mediamente częściowo gedeeltelijk deels",
    "r rel relevant good useful yes pertinent pertinente relevante rilevante gut nützlich utile "
    "útil istotny istotne",
    "h high hr vr full complete highly very sehr hoch excellent fully très muy sehrgut verygood "
    "molto altamente muito alto bardzo zeer",
    "e perfect perfectly vital key essential exact ideal nav navigational",
)
LEVEL_OF = {_letters(word): level for level, words in enumerate(LEVELS) for word in words.split()}


def with_grades(part: table_kinds.Part, recipe: Recipe, found: cells.Findings) -> table_kinds.Part:
    """A log or judgments whose grades are numbers, whatever words they are written in.

    Words whose order is a matter of opinion are an error until it is said. Grades in lists, beside
    documents in lists, stay as they are.
    """
    name = part.columns.get("grade", "")
    if part.kind not in ("log", "judgments") or not name or part.raw.exact:
        return part
    if part.kind == "log" and "doc" in part.columns and shapes.is_in_lists(part.raw, part.columns):
        return part
    column = part.raw.rows[name]
    texts = [text.strip() for text in texts_of(column)]
    docs = part.raw.rows[part.columns["doc"]] if "doc" in part.columns else column
    numbers = {f"{number} = {word}": number for number, word in IN_NAME.findall(name)}
    what, changed, own = f"column {cut(repr(name))}", list[str](), dict[str, str]()
    said = {_folded(word): number for word, number in patterns.words_of(recipe.grade_words)}
    are_words = len(texts) <= MOST_WORDS and not all(cells.NUMBER.fullmatch(t) for t in texts if t)
    if are_words and texts_of(docs) != texts_of(column):  # which is refused by itself
        own = {text: said[_folded(text)] for text in texts if _folded(text) in said}
        own |= numbers_of_words([text for text in texts if text and text not in own])
        changed = [text for text in texts if own.get(text, text) != text]
        if not (changed or said):
            found.problems += _grade_order_errors(part.raw, column, texts)
    if changed:
        found.repair(part.raw, RULE, np.flatnonzero(np.isin(texts, changed)[cells.coded(column)]))
        meant = cut(", ".join(f"{text!r} is {own[text] or 'unjudged'}" for text in changed))
        if not said:
            plain = {_folded(text): f"{text}={number}" for text, number in own.items()}
            order = quote(patterns.join_words([*plain.values()]))
            remedy = by_rule("grade_words", order, "If this isn't right, change it:")
            what = f"grades in words ({meant})"
            found.note(part.raw.file, what, RULE, remedy)
        if _count_down(own):
            numbers, what = own, f"the lowest number stands for the best grade ({meant})"
        graded = with_texts(column, [own.get(text, text) for text in texts])
        part = replace(part, raw=replace(part.raw, rows=part.raw.rows.assign(**{name: graded})))
    marks = [text for text in texts if text] if columns.plain_name(name) in MARKS else []
    are_marks = len(marks) > 1 and all(cells.NUMBER.fullmatch(t) and float(t) >= 1 for t in marks)
    numbers = {text: text for text in marks} if are_marks else numbers
    if not recipe.grade_scale and (are_marks or _count_down(numbers)):
        given = [float(number) for number in numbers.values() if number]
        rule = "numbers are expected to rise with relevance"
        found.problems.append(_ask_best_end(part.raw.file, what, rule, min(given), max(given)))
    return part


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def are_levels(texts: Collection[str]) -> bool:
    """Whether most of some texts are made of words that scales of relevance know.

    >>> are_levels(["not relevant", "Muy relevante", "relevnat"]), are_levels(["blog", "news"])
    (True, False)
    """
    levels = {*LEVEL_OF, "relevant"}
    known = [bool(STARS.fullmatch(t)) or {*_folded(t).split()} <= levels for t in texts]
    return 2 * sum(known) > len(known)


def numbers_of_words(texts: Sequence[str]) -> dict[str, str]:
    """Number of each text, where these tell it with certainty; nothing where they don't.

    They are yes and no, a word and its opposite, levels, or numbers with what they mean.

    >>> numbers_of_words(["yes", "No"]), numbers_of_words(["relevant", "not relevant"])
    ({'yes': '1', 'No': '0'}, {'relevant': '1', 'not relevant': '0'})
    >>> numbers_of_words(["L2", "l0"]), numbers_of_words(["T2", "T1"])
    ({'L2': '2', 'l0': '0'}, {})
    >>> numbers_of_words(["★★☆", "☆☆☆"])
    {'★★☆': '2', '☆☆☆': '0'}
    >>> numbers_of_words(["3 - very relevant", "0: none", "skip"]), numbers_of_words(["R", "VR"])
    ({'3 - very relevant': '3', '0: none': '0', 'skip': ''}, {})
    >>> numbers_of_words(["3", "3 - very relevant"]), numbers_of_words(["1 - good", "1 - bad"])
    ({'3': '3', '3 - very relevant': '3'}, {})
    """
    none = {text: "" for text in texts if _folded(text) in cells.MISSING_WORDS | NO_GRADE}
    words = [text for text in texts if text and text not in none]
    numbers: dict[str, str] = {}
    for text in words:
        fit = NUMBERED.fullmatch(text)
        number = (fit[1] or fit[4]) if fit else text if cells.NUMBER.fullmatch(text) else ""
        numbers |= {text: f"{int(number)}"} if fit else {text: number} if number else {}
    plain = {text: _folded(text) for text in words}
    levels = {text: NUMBERED_LEVEL.fullmatch(word) for text, word in plain.items()}
    if len({fit and fit[1] for fit in levels.values()}) == 1 and all(levels.values()):
        return {text: f"{int(fit[2])}" for text, fit in levels.items() if fit} | none
    if words and all(map(STARS.fullmatch, words)):
        return {text: str(text.count("★")) for text in words} | none
    labelled = {plain[text]: number for text, number in numbers.items() if text != number}
    if words and {*numbers} == {*words} and len({*labelled.values()}) == len(labelled):
        return numbers | none
    if words and {*plain.values()} <= YES | NO:
        return {text: "1" if word in YES else "0" for text, word in plain.items()} | none
    opposite = {word: fit[1] for word in plain.values() if (fit := NEGATED.fullmatch(word))}
    if len({*plain.values()}) == 2 and {*opposite.values()} & {*plain.values()}:
        return {text: "0" if word in opposite else "1" for text, word in plain.items()} | none
    return none if none and not words else {}


def _count_down(numbers: Mapping[str, str]) -> bool:
    """Whether words that are known say more the lower the numbers beside them are.

    >>> _count_down({"1 - highly relevant": "1", "3 - not relevant": "3"})
    True
    """
    words = ((NUMBERED.fullmatch(text), number) for text, number in numbers.items())
    said = {float(number): _scale_rank(fit[2] or fit[3]) for fit, number in words if fit and number}
    levels = [level for _, level in sorted(said.items()) if level is not None]
    return len(levels) > 1 and all(a > b for a, b in pairwise(levels))


def _scale_rank(text: str) -> int | None:
    """The place of a word among those that scales of relevance know; None for another word.

    >>> [*map(_scale_rank, ("etwas relevant", "highly-relevant", "nonpertinent", "blue"))]
    [2, 4, 0, None]
    """
    plain = _letters(text)
    end = "(relevant|rilevant|pertinent|useful|nutzlich|util|istotn)[ey]?s?$"
    return LEVEL_OF.get(plain, LEVEL_OF.get(re.sub(end, "", plain)))


def possible_orders(texts: Sequence[str]) -> list[list[str]]:
    """Orders of words from worst to best that could be meant: one that is usual, or two.

    >>> possible_orders(["VR", "N", "R", "SR"]), possible_orders(["B", "A"])
    ([['N', 'SR', 'R', 'VR']], [['A', 'B'], ['B', 'A']])
    """
    known = {level: text for text in texts if (level := _scale_rank(text)) is not None}
    if len(texts) == 1:
        return [[f"{texts[0]}=1"]]
    if len(known) == len(texts):
        return [[known[level] for level in sorted(known)]]
    return [sorted(texts), sorted(texts, reverse=True)]


def _grade_order_errors(raw: RawTable, column: pd.Series, texts: Sequence[str]) -> list[Problem]:
    """The error that asks for the order of words; none where some grades are numbers.

    Those cells are wrong, and are refused where grades are read.
    """
    words = [text for text in texts if text and _folded(text) not in NO_GRADE]
    plain = [*map(_folded, words)]
    words = [word for i, word in enumerate(words) if plain.index(plain[i]) == i]
    if not words or any(map(cells.NUMBER.fullmatch, words)):
        return []
    told = [word for word in words if _letters(word)] or words
    unjudged = [f"{word}=" for word in words if word not in told]  # as ? or -
    orders = [quote(patterns.join_words([*order, *unjudged])) for order in possible_orders(told)]
    how = "Give their order, from worst to best:" if told[1:] else "Give its number:"
    remedy = by_rule("grade_words", orders[0], how)
    if orders[1:]:
        remedy = Remedy(f"{remedy[0][:-1]}, or {option('grade_words', orders[1])}.", remedy[1])
    file, line = raw.place(int(np.flatnonzero(np.array(texts)[cells.coded(column)] != "")[0]))
    what = f"grades in words ({cut(', '.join(words))})"
    rule = "their order is not known" if told[1:] else "one word doesn't say its number"
    return [error(file, line, what, rule, remedy)]


HIGHER, LOWER = "higher", "lower"
FEW, FEWEST = 10, 3  # results of each kind by which a direction is seen
CLEAR = 3.0  # standard errors; of few results, means are a grade apart


def with_scale(table: Mapped | None, recipe: Recipe, found: cells.Findings) -> Mapped | None:
    """Judgments, or a log, whose grades rise with their worth; the lowest was the best if said."""
    if table is None or recipe.grade_scale != LOWER or "grade" not in table.cells:
        return table
    column = table.cells["grade"]
    numbers = columns.as_numbers(column, cells.NUMBER)
    known = ~np.isnan(numbers)
    if not known.any():
        return table
    texts = np.array(texts_of(column), dtype=object)
    best, worst = numbers[known].min(), numbers[known].max()
    texts[known] = [label(worst - number) for number in numbers[known].tolist()]
    rule = f"grades count down: {label(best)} is the best, and is read as {label(worst - best)}"
    found.note(table.raw.file, "a lower grade is better", rule, "As chosen.")
    return replace(table, cells=table.cells.assign(grade=with_texts(column, texts.tolist())))


def direction_asked(
    file: str, queries: pd.DataFrame, results: pd.DataFrame, grades: pd.DataFrame, recipe: Recipe
) -> list[Problem]:
    """The error that asks which end of a scale is the best, where results speak against the high.

    A scale from 1 on may be one of marks, of which 1 is the best. Documents that were clicked, or
    stand above others, then have lower grades.
    """
    labels = np.unique(grades["grade"])
    if recipe.grade_scale or labels.size < 3 or labels[0] < 1:
        return []
    names = ["session", "query_number"]
    shown = results[[*names, "doc", "rank", "clicked"]].merge(queries[[*names, "topic"]], on=names)
    met = shown.merge(grades[["topic", "doc", "grade"]], on=["topic", "doc"])
    grade = met["grade"].to_numpy(dtype=float)
    clicked = met["clicked"].fillna(False).to_numpy(dtype=bool)
    upper = (met["rank"] <= met["rank"].median()).to_numpy()
    kinds = {"with a click": clicked, "in the upper half of lists": upper}
    against = [
        f"mean grade {grade[some].mean():.2f} {where}, {grade[~some].mean():.2f} elsewhere"
        for where, some in kinds.items()
        if _are_clearly_lower(grade[some], grade[~some])
    ]
    if not against:
        return []
    what = f"grades from {label(labels[0])} to {label(labels[-1])} ({'; '.join(against)})"
    rule = "results at the top, or clicked, usually have the better grades"
    return [_ask_best_end(file, what, rule, labels[0], labels[-1])]


def _ask_best_end(file: str, found: str, rule: str, lowest: float, highest: float) -> Problem:
    """The error that asks which end of a scale is the best."""
    ways = list[Remedy]()
    for choice, grade, end in ((LOWER, lowest, "lowest"), (HIGHER, highest, "highest")):
        what = f"If {label(grade)} is the best"
        ways.append(by_rule("grade_scale", choice, f"{what}:", f"{what}, choose the {end} grade"))
    remedy = Remedy(*map(" ".join, zip(*ways, strict=True)))
    return error(file, None, found, rule, remedy)


def _are_clearly_lower(some: arrays.Floats, others: arrays.Floats) -> bool:
    """Whether grades are clearly lower than others."""
    if min(some.size, others.size) < FEWEST:
        return False
    apart = others.mean() - some.mean()
    if min(some.size, others.size) < FEW:
        return bool(apart >= 1)
    spread = np.sqrt(some.var(ddof=1) / some.size + others.var(ddof=1) / others.size)
    return bool(apart > CLEAR * spread)
