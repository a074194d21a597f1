"""What made an export: this software, Python, and what the numbers depend on."""

from __future__ import annotations

import platform
import re
from dataclasses import dataclass
from fnmatch import fnmatch
from importlib.metadata import version
from pathlib import Path

PACKAGES = ("sdcg-explorer", "numpy", "pandas", "scipy", "plotly")
MADE_BY = re.compile(r"^Made with .*\bsdcg-explorer (\d+)\.(\d+)", re.M)  # in a bundle's README.txt


@dataclass(frozen=True)
class Changed:
    """Columns of a bundle's files in which 1.0 wrote other numbers of the same study, and why.

    grades : the choice of the definition under which they changed; "" whatever it is
    """

    files: str
    columns: tuple[str, ...]
    why: str
    grades: str = ""


FEW = "means of groups under ten searchers have intervals by t"
CHANGED_SINCE_1 = (  # as the changelog's Numbers
    Changed(
        "*",
        ("rbp_last", "inst_last", "err_last", "ndcg_last"),
        "undefined where the last query is not known",
    ),
    Changed("figures/*", ("last_best",), "counted before the query discount"),
    Changed("comparison/outcomes.csv", ("low", "high"), "over tasks instead of runs"),
    *(
        Changed(f"figures/{each}.csv", ("low", "high"), FEW)
        for each in ("means*", "under_*", "gain_per_cost")
    ),
    Changed(
        "*",
        (
            *("final_normalised", "average_normalised", "ideal_sdcg", "ndcg", "lndcg", "esndcg"),
            *("relevant_found", "relative_recall", "recall_effort", "union_recall", "union_ndcg"),
            *("mean_ndcg", "mean_lndcg", "mean_relative_recall", "mean_recall_effort"),
            *("normalised", "normalised_low", "normalised_high", "saw_tooth"),
        ),
        "the ideal is made of the searchers' grades",
        grades="searcher",
    ),
)


def changed_since_1(file: str, grades: str) -> dict[str, str]:
    """Why columns of a bundle's file hold other numbers than 1.0 wrote, by column."""
    known = [each for each in CHANGED_SINCE_1 if fnmatch(file, each.files)]
    return {
        name: each.why for each in known if each.grades in ("", grades) for name in each.columns
    }


def versions() -> str:
    """Names and versions, in a row."""
    return ", ".join(
        [f"Python {platform.python_version()}", *(f"{name} {version(name)}" for name in PACKAGES)]
    )


def made_by(readme: Path | None) -> str:
    """The older major version that made a bundle, as "1.0"; "" where its README.txt names none."""
    text = readme.read_text(encoding="utf-8", errors="replace") if readme else ""
    found, ours = MADE_BY.search(text), int(version("sdcg-explorer").partition(".")[0])
    return f"{found[1]}.{found[2]}" if found and int(found[1]) < ours else ""
