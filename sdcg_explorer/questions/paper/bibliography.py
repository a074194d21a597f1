"""BibTeX of every source that a methods text names, by its reference or by a method's name."""

from __future__ import annotations

from dataclasses import dataclass, field

from sdcg_explorer.scoring.definition import REFERENCES


@dataclass(frozen=True)
class Source:
    """A source: kind and key of its entry, and fields in LaTeX."""

    kind: str
    key: str
    author: str
    title: str
    year: int
    more: dict[str, str] = field(default_factory=dict[str, str])

    def bibtex(self) -> str:
        """The entry."""
        fields = {"author": self.author, "title": self.title, **self.more, "year": str(self.year)}
        said = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
        return f"@{self.kind}{{{self.key},\n{said}\n}}\n"


def _talk(
    key: str, author: str, title: str, year: int, booktitle: str, pages: str = "", doi: str = ""
) -> Source:
    more = {"booktitle": booktitle, "pages": pages, "doi": doi}
    return Source("inproceedings", key, author, title, year, {k: v for k, v in more.items() if v})


def _article(
    key: str, author: str, title: str, year: int, journal: str, volume: str, pages: str, doi: str
) -> Source:
    number = {"number": volume.partition("(")[2].rstrip(")")} if "(" in volume else {}
    more = {"journal": journal, "volume": volume.partition("(")[0], **number, "pages": pages}
    return Source("article", key, author, title, year, more | ({"doi": doi} if doi else {}))


OF_REFERENCES = {  # by the keys of REFERENCES
    "S08": _talk(
        "jarvelin2008discounted",
        r"J{\"a}rvelin, Kalervo and Price, Susan L. and Delcambre, Lois M. L. and Nielsen, "
        "Marianne Lykke",
        "Discounted Cumulated Gain Based Evaluation of Multiple-Query {IR} Sessions",
        2008,
        "Advances in Information Retrieval ({ECIR} 2008)",
        "4--15",
        "10.1007/978-3-540-78646-7_4",
    ),
    "JK02": _article(
        "jarvelin2002cumulated",
        r"J{\"a}rvelin, Kalervo and Kek{\"a}l{\"a}inen, Jaana",
        "Cumulated Gain-Based Evaluation of {IR} Techniques",
        2002,
        "ACM Transactions on Information Systems",
        "20(4)",
        "422--446",
        "10.1145/582415.582418",
    ),
    "B05": _talk(
        "burges2005learning",
        "Burges, Chris and Shaked, Tal and Renshaw, Erin and Lazier, Ari and Deeds, Matt and "
        "Hamilton, Nicole and Hullender, Greg",
        "Learning to Rank Using Gradient Descent",
        2005,
        "Proceedings of the 22nd International Conference on Machine Learning ({ICML})",
        "89--96",
        "10.1145/1102351.1102363",
    ),
    "K11": _talk(
        "kanoulas2011evaluating",
        "Kanoulas, Evangelos and Carterette, Ben and Clough, Paul D. and Sanderson, Mark",
        "Evaluating Multi-Query Sessions",
        2011,
        "Proceedings of the 34th International {ACM SIGIR} Conference",
        "1053--1062",
        "10.1145/2009916.2010056",
    ),
    "L19": _talk(
        "lipani2019user",
        "Lipani, Aldo and Carterette, Ben and Yilmaz, Emine",
        "From a User Model for Query Sessions to Session Rank Biased Precision ({sRBP})",
        2019,
        "Proceedings of the 2019 {ACM SIGIR} International Conference on Theory of Information "
        "Retrieval ({ICTIR})",
        "109--116",
        "10.1145/3341981.3344216",
    ),
    "DD": _talk(
        "yang2016dynamic",
        "Yang, Grace Hui and Soboroff, Ian",
        "{TREC} 2016 Dynamic Domain Track Overview",
        2016,
        "Proceedings of the Twenty-Fifth Text {REtrieval} Conference ({TREC} 2016)",
    ),
    "MZ08": _article(
        "moffat2008rank",
        "Moffat, Alistair and Zobel, Justin",
        "Rank-Biased Precision for Measurement of Retrieval Effectiveness",
        2008,
        "ACM Transactions on Information Systems",
        "27(1)",
        "2:1--2:27",
        "10.1145/1416950.1416952",
    ),
    "MBST17": _article(
        "moffat2017incorporating",
        "Moffat, Alistair and Bailey, Peter and Scholer, Falk and Thomas, Paul",
        "Incorporating User Expectations and Behavior into the Measurement of Search Effectiveness",
        2017,
        "ACM Transactions on Information Systems",
        "35(3)",
        "24:1--24:38",
        "10.1145/3052768",
    ),
    "CMZG09": _talk(
        "chapelle2009expected",
        "Chapelle, Olivier and Metzler, Donald and Zhang, Ya and Grinspan, Pierre",
        "Expected Reciprocal Rank for Graded Relevance",
        2009,
        "Proceedings of the 18th {ACM} Conference on Information and Knowledge Management ({CIKM})",
        "621--630",
        "10.1145/1645953.1646033",
    ),
    "SA07": _talk(
        "sakai2007alternatives",
        "Sakai, Tetsuya",
        "Alternatives to Bpref",
        2007,
        "Proceedings of the 30th International {ACM SIGIR} Conference",
        "71--78",
        "10.1145/1277741.1277756",
    ),
}
OF_METHODS = {  # by what a methods text calls them
    "bootstrap-t": _article(
        "diciccio1996bootstrap",
        "DiCiccio, Thomas J. and Efron, Bradley",
        "Bootstrap Confidence Intervals",
        1996,
        "Statistical Science",
        "11(3)",
        "189--228",
        "10.1214/ss/1032280214",
    ),
    "CR2": _article(
        "pustejovsky2018small",
        "Pustejovsky, James E. and Tipton, Elizabeth",
        "Small-Sample Methods for Cluster-Robust Variance Estimation and Hypothesis Testing in "
        "Fixed Effects Models",
        2018,
        r"Journal of Business \& Economic Statistics",
        "36(4)",
        "672--683",
        "10.1080/07350015.2016.1247004",
    ),
    "Satterthwaite": _article(
        "satterthwaite1946approximate",
        "Satterthwaite, Franklin E.",
        "An Approximate Distribution of Estimates of Variance Components",
        1946,
        "Biometrics Bulletin",
        "2(6)",
        "110--114",
        "10.2307/3002019",
    ),
    "Holm": _article(
        "holm1979simple",
        "Holm, Sture",
        "A Simple Sequentially Rejective Multiple Test Procedure",
        1979,
        "Scandinavian Journal of Statistics",
        "6(2)",
        "65--70",
        "",
    ),
    "Hedges": _article(
        "hedges1981distribution",
        "Hedges, Larry V.",
        "Distribution Theory for Glass's Estimator of Effect Size and Related Estimators",
        1981,
        "Journal of Educational Statistics",
        "6(2)",
        "107--128",
        "10.3102/10769986006002107",
    ),
    "McNemar": _article(
        "mcnemar1947note",
        "McNemar, Quinn",
        "Note on the Sampling Error of the Difference Between Correlated Proportions or "
        "Percentages",
        1947,
        "Psychometrika",
        "12(2)",
        "153--157",
        "10.1007/BF02295996",
    ),
    "Wilson": _article(
        "wilson1927probable",
        "Wilson, Edwin B.",
        "Probable Inference, the Law of Succession, and Statistical Inference",
        1927,
        "Journal of the American Statistical Association",
        "22(158)",
        "209--212",
        "10.1080/01621459.1927.10502953",
    ),
}


# by how a text names them, those of the definition first
NAMED = {REFERENCES[key]: source for key, source in OF_REFERENCES.items()} | OF_METHODS


def sources_of(text: str) -> list[Source]:
    """Sources that a text names, those of the definition first."""
    return [source for name, source in NAMED.items() if name in text]


def bibtex(text: str) -> str:
    """BibTeX of the sources that a text names."""
    return "\n".join(source.bibtex() for source in sources_of(text))
