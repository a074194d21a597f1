"""The Study: four tables of what was observed, and a digest that names exactly that."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import chain
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sdcg_explorer.study import annotations, grade_cube
from sdcg_explorer.study.arrays import Ints, category_codes
from sdcg_explorer.study.behaviour import BEHAVIOUR_GRADES, Behaviour, behaviour_grades
from sdcg_explorer.study.columns import in_text_order, used_texts
from sdcg_explorer.study.grade_cube import AS_SHOWN, DEPTH, NEVER, Arrangement, Block, shown_of
from sdcg_explorer.study.grades import ASSESSED, label
from sdcg_explorer.study.problems import Problem
from sdcg_explorer.study.report import CLASHES, FOLDED, TOP_OF_WARNINGS, Report, study_warnings
from sdcg_explorer.study.wording import NAME, as_html

REPEATS_BY_DOCUMENT = "repeats_by_document"  # whatever the topic
OWN_OF_SESSIONS = ("session", "system", "searcher")
OWN_OF_QUERIES = ("session", "query_number", "topic", "text", "time")


def extra_columns(table: pd.DataFrame) -> list[str]:
    """Columns of a study's sessions or queries that are not its own, whatever they hold."""
    own = {*OWN_OF_SESSIONS, *OWN_OF_QUERIES}
    return [str(name) for name in table.columns if name not in own]


SHORT = 12  # characters of a digest that name a study in links
MOST_BLOCKS = 4  # beside that of the results as shown
PART, PARTED = "part", ";"  # column of judgments: parts of a task, and what stands between several
OF_TABLES = ("_shown", "_blocks", "problems", "digest")  # that names, notes and tags are no part of
KEYS = {
    "sessions": ["session"],
    "queries": ["session", "query_number"],
    "results": ["session", "query_number", "rank"],
    "judgments": ["topic", "doc"],
}


@dataclass(frozen=True, eq=False)
class Study:
    """What was observed in one user study.

    sessions: session, system, searcher · queries: session, query_number, topic, text, time ·
    results: session, query_number, rank, doc, clicked, examined, grade · judgments: topic, doc,
    grade, part where it is known which parts of a task a document answers, and what each assessor
    gave where there were several, which is no part of the digest. Ids are text as in
    the file. session, topic and doc are categories shared by all tables.
    `note` is a sentence that every screen shows; `tags` were given to queries by whoever looked
    into them; `written` are notes beneath answers. None is part of the digest.
    `layer` are judgments of one's own, which the table of judgments has, too. `grades_of_all` are
    those of the study that this one is a part of. `behaviour` is by what grades were made of what
    searchers did, which stand in results then, and `logged` the study that they were made of.
    """

    name: str
    sessions: pd.DataFrame
    queries: pd.DataFrame
    results: pd.DataFrame
    judgments: pd.DataFrame
    report: Report
    note: str = ""
    tags: annotations.Tags = field(default_factory=dict[tuple[str, int], tuple[str, ...]])
    layer: annotations.Layer = field(default_factory=annotations.Layer)
    written: annotations.Written = field(default_factory=annotations.Written)
    grades_of_all: tuple[float, ...] = ()
    behaviour: Behaviour | None = None
    logged: Self | None = field(default=None, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        """What it was made of; blocks and what else was computed is computed anew over there."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @cached_property
    def _blocks(self) -> dict[tuple[int, Arrangement], Block]:
        return {}

    def block(self, depth: int = DEPTH, how: Arrangement = AS_SHOWN) -> Block:
        """Arrays of this study as shown, and the last few of other depths and arrangements."""
        block = self._blocks.get((depth, how))
        if block is None:
            shown, by_session = self.results_looked_at(how), self.behaviour is not None
            block = grade_cube.build_block(self.tables, shown, depth, by_session=by_session)
            self._blocks[depth, how] = block
            for other in [key for key in self._blocks if key != (DEPTH, AS_SHOWN)][:-MOST_BLOCKS]:
                self._blocks.pop(other, None)
        return block

    def results_looked_at(self, how: Arrangement = AS_SHOWN) -> grade_cube.Shown:
        """Results as an arrangement leaves them, with their ranks counted anew."""
        return grade_cube.arranged(self._shown, how)

    def judged_by(self, how: Arrangement = AS_SHOWN, session: str = "") -> pd.DataFrame:
        """The judgments; where grades are the searchers', all that they gave, with those' parts.

        session : whose, where grades are from behaviour, which speaks of no other
        """
        if not how.own:
            return self.judgments
        shown = self._shown
        rows = np.flatnonzero(shown.own < shown.unjudged)
        if self.behaviour and session:
            rows = rows[(self.results["session"].array[shown.row[rows]] == session)]
        given = {
            "topic": self.queries["topic"].array[shown.query[rows]],
            "doc": self.results["doc"].array[shown.row[rows]],
            "grade": np.array(shown.labels)[shown.own[rows]],
        }
        table = pd.DataFrame(given).drop_duplicates()
        if PART not in self.judgments:
            return table
        parts = self.judgments[[*KEYS["judgments"], PART]]
        table = table.merge(parts, how="left", on=KEYS["judgments"])
        return table.assign(part=table[PART].astype("object").fillna(""))

    @cached_property
    def long_names(self) -> tuple[str, ...]:
        """Names of whatever a sentence may name, sessions among them, that it has in short."""
        block = self.block()
        named = block.system_names, block.topic_names, block.searcher_names, self.extras
        every = chain(*named, self.sessions["session"].array)
        return tuple({name for name in every if len(name) > NAME})

    @property
    def tables(self) -> dict[str, pd.DataFrame]:
        """The four tables by name."""
        return {name: getattr(self, name) for name in KEYS}

    @cached_property
    def _shown(self) -> grade_cube.Shown:
        return shown_of(self.tables, self.grades_of_all, by_session=self.behaviour is not None)

    @cached_property
    def problems(self) -> list[Problem]:
        """Warnings and notes of the import, and those that follow from the tables."""
        return [*self.report.problems, *study_warnings(self.tables, self._shown, self.report)]

    def checked(self) -> dict[str, object]:
        """The import report as `sdcg check --json` prints it."""
        if self.logged:
            return self.logged.checked()
        shown, sessions, queries = self._shown, self.sessions, self.queries
        session, topic = category_codes(queries["session"]), category_codes(queries["topic"])
        size = np.bincount(shown.query, minlength=len(queries))
        topics_judged = np.intersect1d(category_codes(self.judgments["topic"]), topic)
        lengths = np.bincount(session, minlength=len(sessions))
        one_group = np.zeros_like(lengths)
        of_judged = np.bincount(session[np.isin(topic, topics_judged)], minlength=len(sessions))
        clicked, is_judged = self.results["clicked"], shown.label < shown.unjudged
        matched = np.bincount(shown.judged[shown.matched], minlength=len(self.labels)).tolist()
        named = [*zip(map(label, self.labels), self.grade_counts, matched, strict=True)]
        _, results, judged = self.judged_by_rank(TOP_OF_WARNINGS)
        filled = [table[extra_columns(table)].count() for table in (sessions, queries)]
        return {
            "sessions": len(sessions),
            "queries": len(queries),
            "results": len(self.results),
            "judgments": len(self.judgments),
            "topics": int(np.unique(topic).size),
            "topics_judged": int(topics_judged.size),
            "searchers": int(sessions["searcher"].nunique()) or None,
            "systems": int(sessions["system"].nunique()),
            "queries_without_results": int((size == 0).sum()),
            "repeats": int((shown.before < NEVER).sum()),
            REPEATS_BY_DOCUMENT: int(self.repeats_by_document(one_group, NEVER - 1).sum()),
            "documents_twice_in_a_list": int((shown.within < NEVER).sum()),
            "clicked": None if clicked.isna().all() else int(clicked.sum()),
            "query_lengths": {str(n): c for n, c in enumerate(np.bincount(lengths).tolist()) if c},
            "grades": {grade: n for grade, n, _ in named if n},
            "grades_matched": {grade: met for grade, n, met in named if n},
            "judgments_matched": int(shown.matched.sum()),
            "judgments_never_shown": int((~shown.matched).sum()),
            "sessions_without_judgments": int(((lengths > 0) & (of_judged == 0)).sum()),
            "lists_with_rank_gaps": int((shown.lengths > size).sum()),
            "judged_share": float(is_judged.mean()) if is_judged.size else None,
            "judged_by_rank": (judged / results).tolist(),
            "extras": {name: int(n) for known in filled for name, n in known.items()},
            "pages_folded": self.report.repaired.get(FOLDED, 0),
            "rank_clashes": sum(self.report.left_out.get(rule, 0) for rule in CLASHES),
            "withheld_queries": self.report.withheld,
            "left_out": self.report.left_out,
            "repaired": self.report.repaired,
            "files": self.report.files_as_dicts(),
            "problems": [problem.as_dict() for problem in self.problems],
        }

    def _repr_html_(self) -> str:
        counts = [f"{name}: {n:,}" for name, n in self.checked().items() if isinstance(n, int)]
        said = " · ".join(counts).replace("_", " ")
        return as_html(self.name, filter(None, [self.note, said, *map(str, self.problems)]), {})

    @cached_property
    def digest(self) -> str:
        """sha256 over the four tables: rows by key, columns by name, text in NFC."""
        total = hashlib.sha256()
        for name, keys in KEYS.items():
            total.update(f"table {name}\n".encode())
            table = self.tables[name]
            if name == "judgments":
                table = table.drop(columns=[n for n in table if str(n).startswith(ASSESSED)])
            made = {str(column): _column_as_numbers(table[column]) for column in table.columns}
            order = np.lexsort([made[key][1] for key in reversed(keys)])
            for column in sorted(made):
                head, values = made[column]
                total.update(f"column {column}\n".encode() + head)
                total.update(values[order].data)
        return total.hexdigest()

    def graded_by(self, behaviour: Behaviour | None) -> Self:
        """The study with grades from what its searchers did; as it was logged where None.

        Its digest stays that of the tables as they were logged.
        """
        logged = self.logged or self
        if behaviour is None:
            return logged
        made: Self | None = vars(logged).get("_graded")  # the last one: a slider may pass many
        if made is None or made.behaviour != behaviour:
            grades = behaviour_grades(logged.queries, logged.results, behaviour)
            made = replace(
                logged,
                results=logged.results.assign(grade=grades),
                judgments=logged.judgments[["topic", "doc", "grade"]].iloc[:0],
                layer=annotations.Layer(),
                grades_of_all=BEHAVIOUR_GRADES,
                behaviour=behaviour,
                logged=logged,
            )
            vars(made).update(digest=logged.digest, problems=logged.problems)
            vars(logged)["_graded"] = made
        return made

    def put(self, **words: Any) -> Self:
        """The same study by another name or note, with other tags, texts or own judgments."""
        if words.get("layer"):
            words["layer"] = annotations.layer_among(self.judgments, words["layer"])
        if self.logged:
            return self.logged.put(**words).graded_by(self.behaviour)
        other = replace(self, **words)
        vars(other).update({of: vars(self)[of] for of in OF_TABLES if of in vars(self)})
        return other

    def with_added_judgments(self, layer: annotations.Layer) -> Self:
        """The same with judgments of one's own over its own, and a digest of its own."""
        judgments, kept = annotations.overlay_layer(self.judgments, layer, self.labels)
        return replace(self, judgments=judgments, layer=self.layer | kept) if kept else self

    @property
    def ungraded(self) -> str:
        """What a result without a grade is: unjudged, or unseen where clicks make grades."""
        return "unseen" if self.behaviour else "unjudged"

    @property
    def bare(self) -> Self:
        """The study without judgments of one's own."""
        left = annotations.without_layer(self.judgments, self.layer) if self.layer else None
        return self if left is None else replace(self, judgments=left, layer={})

    @property
    def extras(self) -> tuple[str, ...]:
        """Columns of sessions and queries that are not their own, whatever they hold."""
        return tuple(chain(*map(extra_columns, (self.sessions, self.queries))))

    def judged_by_rank(self, deepest: int) -> tuple[Ints, Ints, Ints]:
        """Ranks that any result has, results there, and how many of them are judged."""
        shown = self._shown
        near = shown.rank <= deepest
        results = np.bincount(shown.rank[near])
        known = near & (shown.label < shown.unjudged)
        ranks = np.flatnonzero(results)
        return ranks, results[ranks], np.bincount(shown.rank[known], minlength=results.size)[ranks]

    def repeats_by_document(self, groups: Ints, top: int) -> Ints:
        """Results of each group of sessions in the top whose document came earlier in them."""
        shown, topics = self._shown, self.queries[["session", "topic"]].drop_duplicates()
        near = np.flatnonzero((shown.rank <= top) & (groups[shown.session] >= 0))
        before = shown.before[near]
        if len(topics) > self.queries["session"].nunique():  # else it is the same within topics
            docs = category_codes(self.results["doc"])[shown.row]
            placed = (each[near] for each in (shown.session, shown.number, shown.rank, docs))
            before, _ = grade_cube.earlier_ranks(*placed)
        size = int(groups.max(initial=-1)) + 1
        return np.bincount(groups[shown.session[near[before <= top]]], minlength=size)

    @cached_property
    def grade_counts(self) -> tuple[int, ...]:
        """Judgments with each of the labels; results, where grades are from behaviour."""
        own = self._shown.own[self._shown.own < self._shown.unjudged]
        given = own if self.behaviour else self._shown.judged
        return tuple(np.bincount(given, minlength=len(self.labels)).tolist())

    @property
    def labels(self) -> tuple[float, ...]:
        """Grades that the judgments use, in ascending order."""
        return self._shown.labels

    @cached_property
    def topics(self) -> tuple[str, ...]:
        """Topics that queries of the log are on, by name, or by number where all are numbers."""
        return in_order([str(topic) for topic in self.queries["topic"].unique()])

    @cached_property
    def busiest_topic(self) -> str:
        """The topic of the most sessions; the first of several."""
        counts = self.queries.drop_duplicates(["session", "topic"])["topic"].value_counts()
        return max(self.topics, key=lambda topic: int(counts[topic]))


def in_order(names: Iterable[str]) -> tuple[str, ...]:
    """Names in order, by number where all are numbers."""
    known = list(names)
    numbered = all(name.isdecimal() for name in known)
    return tuple(sorted(known, key=lambda name: (int(name) if numbered else 0, name)))


def _column_as_numbers(column: pd.Series) -> tuple[bytes, NDArray[Any]]:
    """What kind of column it is, and its numbers (N,).

    For text the distinct texts, sorted, and each row's place among them.
    """
    is_bool = pd.api.types.is_bool_dtype(column.dtype)
    if is_bool or pd.api.types.is_numeric_dtype(column.dtype):
        head = b"boolean\n" if is_bool else b"number\n"
        return head, column.to_numpy(dtype=float, na_value=np.nan)
    if isinstance(column.dtype, pd.CategoricalDtype):
        texts, codes = used_texts(column)
    else:
        codes, found = pd.factorize(column)
        texts = [str(text) for text in found]
    place, distinct = in_text_order(texts)
    return json.dumps(distinct).encode() + b"\n", np.append(place, np.int32(-1))[codes]
