"""Every option of the definition's choices: in plain words, in the sentence, and by whom."""

from __future__ import annotations

from dataclasses import dataclass

from sdcg_explorer.metrics import FORMS

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
