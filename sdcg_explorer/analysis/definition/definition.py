"""The definition in force: every choice that a number depends on, in one value."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import tomli_w

from sdcg_explorer.analysis.arrays import Floats
from sdcg_explorer.analysis.definition.choices import (
    ERR_RULES,
    FITTED_TO,
    FURTHER,
    LEAST,
    LONGEST_NOTE,
    MEASURES,
    NAMES,
    OPTIONS,
    PARAMETERS,
    Choice,
)
from sdcg_explorer.metrics import WEIGHTINGS, weighting
from sdcg_explorer.study.grade_cube import Arrangement
from sdcg_explorer.study.grades import label
from sdcg_explorer.study.problems import cut

Weights = str | tuple[tuple[float, float], ...]
LARGEST_BASE = 1000.0
DEEPEST = 1000
LARGEST_GAIN = 1e100  # whose square, added up over a study, is a number still
MOST_FILTERED = 1_000_000  # of a session, that a filter may name
FOUND = 40  # characters of a value, in an error
CHOICES = {
    name: tuple(OPTIONS[name])
    for name in (
        *("discount", "repeats", "ideal", "unjudged"),
        *("after_stop", "average", "others", "grades"),
    )
}
SHORT_LISTS = tuple(name for name in OPTIONS["short_lists"] if name != LEAST)


@dataclass(frozen=True)
class Definition:
    """How gain is counted; the defaults are those of ECIR 2008.

    weights : name of a weighting, or (grade, gain) pairs, of which a dict is made · b, bq : bases
    of the discounts by rank and by query, inf for none · top : ranks of each query that count ·
    discount : form · repeats : every or first appearance · ideal : repeated or spread ·
    short_lists : pad, as-is, observed, or the least number of cells · unjudged : gain zero, or
    condense · after_stop : hold, or ideal-continues · average : mean-of-ratios or
    ratio-of-means · others : pooled or per-session · grades : of the judgments or of the searcher ·
    measures : further ones, of `FURTHER`, whose parameters p to p_down are · fitted_to : which
    parameters come from a fit, and to which study, as `noted` writes it.

    Raises
    ------
    ValueError : a choice that is not offered, with those that are
    """

    weights: Weights = "paper"
    b: float = 2.0
    bq: float = 4.0
    top: int = 10
    discount: str = "ecir2008"
    repeats: str = "every"
    ideal: str = "repeated"
    short_lists: str | int = "pad"
    unjudged: str = "zero"
    after_stop: str = "hold"
    average: str = "mean-of-ratios"
    others: str = "pooled"
    grades: str = "judgments"
    measures: tuple[str, ...] = ()
    p: float = 0.9
    srbp_b: float = 0.75
    inst_t: float = 2.0
    err_rule: str = "gdeval"
    p_reform: float = 0.9
    p_down: float = 0.7
    fitted_to: str = ""

    def __post_init__(self) -> None:
        for name, value in vars(self).copy().items():
            object.__setattr__(self, name, _plain(value, mapped=name == "weights"))
        for name, choices in CHOICES.items():
            if (value := getattr(self, name)) not in choices:
                raise ValueError(f"{name} {found(value)}; choices are {', '.join(choices)}")
        for name in ("b", "bq"):
            base = getattr(self, name)
            if not (is_number(base) and (1 < base < LARGEST_BASE or base == math.inf)):
                most = f"{LARGEST_BASE:,.0f}"
                rule = f"a base is above 1 and below {most}, or inf"
                raise ValueError(f"{name} {found(base)}; {rule}")
        if not (_is_whole(self.top) and 1 <= self.top <= DEEPEST):
            raise ValueError(f"top {found(self.top)}; from 1 to {DEEPEST} ranks count")
        short = self.short_lists
        if short not in SHORT_LISTS and not (_is_whole(short) and 1 <= int(short) <= DEEPEST):
            choices = f"{', '.join(SHORT_LISTS)}, or a whole number to {DEEPEST}"
            raise ValueError(f"short_lists {found(short)}; choices are {choices}")
        self._check_weights()
        self._check_further()

    def _check_further(self) -> None:
        if odd := [name for name in self.measures if name not in FURTHER]:
            raise ValueError(f"measure {found(odd[0])}; known are {', '.join(FURTHER)}")
        if self.err_rule not in ERR_RULES:
            known = ", ".join(ERR_RULES)
            raise ValueError(f"err_rule {found(self.err_rule)}; choices are {known}")
        if not isinstance(self.fitted_to, str) or len(self.fitted_to) > LONGEST_NOTE:  # pyright: ignore[reportUnnecessaryIsInstance]
            rule = f"a text of {LONGEST_NOTE} letters at most"
            raise ValueError(f"fitted_to {found(self.fitted_to)}; {rule}")
        for name, of in PARAMETERS.items():
            value = getattr(self, name)
            if not (is_number(value) and of.has(value)):
                raise ValueError(f"{name} {found(value)}; it is {of.ends}")

    def option(self, name: str) -> Choice:
        """What was chosen, of the options of one name."""
        chosen = getattr(self, name)
        if name == "weights":
            chosen = chosen if isinstance(chosen, str) else "custom"
        if name == "short_lists" and chosen not in SHORT_LISTS:
            chosen = LEAST
        return OPTIONS[name][chosen]

    @property
    def arrangement(self) -> Arrangement:
        """What of the shown results is looked at, and by whose grades."""
        return Arrangement(
            own=self.grades == "searcher",
            condense=self.unjudged == "condense",
            observed=self.short_lists == "observed",
        )

    def _check_weights(self) -> None:
        if isinstance(self.weights, str):
            if self.weights not in WEIGHTINGS:
                known = ", ".join(WEIGHTINGS)
                raise ValueError(f"weighting {found(self.weights)}; known are {known}")
            return
        grades = [grade for grade, _ in self.weights]
        if twice := sorted({label(grade) for grade in grades if grades.count(grade) > 1}):
            raise ValueError(f"weights: two gains for grade {cut(', '.join(twice))}; it has one")
        for grade, gain in self.weights:
            if not (is_number(grade) and math.isfinite(grade)):
                raise ValueError(f"weights: grade {found(grade)}; a grade is a number")
            if not (is_number(gain) and 0 <= gain <= LARGEST_GAIN):
                rule = f"a gain is from 0 to {LARGEST_GAIN:g}"
                raise ValueError(f"weights.{label(grade)} {found(gain)}; {rule}")

    def gains(self, labels: tuple[float, ...]) -> Floats:
        """Gain of each label.

        Raises
        ------
        ValueError : weights given grade by grade that leave one of the labels out
        """
        if isinstance(self.weights, str):
            return weighting(self.weights, labels)
        known = dict(self.weights)
        missing = [label(grade) for grade in labels if grade not in known]
        if missing:
            raise ValueError(f"weights: no gain for grade {cut(', '.join(missing))}")
        return np.array([known[grade] for grade in labels], dtype=float)

    def named(self, labels: tuple[float, ...]) -> Definition:
        """Put a weighting's name in place of gains that are exactly its own on these labels.

        Where several are (on grades 0 and 1 most are), the one that brings a preset nearest.
        """
        if isinstance(self.weights, str):
            return self
        gains = self.gains(labels)
        same = [name for name in WEIGHTINGS if np.array_equal(weighting(name, labels), gains)]
        named = [replace(self, weights=name) for name in same]
        return min(named, key=lambda d: len(d.nearest()[1]), default=self)

    def nearest(self) -> tuple[str, list[str]]:
        """The preset from which the fewest fields were changed, and words for these."""
        changes = {name: self.changed_from(preset) for name, preset in PRESETS.items()}
        name = min(changes, key=lambda name: (len(changes[name]), self._gains_moved(PRESETS[name])))
        return name, changes[name]

    def _gains_moved(self, other: Definition) -> int:
        """How many grades have another gain, where gains are given grade by grade."""
        if isinstance(self.weights, str) or not self.weights:
            return 0
        labels = tuple(grade for grade, _ in self.weights)
        return int((self.gains(labels) != other.gains(labels)).sum())

    @property
    def preset(self) -> str:
        """Name of the preset this is, or of the nearest with what was changed."""
        name, changes = self.nearest()
        changed = f", changed: {', '.join(changes)}" if changes else ""
        return f"{PRESET_NAMES[name]}{changed}"

    def changed_from(self, other: Definition) -> list[str]:
        """Words for the fields in which two definitions of sDCG differ."""
        return [
            field.name.replace("_", " ")
            for field in fields(self)
            if field.name not in (MEASURES, FITTED_TO, *NAMES)
            and getattr(self, field.name) != getattr(other, field.name)
        ]

    def instead_of(self, other: Definition) -> str:
        """The same words, each with this definition's value; "" where it is the other."""
        values = [getattr(self, words.replace(" ", "_")) for words in self.changed_from(other)]
        texts = [
            "own" if isinstance(value, tuple) else f"{value:g}" if is_number(value) else value
            for value in values
        ]
        return ", ".join(map(" ".join, zip(self.changed_from(other), texts, strict=True)))


def is_number(value: object) -> bool:
    """Whether a value is a number; yes and no are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def found(value: object) -> str:
    """A value as an error says it: what kind of thing, or its text, however long.

    >>> found("two"), found(10**400), found({"a": {}})
    ("'two'", '100000000000000000000000000000000000000…', 'is a table')
    """
    kinds = {dict: "is a table", list: "is a list", tuple: "is a list"}
    if type(value) in kinds:
        return kinds[type(value)]
    text = repr(value) if isinstance(value, str) else str(value)
    return cut(text, FOUND)


def _plain(value: Any, *, mapped: bool) -> Any:
    """A value as files have it: gains of a dict as pairs, a number of numpy as Python's own."""
    if mapped and isinstance(value, Mapping):
        return tuple(tuple(_plain(each, mapped=False) for each in pair) for pair in value.items())
    return value.item() if isinstance(value, np.generic) else value


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


DEFAULT = Definition()
PRESETS = {
    "ecir2008": DEFAULT,
    "session-track": Definition(weights="exponential", discount="kanoulas2011"),
    "dynamic-domain": Definition(weights="linear", repeats="first", ideal="spread"),
    "linear": Definition(weights="linear"),
    "agents": Definition(weights="linear", b=math.inf, bq=10.0, repeats="first", ideal="spread"),
}
BESIDE = tuple(name for name in PRESETS if name != "agents")  # what has been called sDCG
PRESET_NAMES = {
    "ecir2008": "ECIR 2008",
    "session-track": "Session track (Kanoulas)",
    "dynamic-domain": "Dynamic Domain",
    "linear": "plain linear",
    "agents": "Search agents",
}


@dataclass(frozen=True)
class Filters:
    """Which sessions are looked at; empty means all. Ideals never depend on it.

    A session passes `topics` when all its queries are on them.

    Raises
    ------
    ValueError : names that are no list of texts, or numbers of queries that no session has
    """

    systems: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    searchers: tuple[str, ...] = ()
    min_queries: int = 1
    max_queries: int | None = None

    def __post_init__(self) -> None:
        for name in ("systems", "topics", "searchers"):
            names = getattr(self, name)
            each = names if isinstance(names, tuple) else ()
            wrong = [names] if each is not names else [n for n in each if not isinstance(n, str)]
            if wrong:
                raise ValueError(f"{name}: {found(wrong[0])}; a list of names, each in quotes")
        for name in ("min_queries", "max_queries"):
            number = getattr(self, name)
            if number is not None and not (_is_whole(number) and 1 <= number <= MOST_FILTERED):
                most = f"{MOST_FILTERED:,}"
                raise ValueError(f"{name} {found(number)}; a whole number from 1 to {most}")

    def of(self, system: str | None = None, topic: str | None = None) -> Filters:
        """The same, narrowed to one system, and to one topic, where they are named."""
        systems, topics = (system,) if system else self.systems, (topic,) if topic else self.topics
        return replace(self, systems=systems, topics=topics)


def under_preset(definition: Definition, preset: str) -> Definition:
    """A preset with the parameters that a definition gives further measures; itself where "".

    Raises
    ------
    ValueError : no such preset
    """
    if not preset:
        return definition
    if preset not in PRESETS:
        raise ValueError(f"preset {preset!r}; known are {', '.join(PRESETS)}.")
    return replace(PRESETS[preset], **{name: getattr(definition, name) for name in NAMES})


TABLES: dict[str, type] = {"definition": Definition, "filters": Filters}
LONGEST_NAME = 60  # letters of a name that is not known, in an error
LARGEST_FILE = 1_000_000  # bytes; one of every choice has 500
NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?")
GRADES = "a weighting's name, or a table with a gain for each grade"


def to_toml(definition: Definition, filters: Filters) -> str:
    """Definition and filters as definition.toml."""
    kept = {name: value for name, value in asdict(filters).items() if value is not None}
    return tomli_w.dumps({"definition": _chosen(definition), "filters": kept})


def to_short_toml(definition: Definition) -> str:
    """What a definition does otherwise than the default, short enough for a link."""
    usual = asdict(DEFAULT)
    chosen = {k: v for k, v in _chosen(definition).items() if v != usual[k]}
    return tomli_w.dumps({"definition": chosen})


def _chosen(definition: Definition) -> dict[str, Any]:
    usual = asdict(DEFAULT)
    own = {name: value for name, value in asdict(definition).items() if value is not None}
    asked = {name for measure in definition.measures for name in FURTHER[measure].parameters}
    left = {MEASURES, FITTED_TO, *NAMES} - asked
    chosen = {k: v for k, v in own.items() if v != usual[k] or k not in left}
    if not isinstance(definition.weights, str):
        chosen["weights"] = {_exact(grade): gain for grade, gain in definition.weights}
    return chosen


def _exact(grade: float) -> str:
    """A grade's label, or all digits where that is cut off."""
    return label(grade) if float(label(grade)) == grade else repr(grade)


def read_definition(path: Path, default: Definition = DEFAULT) -> tuple[Definition, Filters]:
    """Definition and filters of a file.

    Raises
    ------
    OSError : it can't be read
    ValueError : as of `from_toml`, with the file's name and what to do
    """
    try:
        if path.exists() and not path.is_file():
            raise ValueError("a folder, fifo or device; a file of TOML is read")
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
        if len(content) > LARGEST_FILE:
            raise ValueError(f"larger; at most {LARGEST_FILE:,} bytes are read")
        return from_toml(_text(content), default)
    except ValueError as fault:
        raise ValueError(f"{path}: {fault}. Correct the file.") from None


def _text(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = content[: fault.start].count(b"\n") + 1
        raise ValueError(f"line {line}: no UTF-8; a definition.toml is text in UTF-8") from None


def from_toml(text: str, default: Definition = DEFAULT) -> tuple[Definition, Filters]:
    """Definition and filters of a definition.toml; what it leaves out is as in `default`.

    Raises
    ------
    ValueError : not TOML, or a table, name or value that is not offered
    """
    tables = _tables(text)
    chosen, kept = (_known(tables.get(name, {}), name) for name in TABLES)
    if "weights" in chosen:
        chosen["weights"] = _weights(chosen["weights"])
    if isinstance(chosen.get("measures"), list):
        chosen["measures"] = tuple(chosen["measures"])
    kept = {name: tuple(v) if isinstance(v, list) else v for name, v in kept.items()}
    return _made(replace, "definition", default, chosen), _made(replace, "filters", Filters(), kept)


def _made(make: Any, name: str, default: Any, values: dict[str, Any]) -> Any:
    """A table's values in the place of the default's."""
    try:
        return make(default, **values)
    except ValueError as fault:
        raise ValueError(f"[{name}] {fault}") from None


def _tables(text: str) -> dict[str, Any]:
    """The tables of the file, of known names alone."""
    try:
        tables = tomllib.loads(text, parse_float=_float)
    except tomllib.TOMLDecodeError as fault:
        raise ValueError(f"not TOML: {cut(str(fault))}; tables of NAME = VALUE are read") from None
    except RecursionError:
        raise ValueError("values nested deeper; weights are the deepest, by grade") from None
    except ValueError:
        raise ValueError("a number of thousands of digits; no choice has such") from None
    for name, value in tables.items():
        if name in TABLES:
            continue
        homes = [f"[{table}]" for table, kind in TABLES.items() if name in _names(kind)]
        if homes:
            raise ValueError(f"{name} stands above any table; its place is beneath {homes[0]}")
        place = f"[{cut(name)}]" if isinstance(value, dict) else cut(name)
        raise ValueError(f"{place} is not known; tables are [{'] and ['.join(TABLES)}]")
    return tables


def _float(text: str) -> float | Decimal:
    """A number as written; one beyond all floats is none, which the choices refuse by name."""
    value = float(text)
    return Decimal(text) if math.isinf(value) and "inf" not in text else value


def _known(table: Any, name: str) -> dict[str, Any]:
    """The values of a table, of known names alone."""
    if not isinstance(table, dict):
        raise ValueError(f"{name}: {found(table)}; it is a table, [{name}]")
    names = _names(TABLES[name])
    for each in table:
        if each not in names:
            raise ValueError(f"[{name}] {cut(each, LONGEST_NAME)}; known are {', '.join(names)}")
    return dict(table)


def _weights(given: Any) -> str | tuple[tuple[float, float], ...]:
    """A weighting's name, or (grade, gain) pairs."""
    if isinstance(given, str):
        return given
    if not isinstance(given, dict) or not given:
        raise ValueError(f"[definition] weights {found(given)}; {GRADES}")
    for grade, gain in given.items():
        place = f"[definition] weights.{cut(grade)}"
        if not NUMBER.fullmatch(grade):
            raise ValueError(f"{place}; a grade is a number, 2 or 0.5")
        if isinstance(gain, dict):
            raise ValueError(f'{place} is a table; a grade with a point has quotes: "0.5"')
        if not is_number(gain):
            raise ValueError(f"{place} {found(gain)}; a gain is a number")
    return tuple((float(grade), gain) for grade, gain in given.items())


def _names(kind: type) -> list[str]:
    return [field.name for field in fields(kind)]
