"""Pathak, Azzopardi & Halvey, CHIIR 2024: five layouts of result cards, of released tables."""

from pathlib import Path

from benchmarks.published.rows import Part, number, sentence, words
from sdcg_explorer.notebook import asking, opening

STUDY = "chiir24-layouts"
TITLE = "Pathak et al. 2024: layouts of result cards"


def layouts(folder: Path) -> Part:
    """The printed design and sentence beside what the tables give."""
    study = opening.read(*(folder / name for name in ("log.csv", "judgments.csv", "sessions.csv")))
    compared = asking.compare(study, score="satisfaction")
    pairs = compared.tables["comparison"]
    texts = study.queries[["topic", "text"]].drop_duplicates().groupby("topic").size()
    people = study.sessions["searcher"].nunique()
    means = dict(zip(pairs["system_a"], pairs["mean_a"], strict=True))
    means |= dict(zip(pairs["system_b"], pairs["mean_b"], strict=True))
    said = ", ".join(f"{name} {mean:.2f}" for name, mean in sorted(means.items()))
    apart = pairs["p_holm"].min()
    unlike = "The released tables name one more searcher."
    return Part(
        TITLE,
        words("layouts"),
        (
            number("participants", "164", float(people), unlike),
            number("layouts", "5", float(study.sessions["system"].nunique())),
            number("topics", "4", float(len(texts))),
            number("distinct queries of each topic, fewest", "6", float(texts.min())),
            number("distinct queries of each topic, most", "6", float(texts.max())),
            sentence(
                "satisfaction with a session, by layout",
                "there exists no linear relationship between the performance of the query, "
                "presentation of results and user satisfaction",
                f"{compared.sentence.splitlines()[0]} Means: {said}",
                bool(apart >= 0.05),
                "Of presentation alone.",
            ),
        ),
        needs=True,
    )
