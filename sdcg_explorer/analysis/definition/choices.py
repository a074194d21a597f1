"""Every option of the definition's choices: in plain words, in the sentence, and by whom."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sdcg_explorer.metrics import FORMS
from sdcg_explorer.metrics.user_models import LEAST_WANTED, RULES


@dataclass(frozen=True)
class Parameter:
    """A parameter of further measures: what it is, how it is written, and which values it has.

    words : in a line · sign : in a sentence · why : it has no less, where said
    """

    words: str
    sign: str
    least: float
    most: float
    why: str = ""

    def has(self, value: float) -> bool:
        """Whether a value is one of it."""
        return self.least <= value <= self.most

    @property
    def ends(self) -> str:
        """Which values it has, in words."""
        return f"from {self.least:g} to {self.most:g}{self.why and f', for {self.why}'}"


@dataclass(frozen=True)
class Further:
    """A further measure: its name in words, its parameters, and where it comes from."""

    words: str
    parameters: tuple[str, ...]
    reference: str


PARAMETERS = {
    "p": Parameter("chance to look at the next result", "p", 0.0, 0.999),
    "srbp_b": Parameter("of those who go on, the share that reads on", "b", 0.0, 1.0),
    "inst_t": Parameter(
        "documents that a searcher wants",
        "T",
        LEAST_WANTED,
        1_000.0,
        "with less chances to go on pass 1 in lists full of gain",
    ),
    "p_reform": Parameter("chance to ask the next query", "p_reform", 0.0, 1.0),
    "p_down": Parameter("chance to read on", "p_down", 0.0, 1.0),
}
ERR_RULES = tuple(RULES)
NAMES = (*PARAMETERS, "err_rule")  # fields of a definition
MEASURES = "measures"  # the field that asks for some
FITTED_TO = "fitted_to"  # the field that says from which study parameters come
LONGEST_NOTE = 300  # letters of it
OVER_HIGHEST = {"rbp", "srbp", "inst"}  # whose gains are shares of the definition's highest
FURTHER = {
    "ndcg": Further("nDCG", (), "JK02"),
    "rbp": Further("RBP", ("p",), "MZ08"),
    "srbp": Further("sRBP", ("srbp_b", "p"), "L19"),
    "inst": Further("INST", ("inst_t",), "MBST17"),
    "err": Further("ERR", ("err_rule",), "CMZG09"),
    "esndcg": Further("esNDCG", ("p_reform", "p_down"), "K11"),
}


def with_parameters(name: str, definition: Any) -> str:
    """A further measure with its parameters, as a definition has them.

    >>> from sdcg_explorer.analysis.definition.definition import DEFAULT
    >>> with_parameters("srbp", DEFAULT), with_parameters("err", DEFAULT)
    ('sRBP (b = 0.75, p = 0.9)', 'ERR (rule gdeval)')
    >>> with_parameters("ndcg", DEFAULT)
    'nDCG'
    """
    of = FURTHER[name]
    signs = {key: f"{each.sign} = " for key, each in PARAMETERS.items()} | {"err_rule": "rule "}
    said = [f"{signs[key]}{written(definition, key)}" for key in of.parameters]
    return f"{of.words} ({', '.join(said)})" if said else of.words


def written(definition: Any, name: str) -> str:
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


def not_of(score: str) -> set[str]:
    """Fields about further measures, and of a fit, that a score does not depend on.

    >>> sorted(not_of("srbp"))
    ['err_rule', 'fitted_to', 'inst_t', 'measures', 'p_down', 'p_reform']
    """
    own = FURTHER[name].parameters if (name := further_of(score)) else ()
    return {MEASURES, FITTED_TO, *NAMES} - {*own}


FORM, MEASURE = "discount", "measure"  # that a fit is of


def noted(definition: Any, names: Iterable[str], study: str, measure: str = "") -> str:
    """The note that these fields of a definition, of a further `measure`, were fitted to a study.

    >>> from sdcg_explorer.analysis.definition.definition import Definition
    >>> note = noted(Definition(b=3.0), ["b", "bq"], "S (9 sessions)")
    >>> fit_in_force(Definition(b=3.0, fitted_to=note))
    (['b = 3', 'bq = 4'], 'S (9 sessions)')
    >>> fit_in_force(Definition(b=5.0, fitted_to=note))
    """
    of = [f"{MEASURE}={name}" for name in [measure] if name]
    values = [f"{name}={written(definition, name)}" for name in names]
    return f"{' '.join([*of, *values])}; {study}"[:LONGEST_NOTE]


def fit_in_force(definition: Any) -> tuple[list[str], str] | None:
    """Parameters that were fitted, and the study; None once one of them is another."""
    values, _, study = definition.fitted_to.partition("; ")
    named = [part.partition("=") for part in values.split()]
    known = {"b", "bq", FORM, *PARAMETERS}

    def holds(name: str, own: str) -> bool:
        if name == MEASURE:
            return own in definition.measures
        return name in known and written(definition, name) == own

    if not (named and study and all(holds(name, own) for name, _, own in named)):
        return None
    return [f"{n} = {value}" for n, _, value in named if n not in (FORM, MEASURE)], study


REFERENCES = {
    "S08": (
        "K. Järvelin, S. L. Price, L. M. L. Delcambre, M. Lykke Nielsen: Discounted cumulated gain "
        "based evaluation of multiple-query IR sessions. ECIR 2008."
    ),
    "JK02": (
        "K. Järvelin, J. Kekäläinen: Cumulated gain-based evaluation of IR techniques. ACM "
        "Transactions on Information Systems 20(4), 2002."
    ),
    "B05": (
        "C. Burges, T. Shaked, E. Renshaw, A. Lazier, M. Deeds, N. Hamilton, G. Hullender: "
        "Learning to rank using gradient descent. ICML 2005."
    ),
    "K11": (
        "E. Kanoulas, B. Carterette, P. D. Clough, M. Sanderson: Evaluating multi-query sessions. "
        "SIGIR 2011."
    ),
    "L19": (
        "A. Lipani, B. Carterette, E. Yilmaz: From a user model for query sessions to session rank "
        "biased precision (sRBP). ICTIR 2019."
    ),
    "DD": (
        "G. H. Yang, I. Soboroff: TREC 2016 Dynamic Domain Track overview. TREC 2016 (and the "
        "track's program)."
    ),
    "MZ08": (
        "A. Moffat, J. Zobel: Rank-biased precision for measurement of retrieval effectiveness. "
        "ACM Transactions on Information Systems 27(1), 2008."
    ),
    "MBST17": (
        "A. Moffat, P. Bailey, F. Scholer, P. Thomas: Incorporating user expectations and behavior "
        "into the measurement of search effectiveness. ACM Transactions on Information Systems "
        "35(3), 2017."
    ),
    "CMZG09": (
        "O. Chapelle, D. Metzler, Y. Zhang, P. Grinspan: Expected reciprocal rank for graded "
        "relevance. CIKM 2009."
    ),
    "SA07": "T. Sakai: Alternatives to Bpref. SIGIR 2007.",
}
AUTHORS = {
    "S08": "Järvelin et al. 2008",
    "JK02": "Järvelin & Kekäläinen 2002",
    "B05": "Burges et al. 2005",
    "K11": "Kanoulas et al. 2011",
    "L19": "Lipani et al. 2019",
    "DD": "TREC Dynamic Domain",
    "SA07": "Sakai 2007",
    "MZ08": "Moffat & Zobel 2008",
    "MBST17": "Moffat et al. 2017",
    "CMZG09": "Chapelle et al. 2009",
}
OURS = "no published source"


@dataclass(frozen=True)
class Choice:
    """One option: a line of plain words, its clause in the sentence, and where it comes from."""

    words: str
    clause: str
    reference: str = ""
    place: str = ""

    @property
    def source(self) -> str:
        """Who describes it, and where."""
        return f"{AUTHORS.get(self.reference, OURS)}{self.place and ', '}{self.place}"

    @property
    def line(self) -> str:
        """Its plain words with their source, as the panel shows them."""
        return f"{self.words} ({self.source})"


LEAST = "at least"
OPTIONS: dict[str, dict[str, Choice]] = {
    "preset": {
        "ecir2008": Choice("Gains 0, 1, 10, 100; every appearance counts.", "", "S08"),
        "session-track": Choice("Gain 2 to the grade, less 1; its own discounts.", "", "K11"),
        "dynamic-domain": Choice(
            "Gain is the grade, and a document counts once.", "", "DD", "there bounded otherwise"
        ),
        "linear": Choice("ECIR 2008 where gain is the grade.", "", "JK02"),
        "agents": Choice(
            "Gain is the grade. An agent reads all that is in its window, so b = ∞ to the top X; "
            "a later call still counts, the tenth half as much, so bq = 10; a document found again "
            "brings nothing, so repeats count once, and the ideal has each document once.",
            "",
        ),
    },
    "discount": {
        name: Choice(form.words, "", form.reference, form.place) for name, form in FORMS.items()
    },
    "repeats": {
        "every": Choice(
            "A document shown again counts each time.", "a repeat counts every time", "S08", "§3"
        ),
        "first": Choice(
            "A document shown again counts once, at its first place.",
            "a repeat counts once, at first",
            "DD",
        ),
    },
    "ideal": {
        "repeated": Choice(
            "Each query returns its topic's best list.",
            "ideal: each query returns its topic's best list",
            "S08",
            "§3.3",
        ),
        "spread": Choice(
            "Each judged document once, the best way at every position.",
            "ideal: each judged document once, the best way at every position",
            "DD",
            "there bounded otherwise",
        ),
    },
    "unjudged": {
        "zero": Choice(
            "A result that nobody judged gains 0.", "an unjudged result gains 0", "S08", "§3"
        ),
        "condense": Choice(
            "Unjudged results are taken out, and ranks counted anew.",
            "unjudged results are taken out and ranks counted anew",
            "SA07",
            "condensed lists",
        ),
    },
    "after_stop": {
        "hold": Choice(
            "A session keeps its share of the ideal after its last query.",
            "after its last query a session keeps its share of the ideal",
            "S08",
            "§3.3",
        ),
        "ideal-continues": Choice(
            "The ideal goes on to the longest session; the session's gain stays.",
            "after its last query a session's ideal goes on",
        ),
    },
    "average": {
        "mean-of-ratios": Choice(
            "Each session's share first, then their mean.",
            "averages are means of the sessions' shares",
            "S08",
            "§4",
        ),
        "ratio-of-means": Choice(
            "Mean gain over mean ideal: long sessions on rich topics weigh more.",
            "averages are the mean gain over the mean ideal",
            "S08",
            "Appendix eq. 5",
        ),
    },
    "others": {
        "pooled": Choice(
            "All other queries weigh the same.", "other queries weigh the same", "S08", "Figure 1"
        ),
        "per-session": Choice(
            "Other queries are averaged within their session first.",
            "other queries are averaged within their session first",
        ),
    },
    "grades": {
        "judgments": Choice("Grades are the judges'.", "", "S08", "§3"),
        "searcher": Choice(
            "Grades are the searcher's own; the ideal has each document at the best grade that any "
            "searcher gave it on that topic.",
            "grades are the searcher's own, the ideal has each document at the best that any "
            "searcher gave it on that topic",
            "S08",
            "§4",
        ),
    },
    "short_lists": {
        "pad": Choice(
            "A short list is filled with gain 0 to the top X.",
            "short lists padded with gain 0",
            "S08",
        ),
        "as-is": Choice(
            "A short list has as many cells as results, and so has its ideal.",
            "short lists as they are (their ideal is as short)",
        ),
        "observed": Choice(
            "A list counts to the deepest result clicked or examined, and so does its ideal.",
            "each to the deepest result clicked or examined (its ideal is as short)",
        ),
        LEAST: Choice(
            "A short list has at least so many cells, and so has its ideal.",
            "short lists padded to {least} (their ideal is as short)",
        ),
    },
    "weights": {
        "paper": Choice("Gains 0, 1, 10, 100: ten times for each grade.", "", "S08", "§3.1"),
        "linear": Choice("Gain is the grade.", "", "JK02"),
        "exponential": Choice("Gain is 2 to the grade, less 1.", "", "B05"),
        "binary": Choice("Gain 1 for every grade from 1 on.", "", "JK02", "liberal"),
        "strict": Choice("Gain 1 for the highest grade alone.", "", "JK02", "strict"),
        "custom": Choice("Gains of your own.", ""),
    },
    "bases": {
        "b": Choice(
            "Patience with rank: near 1 only the first results count, at 10 most of a page does.",
            "",
            "S08",
            "Appendix eq. 2",
        ),
        "bq": Choice(
            "Patience with queries: near 1 only the first counts, at 10 later ones count too.",
            "",
            "S08",
            "eq. 1",
        ),
        "top": Choice("The paper counts ten.", "", "S08", "§3"),
    },
}
