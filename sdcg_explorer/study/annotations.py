"""What a reader says of a study: tags of queries, judgments that lie over its own, and notes.

None of it changes what was observed, and no digest is made of it.
"""

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable
from typing import cast

import pandas as pd

from sdcg_explorer.study.grades import label

SUGGESTED = (
    *("syntax error", "wrong angle", "over-strict filter", "wrong value"),
    *("typo", "too specific", "too broad"),
)
TAG_COLUMNS = ("session", "query_number", "tag")
LONGEST_TAG = 60
MOST_DIGITS = 9  # of a query number
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
JOINED = "; "
Tags = dict[tuple[str, int], tuple[str, ...]]  # of each query, by session and query number


def cleaned_tags(texts: Iterable[str]) -> tuple[str, ...]:
    """Tags as they are kept: on one line, each once, the suggested ones first.

    >>> cleaned_tags(["too  narrow", "typo", "a;b", " "])
    ('typo', 'a,b', 'too narrow')
    """
    plain = [CONTROL.sub(" ", unicodedata.normalize("NFC", str(text))) for text in texts]
    shorter = (" ".join(text.replace(";", ",").split())[:LONGEST_TAG].strip() for text in plain)
    given = {text for text in shorter if any(unicodedata.category(c)[0] not in "CZ" for c in text)}
    return (*(tag for tag in SUGGESTED if tag in given), *sorted(given.difference(SUGGESTED)))


def joined_tags(tags: Tags, session: str, number: int) -> str:
    """Tags of one query in one cell."""
    return JOINED.join(tags.get((session, number), ()))


def tags_table(tags: Tags) -> pd.DataFrame:
    """One row per query and tag."""
    rows = [(*query, tag) for query, given in sorted(tags.items()) for tag in given]
    return pd.DataFrame(rows, columns=list(TAG_COLUMNS))


def tags_of(table: pd.DataFrame) -> Tags:
    """Tags of a table with one row per query and tag; rows without a query or tag say nothing."""
    by_query: dict[tuple[str, int], list[str]] = {}
    for session, number, tag in table[list(TAG_COLUMNS)].itertuples(index=False):
        if str(number).isdecimal() and len(str(number)) <= MOST_DIGITS:
            by_query.setdefault((str(session), int(number)), []).append(str(tag))
    every = {query: cleaned_tags(given) for query, given in by_query.items()}
    return {query: given for query, given in every.items() if given}


def qrels(rows: Iterable[tuple[str, str, str]]) -> str:
    r"""Lines of topic, 0, document and grade, with tabs between, as ids may have blanks.

    Where a grade is "", the line ends at its document, for an assessor to go on.

    >>> qrels([("t1", "d1", "2"), ("t1", "d2", "")])
    't1\t0\td1\t2\nt1\t0\td2\n'
    """
    lines = ("\t".join(filter(None, (topic, "0", doc, grade))) for topic, doc, grade in rows)
    return "".join(f"{line}\n" for line in lines)


Layer = dict[tuple[str, str], float]  # the grade of a topic's document
SHORT = 8  # characters that name a layer
GRADED = ["topic", "doc", "grade"]


def layer_name(layer: Layer) -> str:
    """What a layer is called: the first characters of a sha256 over it; "" for none.

    >>> layer_name({}), layer_name({("t", "d"): 1.0}) == layer_name({("t", "d"): 2.0})
    ('', False)
    """
    if not layer:
        return ""
    text = json.dumps(sorted((*thing, grade) for thing, grade in layer.items()))
    return hashlib.sha256(text.encode()).hexdigest()[:SHORT]


def layer_qrels(layer: Layer) -> str:
    """A layer as lines of qrels.

    >>> layer_qrels({("t", "d"): 1.0}).split()
    ['t', '0', 'd', '1']
    """
    return qrels((*thing, label(grade)) for thing, grade in sorted(layer.items()))


def overlay_layer(
    judgments: pd.DataFrame, layer: Layer, labels: Iterable[float]
) -> tuple[pd.DataFrame, Layer]:
    """Judgments with those of a layer, and what of the layer is among them.

    What the study does not know, a topic, a document or a grade, or has a judgment of already, is
    left aside.
    """
    topics, docs = (judgments[name].cat.categories for name in ("topic", "doc"))
    allowed, judged = {*labels}, _topic_doc_pairs(judgments)
    kept = {
        (topic, doc): grade
        for (topic, doc), grade in layer.items()
        if grade in allowed and topic in topics and doc in docs and (topic, doc) not in judged
    }
    rows = pd.DataFrame([(*thing, grade) for thing, grade in kept.items()], columns=GRADED)
    rows = rows.astype({name: judgments[name].dtype for name in ("topic", "doc")})
    others = {name: "" for name in judgments.columns if name not in rows}
    return pd.concat([judgments, rows.assign(**others)], ignore_index=True), kept


def layer_among(judgments: pd.DataFrame, layer: Layer) -> Layer:
    """What of a layer stands among judgments, with its grade."""
    given = zip(_topic_doc_pairs(judgments), judgments["grade"].tolist(), strict=True)
    return {thing: grade for thing, grade in given if layer.get(thing) == grade}


def without_layer(judgments: pd.DataFrame, layer: Layer) -> pd.DataFrame:
    """Judgments without those of a layer."""
    return judgments[~_topic_doc_pairs(judgments).isin([*layer])].reset_index(drop=True)


def _topic_doc_pairs(judgments: pd.DataFrame) -> pd.MultiIndex:
    """Topic and document of each judgment."""
    return pd.MultiIndex.from_frame(judgments[["topic", "doc"]].astype("str"))


Written = dict[str, str]  # texts by the name of the question that they are about
PLAN = "plan"  # of version 1: a plan made before the data, as TOML
PLANNED, OF_PLAN = "The plan made before the data:", "compare_systems"
RENAMED = {"agreement": "ratings"}  # questions that version 1 called otherwise
LONGEST_NOTE = 5_000  # letters of a note that is typed
MOST, MOST_LETTERS = 20, 100_000  # texts, and letters of each, that a file brings
UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def cleaned_note(text: str) -> str:
    r"""A text as it is kept: lines may end, nothing else is out of sight.

    >>> cleaned_note(" seen twice\r\nand \x07 once ")
    'seen twice\nand   once'
    """
    return UNSEEN.sub(" ", text.replace("\r\n", "\n")).strip()


def written_of(given: object) -> Written:
    r"""Texts of a table that a file has; what is none says nothing, and a plan is a note.

    >>> written_of({"overview": "As expected.", "cost": 3}), written_of("odd")
    ({'overview': 'As expected.'}, {})
    >>> written_of({"agreement": "As version 1 has it."})
    {'ratings': 'As version 1 has it.'}
    >>> written_of({"plan": "[plan]"})
    {'compare_systems': 'The plan made before the data:\n\n[plan]'}
    """
    fields = cast(dict[object, object], given) if isinstance(given, dict) else {}
    texts = {str(of): cleaned_note(text) for of, text in fields.items() if isinstance(text, str)}
    texts = {new: texts.pop(old) for old, new in RENAMED.items() if old in texts} | texts
    if plan := texts.pop(PLAN, ""):
        texts |= joined_notes(texts, {OF_PLAN: f"{PLANNED}\n\n{plan}"})
    kept = [(about, text[:MOST_LETTERS]) for about, text in texts.items() if text]
    return dict(kept[:MOST])


def joined_notes(there: Written, given: Written) -> Written:
    r"""What has to be written of `given` beside what is there, to which it is added.

    >>> joined_notes({"cost": "One."}, {"cost": "Two.", "fit": "New."})
    {'cost': 'One.\n\nTwo.', 'fit': 'New.'}
    >>> joined_notes({"cost": "Not OK.", "fit": "So.\n\nThus."}, {"cost": "OK.", "fit": "So."})
    {'cost': 'Not OK.\n\nOK.'}
    """
    return {
        about: f"{there[about]}\n\n{text}" if about in there else text
        for about, text in given.items()
        if f"\n\n{text}\n\n" not in f"\n\n{there.get(about, '')}\n\n"
    }
