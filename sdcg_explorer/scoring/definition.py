"""The definition: every choice of how a study is scored, declared once with its words."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import tomli_w

from sdcg_explorer.metrics import FORMS, WEIGHTINGS, weighting
from sdcg_explorer.metrics.arrays import Floats
from sdcg_explorer.metrics.user_models import LEAST_WANTED, RULES
from sdcg_explorer.study import grade_cube, wording
from sdcg_explorer.study.behaviour import Behaviour, is_logged
from sdcg_explorer.study.declared import (
    check,
    declare,
    declared,
    found,
    is_number,
    is_whole,
    read_file,
    scalar,
    tables_of,
    with_values,
)
from sdcg_explorer.study.grades import label
from sdcg_explorer.study.problems import Remedy, UnusableInputError, cut, error
from sdcg_explorer.study.study import Study

ENDS = LEAST_BASE, MOST = 1.001, 999.999  # of what an exact entry takes
PLACES = 50  # of a slider for each tenfold: one for some two of its pixels
_TENFOLD = (1.25, 1.6, 2.0, 2.5, 3.2, 4.0, 5.0, 6.3, 8.0, 10.0)  # R10 of ISO 3, rounded
PREFERRED = (
    *(1.05, 1.1),
    *(ten * number for ten in (1, 10, 100) for number in _TENFOLD if ten * number < MOST),
    *(999.0, math.inf),
)


def slider_place(base: float) -> int:
    """Place of a finite base on the scale, from 0.

    >>> slider_place(1.001), slider_place(10), slider_place(999)
    (0, 50, 150)
    """
    return round(PLACES * math.log10(base))


_ROUNDEST = (
    {  # the number of fewest digits that has a place, by the place
        place: next(
            number
            for digits in (1, 2, 3)
            if slider_place(number := float(f"{10 ** (place / PLACES):.{digits}g}")) == place
        )
        for place in range(slider_place(MOST) + 1)
    }
    | {slider_place(number): number for number in (LEAST_BASE, *PREFERRED[:-1])}
)
SCALE = (*_ROUNDEST.values(), PREFERRED[-1])


def with_own(scale: tuple[float, ...], own: float) -> tuple[float, ...]:
    """A scale with a number that came from elsewhere where it belongs.

    >>> with_own((1, 2, 4), 3), with_own((1, 2, 4), 4)
    ((1, 2, 3, 4), (1, 2, 4))
    """
    return tuple(sorted({*scale, own}))


@cache  # each slider says all its places at each run
def slider_text(number: float) -> str:
    """What a slider says of a number, to six digits where it has more.

    >>> slider_text(2.0), slider_text(2.125), slider_text(math.inf), slider_text(0.1**0.5)
    ('2', '2.125', '∞', '0.316228')
    >>> slider_text(1.5000000001)  # which is not 1.5
    '1.5000000001'
    """
    if math.isinf(number):
        return "∞"
    short, full = f"{number:.6g}", str(float(number)).removesuffix(".0")
    return short if 6 < len(short) < len(full) else full


Weights = str | tuple[tuple[float, float], ...]
LARGEST_BASE = 1000.0
DEEPEST = 1000
LARGEST_GAIN = 1e100  # whose square, added up over a study, is a number still
MOST_FILTERED = 1_000_000  # of a session, that a filter may name
QUERIES = f"a whole number from 1 to {MOST_FILTERED:,}"
LONGEST_READ = 36_000  # seconds of reading that are asked for
LONGEST_NOTE = 300  # letters of a note that parameters come from a fit
LEAST = "at least"
SHORT_LISTS = ("pad", "as-is", "observed")
NO_JUDGMENTS = (
    "this definition takes gains from judgments",
    Remedy(
        "Give the judgments, or take gains from clicks: --preset behaviour.",
        "Add the judgments on Data, or choose the definition “Clicks and reading”.",
    ),
)
NO_CLICKS = (
    "gains are taken from clicks",
    Remedy(
        "Add a column clicked to the log, or take the assessors' grades: --grades judgments.",
        "Add a column clicked to the log, or choose judgments under Grades.",
    ),
)
SPREAD = (
    "a document may gain in one list and not in the next, so this ideal could be exceeded",
    Remedy(
        "Take each query's best list: --ideal repeated.",
        "Choose repeated under Ideal.",
    ),
)
MEASURES = "measures"  # the field that asks for further ones
FITTED_TO = "fitted_to"  # the field that says from which study parameters come
AUTHORS = {  # of sources, in short; questions/bibliography.py has them whole
    "S08": "Järvelin et al. 2008",
    "JK02": "Järvelin & Kekäläinen 2002",
    "B05": "Burges et al. 2005",
    "K11": "Kanoulas et al. 2011",
    "L19": "Lipani et al. 2019",
    "DD": "TREC Dynamic Domain",
    "MZ08": "Moffat & Zobel 2008",
    "MBST17": "Moffat et al. 2017",
    "CMZG09": "Chapelle et al. 2009",
    "F05": "Fox et al. 2005",
    "SA07": "Sakai 2007",
}
OURS = "no published source"


@dataclass(frozen=True)
class Choice:
    """One option: a line of plain words, where it comes from, and its clause in the sentence.

    by : key of its source, and the place there
    """

    words: str
    by: str = ""
    clause: str = ""

    @property
    def reference(self) -> str:
        """Key of who describes it."""
        return self.by.partition(", ")[0]

    @property
    def source(self) -> str:
        """Who describes it, and where."""
        _, comma, place = self.by.partition(", ")
        return f"{AUTHORS.get(self.reference, OURS)}{place and comma}{place}"

    @property
    def line(self) -> str:
        """Its plain words with their source, as the panel shows them."""
        return f"{self.words} ({self.source})"


def _alike(words: str, by: str, before: str = "") -> Choice:
    """An option whose clause says its words."""
    return Choice(words, by, f"{before}{words[0].lower()}{words[1:-1]}")


@dataclass(frozen=True)
class Further:
    """A further measure: its name in words, its parameters, and where it comes from."""

    words: str
    parameters: tuple[str, ...]
    reference: str


FURTHER = {
    "ndcg": Further("nDCG", (), "JK02"),
    "rbp": Further("RBP", ("p",), "MZ08"),
    "srbp": Further("sRBP", ("srbp_b", "p"), "L19"),
    "inst": Further("INST", ("inst_t",), "MBST17"),
    "err": Further("ERR", ("err_rule",), "CMZG09"),
    "esndcg": Further("esNDCG", ("p_reform", "p_down"), "K11"),
}
OVER_HIGHEST = {"rbp", "srbp", "inst"}  # whose gains are shares of the definition's highest


def _option_field(options: Mapping[str, Choice], words: str, about: str) -> Any:
    """A choice between words, of which the first is usual."""
    names, known = [*options], ", ".join(options)
    told = {"options": options, "words": words, "about": about, "typed": f"{words}: {known}"}
    return scalar(names[0], f"choose one of {known}", names.__contains__, **told)


def _base_field(default: float, words: str, typed: str, line: Choice) -> Any:
    """The base of a discount."""
    rule = f"it must be above 1 and below {LARGEST_BASE:,.0f}, or inf"
    return scalar(default, rule, is_base, words=words, typed=typed, line=line.line)


def _number_field(
    default: float | None, rule: str, least: float, most: float, kind: type = int, **told: str
) -> Any:
    """A number from the least to the most, a whole one unless `kind` is float; or the default."""
    ends = {"least": kind(least), "most": kind(most)}

    def has(value: Any) -> bool:
        is_one = is_whole if kind is int else is_number
        return value is default or (is_one(value) and least <= value <= most)

    return scalar(default, rule, has, kind=kind, **ends, **told)


def _parameter(
    default: float, words: str, sign: str, least: float, most: float, why: str = ""
) -> Any:
    """A parameter of further measures; `why` it has no less, where said."""
    rule = f"it is from {least:g} to {most:g}{why and f'; {why}'}"
    told = {"words": words, "sign": f"{sign} = ", "typed": f"{wording.capital(words)}."}
    return _number_field(default, rule, least, most, float, **told)


def _names(called: str, clause: str, typed: str) -> Any:
    """A filter by names."""

    def wrong(names: Any) -> list[Any]:
        is_list = isinstance(names, tuple)
        return [name for name in names if not isinstance(name, str)] if is_list else [names]

    rule = "a list of names, each in quotes"
    return declare((), wrong, rule, called=called, clause=clause, typed=typed)


def is_base(value: object) -> bool:
    """Whether a value is a base of a discount, or none of it."""
    return is_number(value) and (1 < value < LARGEST_BASE or value == math.inf)


@dataclass(frozen=True)
class Definition:
    """How gain is counted; the defaults are those of ECIR 2008.

    weights : name of a weighting, or (grade, gain) pairs, of which a dict is made · b, bq : bases
    of the discounts by rank and by query, inf for none · top : ranks of each query that count ·
    discount : form · repeats : every or first appearance · ideal : repeated or spread ·
    short_lists : pad, as-is, observed, or the least number of cells · unjudged : gain zero, or
    condense · after_stop : hold, or ideal-continues · average : mean-of-ratios or
    ratio-of-means · others : pooled or per-session · grades : of the judgments, of the searcher, or
    from behaviour, by read_seconds and last_click ·
    measures : further ones (a key of `FURTHER` each), with the parameters p to p_down · fitted_to :
    which parameters come from a fit, and to which study

    Raises
    ------
    ValueError : a choice that is not offered, with those that are
    """

    weights: Weights = scalar(
        "paper",
        f"choose one of {', '.join(WEIGHTINGS)}",
        lambda weights: not isinstance(weights, str) or weights in WEIGHTINGS,
        called="weighting",
        options={
            "paper": Choice("Gains 0, 1, 10, 100: tenfold per grade from grade 1 on.", "S08, §3.1"),
            "linear": Choice("Gain is the grade.", "JK02"),
            "exponential": Choice("Gain is 2^grade − 1.", "B05"),
            "binary": Choice("Gain 1 for grades of 1 or more.", "JK02, liberal"),
            "strict": Choice("Gain 1 for the highest grade only.", "JK02, strict"),
            "custom": Choice("Gains of your own."),
        },
        typed="A weighting's name, or GRADE=GAIN,…",
    )
    b: float = _base_field(
        2.0,
        "Patience with the result list (b)",
        "Base of the rank discount, or inf.",
        Choice(
            "In most discounts, near 1 only the first results count; at 10 most of a page does.",
            "S08, Appendix eq. 2",
        ),
    )
    bq: float = _base_field(
        4.0,
        "Patience with asking again (bq)",
        "Base of the query discount, or inf.",
        Choice(
            "In most discounts, near 1 only the first query counts; at 10 later ones count too.",
            "S08, eq. 1",
        ),
    )
    top: int = _number_field(
        10,
        f"it must be a whole number from 1 to {DEEPEST}",
        1,
        DEEPEST,
        words="Top X: results that count",
        line=Choice("The paper counts ten.", "S08, §3").line,
        typed="How many ranks of each query count.",
    )
    discount: str = _option_field(
        {
            name: Choice(form.words, f"{form.reference}, {form.place}")
            for name, form in FORMS.items()
        },
        "Discount",
        "discount",
    )
    repeats: str = _option_field(
        {
            "every": Choice(
                "A repeated document counts each time.", "S08, §3", "repeats count every time"
            ),
            "first": Choice(
                "A repeated document counts only the first time.",
                "DD, its ideal",
                "repeats count once",
            ),
        },
        "Repeats",
        "repeat",
    )
    ideal: str = _option_field(
        {
            "repeated": _alike("Each query returns its topic's best list.", "S08, §3.3", "ideal: "),
            "spread": _alike(
                "Each judged document once, best order at every position.",
                "DD, whose ideal is bounded differently",
                "ideal: ",
            ),
        },
        "Ideal",
        "ideal",
    )
    short_lists: str | int = scalar(
        "pad",
        f"choose one of {', '.join(SHORT_LISTS)}, or 1 to {DEEPEST}",
        lambda short: short in SHORT_LISTS or (is_whole(short) and 1 <= short <= DEEPEST),
        words="Short lists",
        about="short lists",
        key="short",
        options={
            "pad": Choice(
                "A short list is filled with gain 0 to the top X.",
                "S08",
                "short lists padded with gain 0",
            ),
            "as-is": Choice(
                "Short lists are not padded; their ideal is as short.",
                clause="short lists unpadded, and so is their ideal",
            ),
            "observed": Choice(
                "A list counts to the deepest result clicked or examined, and so does its ideal.",
                "",
                "lists cut after the deepest result clicked or examined, and so is their ideal",
            ),
            LEAST: Choice(
                "Lists are padded to a minimum length; so is their ideal.",
                clause="short lists padded to {short_lists}, and so is their ideal",
            ),
        },
        typed="pad, as-is, observed, or a number",
    )
    unjudged: str = _option_field(
        {
            "zero": _alike("An unjudged result gains 0.", "S08, §3"),
            "condense": _alike(
                "Unjudged results are removed and ranks renumbered.", "SA07, condensed lists"
            ),
        },
        "Unjudged results",
        "judged",
    )
    after_stop: str = _option_field(
        {
            "hold": Choice(
                "A session keeps its share of the ideal after its last query.",
                "S08, §3.3",
                "after the last query a session keeps its share of the ideal",
            ),
            "ideal-continues": Choice(
                "With padded lists, the ideal continues to the length of the longest session.",
                clause="after the last query the ideal continues",
            ),
        },
        "After the last query",
        "last query",
    )
    average: str = _option_field(
        {
            "mean-of-ratios": _alike("Mean of the sessions' shares.", "S08, §4"),
            "ratio-of-means": Choice(
                "Mean gain over mean ideal: long sessions on rich topics weigh more. "
                "Compare systems averages shares all the same.",
                "S08, Appendix eq. 5",
                "mean gain divided by mean ideal",
            ),
        },
        "Average of shares",
        "nsDCG",
    )
    others: str = _option_field(
        {
            "pooled": Choice(
                "All other queries weigh the same.",
                "S08, Figure 1",
                "last against other queries: all others weigh the same",
            ),
            "per-session": Choice(
                "Other queries are averaged within their session first.",
                clause="last against other queries: others are averaged within their session first",
            ),
        },
        "Other queries (Query order)",
        "last query",
    )
    grades: str = _option_field(
        {
            "judgments": Choice("Grades are the assessors'.", "S08, §3"),
            "searcher": _alike(
                "Grades by the searchers; the ideal uses each document's best grade on the topic.",
                "S08, §4",
            ),
            "behaviour": Choice(
                "Grades from clicks: 1 clicked, 2 also read for long, 3 saved.",
                "F05, satisfied clicks",
                clause="gains from clicks, of which top-ranked results get more and results that "
                "nobody saw get none",
            ),
        },
        "Grades",
        "grade",
    )
    read_seconds: int = _number_field(
        30,
        f"it must be a whole number of seconds from 1 to {LONGEST_READ:,}",
        1,
        LONGEST_READ,
        words="Seconds of reading for grade 2",
        line=Choice("Clicks read for 30 s satisfy.", "F05").line,
        typed="Seconds of reading for grade 2, with --grades behaviour.",
    )
    last_click: str = _option_field(
        {
            "satisfies": Choice(
                "A session's last click has grade 2, however long it was read.",
                "F05",
                "clicks read for {read_seconds} s have grade 2, and so has a session's last click",
            ),
            "as-read": Choice(
                "A session's last click counts by how long it was read.",
                clause="clicks read for {read_seconds} s have grade 2",
            ),
        },
        "Last click of a session",
        "grade",
    )
    measures: tuple[str, ...] = declare(
        (),
        lambda names: (
            [name for name in names if name not in [*FURTHER]]
            if isinstance(names, str | tuple)
            else [names]
        ),
        f"choose one of {', '.join(FURTHER)}",
        called="measure",
        typed=f"A further measure: {', '.join(FURTHER)}; repeat for more.",
        kind=list[str],
        option=("--measure",),
    )
    p: float = _parameter(0.9, "chance to look at the next result (RBP, sRBP)", "p", 0.0, 0.999)
    srbp_b: float = _parameter(
        0.75, "of those who go on, the share that reads on (sRBP)", "b", 0.0, 1.0
    )
    inst_t: float = _parameter(
        2.0,
        "relevant documents the searcher wants (INST)",
        "T",
        LEAST_WANTED,
        1_000.0,
        "below .5, r + T + T_r − 1 could be negative",
    )
    err_rule: str = scalar(
        "gdeval",
        f"choose one of {', '.join(RULES)}",
        tuple(RULES).__contains__,
        words="ERR's rule",
        sign="rule ",
        typed=f"ERR's rule: {', '.join(RULES)}",
    )
    p_reform: float = _parameter(0.9, "chance to ask the next query (esNDCG)", "p_reform", 0.0, 1.0)
    p_down: float = _parameter(0.7, "chance to read on (esNDCG)", "p_down", 0.0, 1.0)
    fitted_to: str = scalar(
        "",
        f"a text of {LONGEST_NOTE} letters at most",
        lambda note: isinstance(note, str) and len(note) <= LONGEST_NOTE,
    )

    def __post_init__(self) -> None:
        for name, value in vars(self).copy().items():
            object.__setattr__(self, name, _plain(value, mapped=name == "weights"))
        check(self)
        self._refuse_invalid_weights()

    def option(self, name: str) -> Choice:
        """What was chosen, of the options of one name."""
        options, chosen = FIELDS[name].options, getattr(self, name)
        other = {"weights": "custom", "short_lists": LEAST}.get(name, "")
        return options[chosen if isinstance(chosen, str) else other]

    def clause(self, name: str) -> str:
        """What a sentence says of an option or a number."""
        continues = name == "after_stop" and self.after_stop != "hold"
        if continues and self.short_lists != "pad":
            held = FIELDS[name].options["hold"].clause
            return f"{held} (the ideal can continue only with padded lists)"
        said = self.option(name) if FIELDS[name].options else FIELDS[name]
        return said.clause.format(**vars(self))

    @property
    def arrangement(self) -> grade_cube.Arrangement:
        """What of the shown results is looked at, and by whose grades."""
        return grade_cube.Arrangement(
            own=self.grades != "judgments",
            condense=self.unjudged == "condense",
            observed=self.short_lists == "observed",
        )

    @property
    def behaviour(self) -> Behaviour | None:
        """By what grades are made of what searchers did, where they are."""
        if self.grades != "behaviour":
            return None
        return Behaviour(self.read_seconds, self.last_click == "satisfies")

    def graded(self, study: Study) -> Study:
        """The study with the grades that this definition asks for.

        Raises
        ------
        UnusableInputError : it has none of these, or the ideal could be exceeded
        """
        logged = study.graded_by(None)
        if self.behaviour is None:
            if not len(logged.judgments) and is_logged(logged.results):
                raise UnusableInputError([error("log", None, "no judgments", *NO_JUDGMENTS)])
        elif not is_logged(logged.results):
            raise UnusableInputError([error("log", None, "no click is logged", *NO_CLICKS)])
        elif self.ideal == "spread":
            raise UnusableInputError([error("definition", None, "ideal spread", *SPREAD)])
        return study if study.behaviour == self.behaviour else logged.graded_by(self.behaviour)

    def _refuse_invalid_weights(self) -> None:
        if isinstance(self.weights, str):
            return
        for grade, gain in self.weights:
            if not (is_number(grade) and math.isfinite(grade)):
                raise ValueError(f"weights: grade {found(grade)}; a grade is a number")
            if not (is_number(gain) and 0 <= gain <= LARGEST_GAIN):
                rule = f"a gain is from 0 to {LARGEST_GAIN:g}"
                raise ValueError(f"weights.{label(grade)} {found(gain)}; {rule}")
        grades = [grade for grade, _ in self.weights]
        if twice := sorted({label(grade) for grade in grades if grades.count(grade) > 1}):
            raise ValueError(f"weights: two gains for grade {cut(', '.join(twice))}; it has one")

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
            grades = wording.plural(len(missing), "grade", "grades")
            raise ValueError(f"weights: no gain for {grades} {cut(', '.join(missing))}")
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
        return min(named, key=lambda d: len(d.nearest_preset()[1]), default=self)

    def nearest_preset(self) -> tuple[str, list[str]]:
        """The preset from which the fewest fields were changed, and words for these."""
        changes = {name: self.changed_fields(preset) for name, preset in PRESETS.items()}
        name = min(
            changes, key=lambda name: (len(changes[name]), self._changed_gain_count(PRESETS[name]))
        )
        return name, changes[name]

    def _changed_gain_count(self, other: Definition) -> int:
        """How many grades have another gain, where gains are given grade by grade."""
        if isinstance(self.weights, str) or not self.weights:
            return 0
        labels = tuple(grade for grade, _ in self.weights)
        return int((self.gains(labels) != other.gains(labels)).sum())

    @property
    def preset_text(self) -> str:
        """Name of the preset this is, or of the nearest with what was changed."""
        name, changes = self.nearest_preset()
        changed = f", changed: {', '.join(changes)}" if changes else ""
        return f"{PRESET_NAMES[name]}{changed}"

    def changed_fields(self, other: Definition) -> list[str]:
        """Words for the fields in which two definitions of sDCG differ."""
        apart = {*APART} if self.behaviour else {*APART, *OF_BEHAVIOUR}
        return [
            name.replace("_", " ")
            for name in FIELDS
            if name not in apart and getattr(self, name) != getattr(other, name)
        ]

    def changed_values_text(self, other: Definition) -> str:
        """The same words, each with this definition's value; "" where it is the other."""
        values = [getattr(self, words.replace(" ", "_")) for words in self.changed_fields(other)]
        texts = [
            "own" if isinstance(value, tuple) else f"{value:g}" if is_number(value) else value
            for value in values
        ]
        return ", ".join(map(" ".join, zip(self.changed_fields(other), texts, strict=True)))


def _plain(value: Any, *, mapped: bool) -> Any:
    """A value as files have it: gains of a dict as pairs, a number of numpy as Python's own."""
    if mapped and isinstance(value, Mapping):
        return tuple(tuple(_plain(each, mapped=False) for each in pair) for pair in value.items())
    return value.item() if isinstance(value, np.generic) else value


FIELDS = declared(Definition)
BASES = ("b", "bq")
CHOICES = {
    name: tuple(each.options)
    for name, each in FIELDS.items()
    if each.options and name not in ("weights", "short_lists")
}
NAMES = tuple(dict.fromkeys(name for of in FURTHER.values() for name in of.parameters))
PARAMETERS = {name: each for name, each in FIELDS.items() if name in NAMES and each.kind is float}
NUMBERS = tuple(  # of sDCG, which the panel asks for among its further choices
    name for name, each in FIELDS.items() if each.most < math.inf and name not in (*NAMES, "top")
)
APART = (MEASURES, FITTED_TO, *NAMES)  # of no number of sDCG
BY_SESSION = ("its topic's", "the session's own")  # how lists are called where gains are clicks
OF_BEHAVIOUR = ("read_seconds", "last_click")  # of no number where grades come from elsewhere
DEFAULT = Definition()
_PRESETS = {
    "ecir2008": (
        "ECIR 2008",
        DEFAULT,
        Choice("Gains 0, 1, 10, 100; every appearance counts.", "S08"),
    ),
    "session-track": (
        "Session track (Kanoulas)",
        Definition(weights="exponential", discount="kanoulas2011"),
        Choice("Gain 2^grade − 1; its own discounts.", "K11"),
    ),
    "dynamic-domain": (
        "Dynamic Domain",
        Definition(weights="linear", repeats="first", ideal="spread"),
        Choice(
            "Gain is the grade; repeats count once.",
            "DD, which counts repeats and bounds its ideal otherwise",
        ),
    ),
    "linear": (
        "plain linear",
        Definition(weights="linear"),
        Choice("ECIR 2008 with gain = grade.", "JK02"),
    ),
    "behaviour": (
        "Clicks and reading",
        Definition(weights="linear", grades="behaviour"),
        Choice("Gain 1 for a click, 2 if read 30 s or last, 3 if saved.", "F05"),
    ),
    "agents": (
        "Search agents",
        Definition(weights="linear", b=math.inf, bq=10.0, repeats="first", ideal="spread"),
        Choice(
            "Gain is the grade, no rank discount (b = ∞), mild query discount (bq = 10: the tenth "
            "call counts half), repeats count once."
        ),
    ),
}
PRESETS = {name: definition for name, (_, definition, _) in _PRESETS.items()}
PRESET_NAMES = {name: words for name, (words, _, _) in _PRESETS.items()}
PRESET_LINES = {name: about.line for name, (_, _, about) in _PRESETS.items()}
OF_JUDGMENTS = tuple(name for name, preset in PRESETS.items() if preset.behaviour is None)
BESIDE = tuple(name for name in OF_JUDGMENTS if name != "agents")  # what has been called sDCG


def usual_definition(study: Study) -> Definition:
    """The definition that a study opens with: the paper's, or clicks where nobody judged."""
    logged = study.graded_by(None)
    by_clicks = not len(logged.judgments) and is_logged(logged.results)
    return PRESETS["behaviour"] if by_clicks else DEFAULT


def with_parameters(name: str, definition: Definition) -> str:
    """A further measure with its parameters, as a definition has them.

    >>> with_parameters("srbp", DEFAULT), with_parameters("err", DEFAULT)
    ('sRBP (b = 0.75, p = 0.9)', 'ERR (rule gdeval)')
    >>> with_parameters("ndcg", DEFAULT)
    'nDCG'
    """
    of = FURTHER[name]
    said = [f"{FIELDS[key].sign}{written(definition, key)}" for key in of.parameters]
    return f"{of.words} ({', '.join(said)})" if said else of.words


def written(definition: Definition, name: str) -> str:
    """One of the parameters of a definition, as a text."""
    value = getattr(definition, name)
    return value if isinstance(value, str) else f"{value:g}"


def further_of(score: str) -> str:
    """The further measure that a score of sessions is of; "" where it is none.

    >>> further_of("rbp_last"), further_of("final")
    ('rbp', '')
    """
    name = score.partition("_")[0]
    return name if name in FURTHER else ""


def unused(score: str) -> set[str]:
    """Fields about further measures, and of a fit, that a score does not depend on.

    >>> sorted(unused("srbp"))
    ['err_rule', 'fitted_to', 'inst_t', 'measures', 'p_down', 'p_reform']
    """
    own = FURTHER[name].parameters if (name := further_of(score)) else ()
    return {*APART} - {*own}


FORM, MEASURE = "discount", "measure"  # that a fit is of


def fit_note(definition: Definition, names: Iterable[str], study: str, measure: str = "") -> str:
    """The note that these fields of a definition, of a further `measure`, were fitted to a study.

    >>> note = fit_note(Definition(b=3.0), ["b", "bq"], "S (9 sessions)")
    >>> fit_in_force(Definition(b=3.0, fitted_to=note))
    (['b = 3', 'bq = 4'], 'S (9 sessions)')
    >>> fit_in_force(Definition(b=5.0, fitted_to=note))
    """
    of = [f"{MEASURE}={name}" for name in [measure] if name]
    values = [f"{name}={written(definition, name)}" for name in names]
    return f"{' '.join([*of, *values])}; {study}"[:LONGEST_NOTE]


def fit_in_force(definition: Definition) -> tuple[list[str], str] | None:
    """Parameters that were fitted, and the study; None once one of them was changed."""
    values, _, study = definition.fitted_to.partition("; ")
    named = [part.partition("=") for part in values.split()]
    known = {*BASES, FORM, *PARAMETERS}

    holds = all(
        own in definition.measures
        if name == MEASURE
        else name in known and written(definition, name) == own
        for name, _, own in named
    )
    if not (named and study and holds):
        return None
    return [f"{n} = {value}" for n, _, value in named if n not in (FORM, MEASURE)], study


@dataclass(frozen=True)
class Filters:
    """Which sessions are looked at; empty means all. Ideals never depend on it.

    A session passes `topics` when all its queries are on them.

    Raises
    ------
    ValueError : names that are no list of texts, or numbers of queries that no session has
    """

    systems: tuple[str, ...] = _names("systems:", "with system", "Only these systems: A,B")
    topics: tuple[str, ...] = _names("topics:", "on topic", "Only sessions on these topics.")
    searchers: tuple[str, ...] = _names("searchers:", "by searcher", "Only these searchers.")
    min_queries: int = _number_field(
        1, QUERIES, 1, MOST_FILTERED, typed="Fewest queries in a session."
    )
    max_queries: int | None = _number_field(
        None, QUERIES, 1, MOST_FILTERED, typed="Most queries in a session."
    )

    def __post_init__(self) -> None:
        check(self)

    def of(self, system: str | None = None, topic: str | None = None) -> Filters:
        """The same, narrowed to one system, and to one topic, where they are named."""
        systems, topics = (system,) if system else self.systems, (topic,) if topic else self.topics
        return replace(self, systems=systems, topics=topics)


def under_preset(definition: Definition, preset: str) -> Definition:
    """A preset with a definition's parameters of further measures; the definition itself if "".

    Raises
    ------
    ValueError : no such preset
    """
    if not preset:
        return definition
    if preset not in PRESETS:
        raise ValueError(f"preset {preset!r}; choose one of {', '.join(PRESETS)}.")
    return replace(PRESETS[preset], **{name: getattr(definition, name) for name in NAMES})


TABLES: dict[str, type] = {"definition": Definition, "filters": Filters}
NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
GRADES = "a weighting's name, or a table with a gain for each grade"


def to_toml(definition: Definition, filters: Filters) -> str:
    """Definition and filters as definition.toml."""
    kept = {name: value for name, value in asdict(filters).items() if value is not None}
    return tomli_w.dumps({"definition": _choices_to_write(definition), "filters": kept})


def to_short_toml(definition: Definition) -> str:
    """What a definition does otherwise than the default, short enough for a link."""
    usual = asdict(DEFAULT)
    chosen = {k: v for k, v in _choices_to_write(definition).items() if v != usual[k]}
    return tomli_w.dumps({"definition": chosen})


def _choices_to_write(definition: Definition) -> dict[str, Any]:
    usual = asdict(DEFAULT)
    own = {name: value for name, value in asdict(definition).items() if value is not None}
    asked = {name for measure in definition.measures for name in FURTHER[measure].parameters}
    left = {*APART, *OF_BEHAVIOUR} - asked
    chosen = {k: v for k, v in own.items() if v != usual[k] or k not in left}
    if not isinstance(definition.weights, str):
        chosen["weights"] = {  # by label, or by all digits where that is cut off
            label(g) if float(label(g)) == g else repr(g): gain for g, gain in definition.weights
        }
    return chosen


def read_definition(path: Path, default: Definition = DEFAULT) -> tuple[Definition, Filters]:
    """Definition and filters of a file.

    Raises
    ------
    OSError : it can't be read
    ValueError : as of `from_toml`, with the file's name and what to do
    """
    return read_file(path, lambda text: from_toml(text, default))


def from_toml(text: str, default: Definition = DEFAULT) -> tuple[Definition, Filters]:
    """Definition and filters of a definition.toml; what it leaves out is as in `default`.

    Raises
    ------
    ValueError : not TOML, or a table, name or value that is not offered
    """
    made, usuals = list[Any](), (default, Filters())
    for name, values, usual in zip(TABLES, tables_of(text, TABLES), usuals, strict=True):
        chosen = {key: tuple(v) if isinstance(v, list) else v for key, v in values.items()}
        if "weights" in values:
            chosen["weights"] = _read_weights(values["weights"])
        made.append(with_values(usual, name, chosen))
    return made[0], made[1]


def _read_weights(given: Any) -> str | tuple[tuple[float, float], ...]:
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
