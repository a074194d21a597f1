"""BibTeX of every source that a methods text names, by its reference or by a method's name."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Source:
    """A source, braces as in LaTeX; an article if it has a volume, or else of proceedings."""

    key: str
    author: str
    title: str
    year: int
    where: str
    pages: str = ""
    doi: str = ""
    volume: str = ""

    @property
    def reference(self) -> str:
        """As a methods text has it.

        >>> OF_REFERENCES["JK02"].reference  # doctest: +ELLIPSIS
        'Kalervo Järvelin, Jaana Kekäläinen: Cumulated Gain-Based ... Systems 20(4), 2002.'
        """
        names = (" ".join(reversed(name.split(", "))) for name in self.author.split(" and "))
        where = " ".join(filter(None, (self.where, self.volume)))
        return re.sub("[{}]", "", f"{', '.join(names)}: {self.title}. {where}, {self.year}.")

    def bibtex(self) -> str:
        """The entry."""
        kind, within = ("article", "journal") if self.volume else ("inproceedings", "booktitle")
        volume, _, number = self.volume.rstrip(")").partition("(")
        fields = {
            "author": self.author.replace("ä", r"{\"a}"),
            "title": self.title,
            within: self.where,
            "volume": volume,
        }
        fields |= {"number": number, "pages": self.pages, "doi": self.doi, "year": str(self.year)}
        said = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items() if value)
        return f"@{kind}{{{self.key},\n{said}\n}}\n"


OF_REFERENCES = {  # by the keys of AUTHORS in scoring/definition.py
    "S08": Source(
        "jarvelin2008discounted",
        "Järvelin, Kalervo and Price, Susan L. and Delcambre, Lois M. L. and Nielsen, "
        "Marianne Lykke",
        "Discounted Cumulated Gain Based Evaluation of Multiple-Query {IR} Sessions",
        2008,
        "Advances in Information Retrieval ({ECIR} 2008)",
        "4--15",
        "10.1007/978-3-540-78646-7_4",
    ),
    "JK02": Source(
        "jarvelin2002cumulated",
        "Järvelin, Kalervo and Kekäläinen, Jaana",
        "Cumulated Gain-Based Evaluation of {IR} Techniques",
        2002,
        "ACM Transactions on Information Systems",
        "422--446",
        "10.1145/582415.582418",
        "20(4)",
    ),
    "B05": Source(
        "burges2005learning",
        "Burges, Chris and Shaked, Tal and Renshaw, Erin and Lazier, Ari and Deeds, Matt and "
        "Hamilton, Nicole and Hullender, Greg",
        "Learning to Rank Using Gradient Descent",
        2005,
        "Proceedings of the 22nd International Conference on Machine Learning ({ICML})",
        "89--96",
        "10.1145/1102351.1102363",
    ),
    "K11": Source(
        "kanoulas2011evaluating",
        "Kanoulas, Evangelos and Carterette, Ben and Clough, Paul D. and Sanderson, Mark",
        "Evaluating Multi-Query Sessions",
        2011,
        "Proceedings of the 34th International {ACM SIGIR} Conference",
        "1053--1062",
        "10.1145/2009916.2010056",
    ),
    "L19": Source(
        "lipani2019user",
        "Lipani, Aldo and Carterette, Ben and Yilmaz, Emine",
        "From a User Model for Query Sessions to Session Rank Biased Precision ({sRBP})",
        2019,
        "Proceedings of the 2019 {ACM SIGIR} International Conference on Theory of Information "
        "Retrieval ({ICTIR})",
        "109--116",
        "10.1145/3341981.3344216",
    ),
    "DD": Source(
        "yang2016dynamic",
        "Yang, Grace Hui and Soboroff, Ian",
        "{TREC} 2016 Dynamic Domain Track Overview",
        2016,
        "Proceedings of the Twenty-Fifth Text {REtrieval} Conference ({TREC} 2016)",
    ),
    "F05": Source(
        "fox2005evaluating",
        "Fox, Steve and Karnawat, Kuldeep and Mydland, Mark and Dumais, Susan and White, Thomas",
        "Evaluating Implicit Measures to Improve Web Search",
        2005,
        "ACM Transactions on Information Systems",
        "147--168",
        "10.1145/1059981.1059982",
        "23(2)",
    ),
    "MZ08": Source(
        "moffat2008rank",
        "Moffat, Alistair and Zobel, Justin",
        "Rank-Biased Precision for Measurement of Retrieval Effectiveness",
        2008,
        "ACM Transactions on Information Systems",
        "2:1--2:27",
        "10.1145/1416950.1416952",
        "27(1)",
    ),
    "MBST17": Source(
        "moffat2017incorporating",
        "Moffat, Alistair and Bailey, Peter and Scholer, Falk and Thomas, Paul",
        "Incorporating User Expectations and Behavior into the Measurement of Search Effectiveness",
        2017,
        "ACM Transactions on Information Systems",
        "24:1--24:38",
        "10.1145/3052768",
        "35(3)",
    ),
    "CMZG09": Source(
        "chapelle2009expected",
        "Chapelle, Olivier and Metzler, Donald and Zhang, Ya and Grinspan, Pierre",
        "Expected Reciprocal Rank for Graded Relevance",
        2009,
        "Proceedings of the 18th {ACM} Conference on Information and Knowledge Management ({CIKM})",
        "621--630",
        "10.1145/1645953.1646033",
    ),
    "SA07": Source(
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
    "bootstrap-t intervals": Source(
        "diciccio1996bootstrap",
        "DiCiccio, Thomas J. and Efron, Bradley",
        "Bootstrap Confidence Intervals",
        1996,
        "Statistical Science",
        "189--228",
        "10.1214/ss/1032280214",
        "11(3)",
    ),
    "CR2": Source(
        "pustejovsky2018small",
        "Pustejovsky, James E. and Tipton, Elizabeth",
        "Small-Sample Methods for Cluster-Robust Variance Estimation and Hypothesis Testing in "
        "Fixed Effects Models",
        2018,
        r"Journal of Business \& Economic Statistics",
        "672--683",
        "10.1080/07350015.2016.1247004",
        "36(4)",
    ),
    "Satterthwaite": Source(
        "satterthwaite1946approximate",
        "Satterthwaite, Franklin E.",
        "An Approximate Distribution of Estimates of Variance Components",
        1946,
        "Biometrics Bulletin",
        "110--114",
        "10.2307/3002019",
        "2(6)",
    ),
    "Holm": Source(
        "holm1979simple",
        "Holm, Sture",
        "A Simple Sequentially Rejective Multiple Test Procedure",
        1979,
        "Scandinavian Journal of Statistics",
        "65--70",
        "",
        "6(2)",
    ),
    "Hedges' g": Source(
        "hedges1981distribution",
        "Hedges, Larry V.",
        "Distribution Theory for Glass's Estimator of Effect Size and Related Estimators",
        1981,
        "Journal of Educational Statistics",
        "107--128",
        "10.3102/10769986006002107",
        "6(2)",
    ),
    "McNemar": Source(
        "mcnemar1947note",
        "McNemar, Quinn",
        "Note on the Sampling Error of the Difference Between Correlated Proportions or "
        "Percentages",
        1947,
        "Psychometrika",
        "153--157",
        "10.1007/BF02295996",
        "12(2)",
    ),
    "Wilson": Source(
        "wilson1927probable",
        "Wilson, Edwin B.",
        "Probable Inference, the Law of Succession, and Statistical Inference",
        1927,
        "Journal of the American Statistical Association",
        "209--212",
        "10.1080/01621459.1927.10502953",
        "22(158)",
    ),
    "Ferrante, Ferro & Fuhr 2021": Source(
        "ferrante2021meaningful",
        "Ferrante, Marco and Ferro, Nicola and Fuhr, Norbert",
        "Towards Meaningful Statements in {IR} Evaluation: Mapping Evaluation Measures to Interval "
        "Scales",
        2021,
        "{IEEE} Access",
        "136182--136216",
        "10.1109/ACCESS.2021.3116857",
        "9",
    ),
    "Moffat 2022": Source(
        "moffat2022batch",
        "Moffat, Alistair",
        "Batch Evaluation Metrics in Information Retrieval: Measures, Scales, and Meaning",
        2022,
        "{IEEE} Access",
        "105564--105577",
        "10.1109/ACCESS.2022.3211668",
        "10",
    ),
    "Simonsohn, Simmons and Nelson 2020": Source(
        "simonsohn2020specification",
        "Simonsohn, Uri and Simmons, Joseph P. and Nelson, Leif D.",
        "Specification Curve Analysis",
        2020,
        "Nature Human Behaviour",
        "1208--1214",
        "10.1038/s41562-020-0912-z",
        "4(11)",
    ),
    "Steegen et al. 2016": Source(
        "steegen2016increasing",
        "Steegen, Sara and Tuerlinckx, Francis and Gelman, Andrew and Vanpaemel, Wolf",
        "Increasing Transparency Through a Multiverse Analysis",
        2016,
        "Perspectives on Psychological Science",
        "702--712",
        "10.1177/1745691616658637",
        "11(5)",
    ),
    "Lipani et al. 2019": OF_REFERENCES["L19"],
}


# by how a text names them, those of the definition first
NAMED = {source.reference: source for source in OF_REFERENCES.values()} | OF_METHODS


def cited_sources(text: str) -> list[Source]:
    """Sources that a text names, those of the definition first."""
    return [*dict.fromkeys(source for name, source in NAMED.items() if name in text)]


def bibtex(text: str) -> str:
    """BibTeX of the sources that a text names."""
    return "\n".join(source.bibtex() for source in cited_sources(text))
