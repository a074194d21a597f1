"""What paper.md cites, as paper.bib: the software's own sources, and those of the paper alone."""

from __future__ import annotations

import re

from sdcg_explorer.questions.words.bibliography import OF_METHODS, OF_REFERENCES, Source

SIGIR_2016 = (
    "Proceedings of the 39th International {ACM SIGIR} Conference on Research and Development in "
    "Information Retrieval"
)
ECIR_2022 = "Advances in Information Retrieval ({ECIR} 2022)"


def _talk(
    key: str, author: str, title: str, year: int, booktitle: str, pages: str, doi: str
) -> Source:
    more = {"booktitle": booktitle, "pages": pages, "doi": doi}
    return Source("inproceedings", key, author, title, year, {k: v for k, v in more.items() if v})


FURTHER = (  # other people's programs and studies, which no methods text names
    _talk(
        "azzopardi2019cwl",
        "Azzopardi, Leif and Thomas, Paul and Moffat, Alistair",
        "cwl\\_eval: An Evaluation Tool for Information Retrieval",
        2019,
        "Proceedings of the 42nd International {ACM SIGIR} Conference on Research and Development "
        "in Information Retrieval",
        "1321--1324",
        "10.1145/3331184.3331398",
    ),
    _talk(
        "bassani2022ranx",
        "Bassani, Elias",
        "ranx: A Blazing-Fast {P}ython Library for Ranking Evaluation and Comparison",
        2022,
        ECIR_2022,
        "259--264",
        "10.1007/978-3-030-99739-7_30",
    ),
    _talk(
        "carterette2016evaluating",
        "Carterette, Ben and Clough, Paul and Hall, Mark and Kanoulas, Evangelos and Sanderson, "
        "Mark",
        "Evaluating Retrieval over Sessions: The {TREC} {S}ession {T}rack 2011--2014",
        2016,
        SIGIR_2016,
        "685--688",
        "10.1145/2911451.2914675",
    ),
    _talk(
        "jiang2016correlation",
        "Jiang, Jiepu and Allan, James",
        "Correlation Between System and User Metrics in a Session",
        2016,
        "Proceedings of the 2016 {ACM} Conference on Human Information Interaction and Retrieval "
        "({CHIIR})",
        "285--288",
        "10.1145/2854946.2855005",
    ),
    _talk(
        "macavaney2022streamlining",
        "MacAvaney, Sean and Macdonald, Craig and Ounis, Iadh",
        "Streamlining Evaluation with ir-measures",
        2022,
        ECIR_2022,
        "305--310",
        "10.1007/978-3-030-99739-7_38",
    ),
    _talk(
        "mao2016relevance",
        "Mao, Jiaxin and Liu, Yiqun and Zhou, Ke and Nie, Jian-Yun and Song, Jingtao and Zhang, "
        "Min and Ma, Shaoping and Sun, Jiashen and Luo, Hengliang",
        "When Does Relevance Mean Usefulness and User Satisfaction in Web Search?",
        2016,
        SIGIR_2016,
        "463--472",
        "10.1145/2911451.2911507",
    ),
    _talk(
        "maxwell2016simulating",
        "Maxwell, David and Azzopardi, Leif",
        "Simulating Interactive Information Retrieval: {SimIIR}: A Framework for the Simulation "
        "of Interaction",
        2016,
        SIGIR_2016,
        "1141--1144",
        "10.1145/2911451.2911469",
    ),
    _talk(
        "pathak2024influence",
        "Pathak, Kanaad and Azzopardi, Leif and Halvey, Martin",
        "The Influence of Presentation and Performance on User Satisfaction",
        2024,
        "Proceedings of the 2024 {ACM SIGIR} Conference on Human Information Interaction and "
        "Retrieval ({CHIIR})",
        "77--86",
        "10.1145/3627508.3638335",
    ),
    _talk(
        "seabold2010statsmodels",
        "Seabold, Skipper and Perktold, Josef",
        "statsmodels: Econometric and Statistical Modeling with {P}ython",
        2010,
        "Proceedings of the 9th {P}ython in Science Conference",
        "92--96",
        "10.25080/Majora-92bf1922-011",
    ),
    Source(
        "article",
        "simonsohn2020specification",
        "Simonsohn, Uri and Simmons, Joseph P. and Nelson, Leif D.",
        "Specification Curve Analysis",
        2020,
        {
            **{"journal": "Nature Human Behaviour", "volume": "4", "number": "11"},
            **{"pages": "1208--1214", "doi": "10.1038/s41562-020-0912-z"},
        },
    ),
    _talk(
        "vangysel2018pytrec",
        "Van Gysel, Christophe and de Rijke, Maarten",
        "Pytrec\\_eval: An Extremely Fast {P}ython Interface to trec\\_eval",
        2018,
        "The 41st International {ACM SIGIR} Conference on Research and Development in Information "
        "Retrieval",
        "873--876",
        "10.1145/3209978.3210065",
    ),
    Source(
        "article",
        "virtanen2020scipy",
        "Virtanen, Pauli and Gommers, Ralf and Oliphant, Travis E. and Haberland, Matt and Reddy, "
        "Tyler and Cournapeau, David and others",
        "{SciPy} 1.0: Fundamental Algorithms for Scientific Computing in {P}ython",
        2020,
        {
            **{"journal": "Nature Methods", "volume": "17", "number": "3"},
            **{"pages": "261--272", "doi": "10.1038/s41592-019-0686-2"},
        },
    ),
)
SOURCES = {s.key: s for s in (*OF_REFERENCES.values(), *OF_METHODS.values(), *FURTHER)}


def cited(text: str) -> list[str]:
    """Keys that a text cites, each once, in the alphabet's order.

    >>> cited("As said [see @b2020; @a2019, p. 3], and by @b2020.")
    ['a2019', 'b2020']
    """
    return sorted(set(re.findall(r"(?<![\w@.])@(\w+)", text)))


def bib(text: str) -> str:
    """BibTeX of what a text cites.

    Raises
    ------
    ValueError : it cites what is no source here
    """
    if unknown := set(cited(text)) - set(SOURCES):
        raise ValueError(f"no source for {', '.join(sorted(unknown))}: add it to references.py.")
    return "\n".join(SOURCES[key].bibtex() for key in cited(text))
