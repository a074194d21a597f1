"""What sessions, systems and topics of agents are called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.reading.raw_table import RawTable, texts_of
from sdcg_explorer.reading.table_kinds import Part, stem
from sdcg_explorer.study.arrays import Ints

SEPARATED = "::", "<::>"  # conversation and turn, in logs and in judgments


def names_topics(part: Part, asked: set[str]) -> bool:
    """Whether a table of two columns has all questions in one of them."""
    pairs = part.raw.rows.shape[1] == 2 and part.kind in ("other", "ratings", "judgments")
    return bool(asked) and pairs and any(asked <= texts for texts in _texts(part))


def _texts(part: Part) -> list[set[str]]:
    return [{text.strip() for text in texts_of(part.raw.rows[name])} for name in part.raw.header]


def by_question(parts: Sequence[Part]) -> dict[str, str]:
    """Question → topic, of tables that name both; questions are the longer texts."""
    named: dict[str, str] = {}
    for part in parts:
        columns = [part.raw.rows[name].astype("str").str.strip() for name in part.raw.header]
        topic, question = sorted(columns, key=lambda column: column.str.len().sum())
        named |= dict(zip(question, topic, strict=True))
    return named


def topics(rows: pd.DataFrame, by_question: dict[str, str], judgments: Sequence[Part]) -> Any:
    """Topic of each row (S,): its turn's, or its run's, or else that of its question."""
    own, task, question = (_or_empty(rows, name) for name in ("topic", "task", "question"))
    asked = np.array([by_question.get(text.strip(), text) for text in question], dtype=object)
    named = own
    for other in (task, asked, _or_empty(rows, "session")):
        named = np.where(named != "", named, other)
    columns = [
        part.raw.rows[part.columns["topic"]] for part in judgments if "topic" in part.columns
    ]
    judged = {text for column in columns for text in texts_of(column)}
    other = pd.Series(named, dtype=object).str.replace(*SEPARATED, regex=False)
    return np.where(other.isin(judged) & ~pd.Series(named).isin(judged), other, named)


def _or_empty(rows: pd.DataFrame, name: str) -> Any:
    there = name in rows
    return rows[name].astype("str").to_numpy(object) if there else np.full(len(rows), "", object)


def systems(raw: RawTable, shown: Ints) -> tuple[Any, Any]:
    """System of each row (S,): the run's own, or else its folder, or its file; and which it is."""
    own = raw.rows["system"].astype("str").to_numpy(object)
    files = [file for file, _ in raw.each_file()]
    folders = [file.replace("\\", "/").rpartition("/")[0] for file in files]
    called = folders if all(folders) else [stem(file) for file in files]
    one = len({*called}) == 1 or len(files) == 1
    sizes = [part.stop - part.start for _, part in raw.each_file()]
    named = np.repeat(np.array(called, dtype=object), sizes)
    by = raw.rows["system by"].astype("str").to_numpy(object)
    place = "" if one else "folder" if all(folders) else "file"
    nameless = own == ""
    system = np.where(nameless, "" if one else named, own)
    return system[shown], np.where(nameless, place, by)[shown]


def sessions(rows: pd.DataFrame, run: Ints, topic: Any, system: Any) -> Any:
    """Name of each row's session (S,): its own or its task, with system and number where needed.

    Runs of one task by one system are numbered.
    """
    own = _or_empty(rows, "session")
    frame = pd.DataFrame({"run": run, "name": own, "system": system})
    frame["name"] = frame["name"].where(frame["name"] != "", topic)
    first = frame.drop_duplicates("run").set_index("run")
    if first["name"].duplicated().any():
        several = first["name"].duplicated(keep=False) & (first["system"] != "")
        first["name"] = first["name"].where(~several, first["system"] + "/" + first["name"])
    number = first.groupby("name").cumcount() + 1
    again = first["name"].duplicated(keep=False)
    name = first["name"].where(~again, first["name"] + "/" + number.astype(str))
    return name.reindex(run).to_numpy(object)
