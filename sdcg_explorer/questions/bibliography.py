"""BibTeX of every source that a methods text names, by its reference or by a method's name."""

import re
from dataclasses import dataclass

WHERE = re.compile(r"(.+?)(?: (\d+)(?:\((\d+)\))?)?, (\d+)$")  # volume(number), and year
FIRST_WORD = re.compile(r"^(?:A |An |From a |Towards |{TREC} \d+ )?(\w+)")  # of a title


@dataclass(frozen=True)
class Source:
    """A source, braces as in LaTeX; an article if it has a volume, or else of proceedings."""

    author: str
    title: str
    where: str
    pages: str = ""
    doi: str = ""

    @property
    def key(self) -> str:
        """The first surname, the year, and the title's first telling word.

        >>> OF_REFERENCES["L19"].key
        'lipani2019user'
        """
        surname, word = self.author.partition(",")[0], FIRST_WORD.findall(self.title)[0]
        return f"{surname.replace('ä', 'a')}{self.where[-4:]}{word}".lower()

    @property
    def reference(self) -> str:
        """As a methods text has it.

        >>> OF_REFERENCES["JK02"].reference  # doctest: +ELLIPSIS
        'Kalervo Järvelin, Jaana Kekäläinen: Cumulated Gain-Based ... Systems 20(4), 2002.'
        """
        names = (" ".join(reversed(name.split(", "))) for name in self.author.split(" and "))
        return re.sub("[{}]", "", f"{', '.join(names)}: {self.title}. {self.where}.")

    def bibtex(self) -> str:
        """The entry."""
        ((place, volume, number, year),) = WHERE.findall(self.where)
        kind, within = ("article", "journal") if volume else ("inproceedings", "booktitle")
        fields = {
            "author": self.author.replace("ä", r"{\"a}"),
            **{"title": self.title, within: place, "volume": volume, "number": number},
            **{"pages": self.pages, "doi": self.doi, "year": year},
        }
        said = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items() if value)
        return f"@{kind}{{{self.key},\n{said}\n}}\n"


OF_REFERENCES = {  # by the keys of AUTHORS in scoring/definition.py
    "S08": Source(
        "Järvelin, Kalervo and Price, Susan L. and Delcambre, Lois M. L. and Nielsen, "
        "Marianne Lykke",
        "Discounted Cumulated Gain Based Evaluation of Multiple-Query {IR} Sessions",
        "Advances in Information Retrieval ({ECIR} 2008), 2008",
        "4--15",
        "10.1007/978-3-540-78646-7_4",
    ),
    "JK02": Source(
        "Järvelin, Kalervo and Kekäläinen, Jaana",
        "Cumulated Gain-Based Evaluation of {IR} Techniques",
        "ACM Transactions on Information Systems 20(4), 2002",
        "422--446",
        "10.1145/582415.582418",
    ),
    "B05": Source(
        "Burges, Chris and Shaked, Tal and Renshaw, Erin and Lazier, Ari and Deeds, Matt and "
        "Hamilton, Nicole and Hullender, Greg",
        "Learning to Rank Using Gradient Descent",
        "Proceedings of the 22nd International Conference on Machine Learning ({ICML}), 2005",
        "89--96",
        "10.1145/1102351.1102363",
    ),
    "K11": Source(
        "Kanoulas, Evangelos and Carterette, Ben and Clough, Paul D. and Sanderson, Mark",
        "Evaluating Multi-Query Sessions",
        "Proceedings of the 34th International {ACM SIGIR} Conference, 2011",
        "1053--1062",
        "10.1145/2009916.2010056",
    ),
    "L19": Source(
        "Lipani, Aldo and Carterette, Ben and Yilmaz, Emine",
        "From a User Model for Query Sessions to Session Rank Biased Precision ({sRBP})",
        "Proceedings of the 2019 {ACM SIGIR} International Conference on Theory of Information "
        "Retrieval ({ICTIR}), 2019",
        "109--116",
        "10.1145/3341981.3344216",
    ),
    "DD": Source(
        "Yang, Grace Hui and Soboroff, Ian",
        "{TREC} 2016 Dynamic Domain Track Overview",
        "Proceedings of the Twenty-Fifth Text {REtrieval} Conference ({TREC} 2016), 2016",
    ),
    "F05": Source(
        "Fox, Steve and Karnawat, Kuldeep and Mydland, Mark and Dumais, Susan and White, Thomas",
        "Evaluating Implicit Measures to Improve Web Search",
        "ACM Transactions on Information Systems 23(2), 2005",
        "147--168",
        "10.1145/1059981.1059982",
    ),
    "MZ08": Source(
        "Moffat, Alistair and Zobel, Justin",
        "Rank-Biased Precision for Measurement of Retrieval Effectiveness",
        "ACM Transactions on Information Systems 27(1), 2008",
        "2:1--2:27",
        "10.1145/1416950.1416952",
    ),
    "MBST17": Source(
        "Moffat, Alistair and Bailey, Peter and Scholer, Falk and Thomas, Paul",
        "Incorporating User Expectations and Behavior into the Measurement of Search Effectiveness",
        "ACM Transactions on Information Systems 35(3), 2017",
        "24:1--24:38",
        "10.1145/3052768",
    ),
    "CMZG09": Source(
        "Chapelle, Olivier and Metzler, Donald and Zhang, Ya and Grinspan, Pierre",
        "Expected Reciprocal Rank for Graded Relevance",
        "Proceedings of the 18th {ACM} Conference on Information and Knowledge Management "
        "({CIKM}), 2009",
        "621--630",
        "10.1145/1645953.1646033",
    ),
    "SA07": Source(
        "Sakai, Tetsuya",
        "Alternatives to Bpref",
        "Proceedings of the 30th International {ACM SIGIR} Conference, 2007",
        "71--78",
        "10.1145/1277741.1277756",
    ),
}
OF_METHODS = {  # by what a methods text calls them
    "bootstrap-t intervals": Source(
        "DiCiccio, Thomas J. and Efron, Bradley",
        "Bootstrap Confidence Intervals",
        "Statistical Science 11(3), 1996",
        "189--228",
        "10.1214/ss/1032280214",
    ),
    "CR2": Source(
        "Pustejovsky, James E. and Tipton, Elizabeth",
        "Small-Sample Methods for Cluster-Robust Variance Estimation and Hypothesis Testing in "
        "Fixed Effects Models",
        r"Journal of Business \& Economic Statistics 36(4), 2018",
        "672--683",
        "10.1080/07350015.2016.1247004",
    ),
    "Satterthwaite": Source(
        "Satterthwaite, Franklin E.",
        "An Approximate Distribution of Estimates of Variance Components",
        "Biometrics Bulletin 2(6), 1946",
        "110--114",
        "10.2307/3002019",
    ),
    "Holm": Source(
        "Holm, Sture",
        "A Simple Sequentially Rejective Multiple Test Procedure",
        "Scandinavian Journal of Statistics 6(2), 1979",
        "65--70",
    ),
    "Hedges' g": Source(
        "Hedges, Larry V.",
        "Distribution Theory for Glass's Estimator of Effect Size and Related Estimators",
        "Journal of Educational Statistics 6(2), 1981",
        "107--128",
        "10.3102/10769986006002107",
    ),
    "McNemar": Source(
        "McNemar, Quinn",
        "Note on the Sampling Error of the Difference Between Correlated Proportions or "
        "Percentages",
        "Psychometrika 12(2), 1947",
        "153--157",
        "10.1007/BF02295996",
    ),
    "Wilson": Source(
        "Wilson, Edwin B.",
        "Probable Inference, the Law of Succession, and Statistical Inference",
        "Journal of the American Statistical Association 22(158), 1927",
        "209--212",
        "10.1080/01621459.1927.10502953",
    ),
    "Ferrante, Ferro & Fuhr 2021": Source(
        "Ferrante, Marco and Ferro, Nicola and Fuhr, Norbert",
        "Towards Meaningful Statements in {IR} Evaluation: Mapping Evaluation Measures to Interval "
        "Scales",
        "{IEEE} Access 9, 2021",
        "136182--136216",
        "10.1109/ACCESS.2021.3116857",
    ),
    "Moffat 2022": Source(
        "Moffat, Alistair",
        "Batch Evaluation Metrics in Information Retrieval: Measures, Scales, and Meaning",
        "{IEEE} Access 10, 2022",
        "105564--105577",
        "10.1109/ACCESS.2022.3211668",
    ),
    "Simonsohn, Simmons and Nelson 2020": Source(
        "Simonsohn, Uri and Simmons, Joseph P. and Nelson, Leif D.",
        "Specification Curve Analysis",
        "Nature Human Behaviour 4(11), 2020",
        "1208--1214",
        "10.1038/s41562-020-0912-z",
    ),
    "Steegen et al. 2016": Source(
        "Steegen, Sara and Tuerlinckx, Francis and Gelman, Andrew and Vanpaemel, Wolf",
        "Increasing Transparency Through a Multiverse Analysis",
        "Perspectives on Psychological Science 11(5), 2016",
        "702--712",
        "10.1177/1745691616658637",
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
