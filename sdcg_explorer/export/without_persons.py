"""A view without persons: searchers, sessions and assessors renamed, what may name them gone."""

import re
import secrets
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from sdcg_explorer.questions.overview.numbers import positions
from sdcg_explorer.questions.view import StudyView, View
from sdcg_explorer.reading.assemble import NO_FILE, NO_GRADES
from sdcg_explorer.scoring import ratings, selection
from sdcg_explorer.scoring.costs import query_starts
from sdcg_explorer.scoring.definition import Filters
from sdcg_explorer.study.columns import PLACES
from sdcg_explorer.study.grades import ASSESSED, assessors_of
from sdcg_explorer.study.report import Report
from sdcg_explorer.study.study import KEYS, extra_columns
from sdcg_explorer.study.wording import counted, plural

PAGE = "without_persons.txt"
OF_GRADES = "Grades are ", "Where "  # begin what is said of assessors; the rest names cells
SINCE_1970 = 1e9  # seconds: numbers from there on may be moments


@dataclass
class _Names:
    """New names by old ones, and a text without the old."""

    new: dict[str, str] = field(default_factory=dict[str, str])
    places: list[str] = field(default_factory=list[str])

    def in_text(self, text: str, place: str) -> str:
        """A text with new names for old, whatever their case; its place is noted."""
        known = sorted(self.new, key=len, reverse=True)
        if not known or not text:
            return text
        plain = unicodedata.normalize("NFC", text)
        pattern = rf"(?<![^\W_])(?:{'|'.join(map(re.escape, known))})(?![^\W_])"
        folded = {old.casefold(): new for old, new in self.new.items()}
        clean = re.sub(f"(?i){pattern}", lambda old: folded.get(old[0].casefold(), "…"), plain)
        if clean == plain:
            return text
        self.places.append(place)
        return clean


def without_persons(view: View, *, with_texts: bool = False) -> tuple[StudyView, str]:
    """The same view of a study that names no person, and a page that says what was removed.

    Searchers, sessions and assessors are numbered in an order drawn anew each time, which nothing
    keeps. Times are seconds since the session's start; `session_order` has each session's place
    among its searcher's. Ratings and numbers of sessions and queries stay; other columns, the
    recipe and what was found in files go. With `with_texts`, texts of queries stay, with new names
    for old ids.
    """
    shown, definition, filters = view
    study = shown.graded_by(None)  # whose grades are made again of what is left
    sessions, queries = study.sessions.copy(), study.queries.copy()
    old = {
        "session": [str(name) for name in sessions["session"]],
        "searcher": [str(name) for name in sessions["searcher"].dropna().unique()],
    }
    graders = assessors_of(study.judgments)
    others = {*sessions["system"].astype("str"), *queries["topic"].astype("str")}
    others -= {*old["session"]}
    new = {kind: _new_names(kind, names, old.values()) for kind, names in old.items()}
    new["assessor"] = _new_names("assessor", graders, [*old.values(), graders])
    every = {name: to for kind in reversed(new) for name, to in new[kind].items()}
    found = _Names({n: to for n, to in every.items() if not n.isdecimal() and n not in others})
    untold = sorted({*every} - {*found.new})
    for kind in ("system", "topic", "doc"):
        columns = [table[kind] for table in study.tables.values() if kind in table]
        names = sorted({str(name) for column in columns for name in column.dropna().unique()})
        hit = [name for name in names if found.in_text(name, "") != name]
        if {*names} == {*old["session"]}:  # each session is judged by itself
            hit = names
        new[kind] = {name: name for name in names} | _new_names(kind, hit, [names, *old.values()])
    found.places.clear()

    places = np.full(len(sessions), np.nan)
    sample = selection.select(shown, definition, Filters()).sample
    places[sample.sessions] = positions(study, sample)
    numbers = [each.column for each in ratings.study_number_columns(study).values()]
    gone: list[str] = []
    for table in (sessions, queries):
        for name in extra_columns(table):
            if not (name in numbers and _may_keep_numbers(table[name])):
                gone.append(name)
                del table[name]
    columns = dict[str, str]()
    for name in dict.fromkeys([*extra_columns(sessions), *extra_columns(queries)]):
        own = found.in_text(name, "names of columns")
        while own in columns.values():  # one searcher's name, written in two ways
            own += "_2"
        columns[name] = own
    sessions, queries = sessions.rename(columns=columns), queries.rename(columns=columns)
    if np.isfinite(places).any():
        sessions[PLACES[-1]] = pd.Series(places, sessions.index).astype("Int64")
    queries["time"] = [
        f"{each:.6f}".rstrip("0").rstrip(".") if each >= 0 else "" for each in query_starts(study)
    ]
    texts = queries["text"].astype("str").fillna("")
    queries["text"] = [found.in_text(t, "texts of queries") if with_texts else "" for t in texts]
    graded = {f"{ASSESSED}{name}": f"{ASSESSED}{to}" for name, to in new["assessor"].items()}
    judgments = study.judgments.rename(columns=graded)
    first = [n for n in judgments if not str(n).startswith(ASSESSED)]
    judgments = judgments[[*first, *sorted(n for n in judgments if n not in first)]]
    tables = study.tables | {"sessions": sessions, "queries": queries, "judgments": judgments}
    tables = _tables_with_new_names(tables, new)
    note = found.in_text(study.note, "the study's note")
    name = found.in_text(study.name, "the study's name")
    kept = (said for said in study.report.methods if said.startswith(OF_GRADES))
    methods = [found.in_text(said, "how grades were combined") for said in kept]
    notes = study.written.items()
    written = {about: found.in_text(text, f"the note on {about}") for about, text in notes}
    tags = {
        (new["session"][session], number): tuple(found.in_text(tag, "tags") for tag in given)
        for (session, number), given in study.tags.items()
    }
    layer = {(new["topic"][t], new["doc"][d]): grade for (t, d), grade in study.layer.items()}
    said = [each for each in study.report.problems if each in (NO_FILE, NO_GRADES)]
    report = Report(problems=said, withheld=study.report.withheld, methods=methods)
    words = {"name": name, "note": note, "written": written, "report": report}
    words |= {"tags": dict(sorted(tags.items())), "layer": layer}
    own = replace(study, **words, **tables)
    fitted = found.in_text(definition.fitted_to, "what the definition was fitted to")
    definition = replace(definition, fitted_to=fitted)
    named = dict[str, tuple[str, ...]]()
    for kind in ("system", "topic", "searcher"):
        asked = getattr(filters, f"{kind}s")
        named[f"{kind}s"] = tuple(sorted(to for was, to in new[kind].items() if was in asked))
    replaced = dict.fromkeys(found.places)
    renamed = [counted(len(new[kind]), kind) for kind in ("searcher", "session", "assessor")]
    moved = {kind: sum(was != to for was, to in each.items()) for kind, each in new.items()}
    again = [counted(moved[kind], kind) for kind in ("system", "topic", "doc") if moved[kind]]
    also = f"- New names, since the old held one of a person: {', '.join(again)}."
    lines = [
        "This bundle names no person. What was changed before it was made:",
        f"- New names in random order, which was not kept: {', '.join(renamed)}.",
        *([also] if again else []),
        "- Times are seconds since the session's start; session_order has each session's place "
        "among its searcher's, where it is known.",
        "- Texts of queries stay." if with_texts else "- Texts of queries are left out.",
        f"- Columns left out: {len(gone) or 'none'}.",
        f"- Columns of numbers that stay: {', '.join(columns.values()) or 'none'}.",
        "- Left out: names of files, the recipe, and what was found as files were read.",
        f"- Old names were replaced in: {', '.join(replaced) or 'none of the texts'}.",
    ]
    if untold:
        lines.append(
            f"- Read the name, notes and tags: {counted(len(untold), 'old name')} (numbers, "
            f"or also of a system or topic) {plural(len(untold), 'was', 'were')} not replaced."
        )
    lines += ["", "Numbers that stay are the same, except that resampling draws anew.", ""]
    return StudyView(own, definition, replace(filters, **named)), "\n".join(lines)


def _new_names(kind: str, names: Iterable[str], taken: Iterable[Collection[str]]) -> dict[str, str]:
    """Names numbered in an order drawn anew, by a word that makes none that is taken."""
    drawn, used = [*dict.fromkeys(names)], {name.casefold() for each in taken for name in each}
    secrets.SystemRandom().shuffle(drawn)
    width, word = len(str(len(drawn))), kind
    while any(f"{word} {n:0{width}}" in used for n in range(1, len(drawn) + 1)):
        word = f"new {word}"
    return {name: f"{word} {n:0{width}}" for n, name in enumerate(drawn, 1)}


def _may_keep_numbers(column: pd.Series) -> bool:
    """Whether numbers may stay: not where they may be moments."""
    values = column.to_numpy(dtype=float, na_value=np.nan)
    return not np.nanmin(np.abs(values), initial=np.inf) >= SINCE_1970


def _tables_with_new_names(
    tables: dict[str, pd.DataFrame], new: dict[str, dict[str, str]]
) -> dict[str, pd.DataFrame]:
    """Tables by new names, in their order; categories are those that are used."""
    for kind in ("session", "system", "searcher", "topic", "doc"):
        for name, table in tables.items():
            if kind in table:
                values = table[kind].astype("object").map(new[kind])
                if isinstance(table[kind].dtype, pd.CategoricalDtype):
                    values = pd.Categorical(values, sorted({*new[kind].values()}))
                else:  # of nobody, too
                    values = values.astype(table[kind].dtype)
                tables[name] = table.assign(**{kind: values})
    return {name: of.sort_values(KEYS[name], ignore_index=True) for name, of in tables.items()}
