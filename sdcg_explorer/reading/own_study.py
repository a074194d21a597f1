"""What a study that we wrote says about itself, and its cells as they were before writing."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import pandas as pd

from sdcg_explorer.reading import raw_table, table_kinds
from sdcg_explorer.reading.recipe import TABLE, recipe_of
from sdcg_explorer.reading.sources import Source
from sdcg_explorer.study.annotations import TAG_COLUMNS, Layer, Tags, Written, tags_of, written_of
from sdcg_explorer.study.machine import sum_of
from sdcg_explorer.study.problems import NEWER, Problem, note, refusal, warning
from sdcg_explorer.study.report import SET_ASIDE, FileRead
from sdcg_explorer.study.study import Study

SUMS = "sums.txt"
STUDY = "# study "  # begins the line with the digest; `sha256sum -c` passes it over
LINE = re.compile(r"([0-9a-f]{64})  (.{1,200})")
LONGEST_LIST = 100_000  # bytes that are read
TABLES = ("scores/", "comparison/", "agreement/")
RULE = "what lies beside a study in its bundle was made from it"
REMEDY = "Export the bundle again, or take it as it was downloaded."


def sums_text(digest: str, sums: Mapping[str, str]) -> str:
    """What `sums.txt` says: the digest of the study, and the sha256 of each file."""
    lines = [f"{found}  {name}\n" for name, found in sums.items()]
    return f"{STUDY}{digest}\n{''.join(lines)}"


@dataclass(frozen=True)
class Beside:
    """What lies beside a study in its bundle.

    digest : of the study that it was made of, "" where no sums say so · made : files that are made
    of a study · changed : those that are not as the sums have them
    """

    digest: str = ""
    made: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()

    def problems(self, digest: str) -> list[Problem]:
        """What was not made of the study of this digest."""
        if not self.digest:
            found = f"no {SUMS} to say which study it was made from"
            tables = [name for name in self.made if name.startswith(TABLES)]
            return [note(name, found, RULE, REMEDY) for name in tables]
        if self.digest != digest:
            found = f"made from another study, whose digest begins with {self.digest[:12]}"
            return [warning(name, found, RULE, REMEDY) for name in self.made]
        return [warning(name, "changed since it was made", RULE, REMEDY) for name in self.changed]


def read_sums(path: Path | None) -> tuple[str, dict[str, str]]:
    """Digest of the study that a bundle was made of, "" where no sums say so, and each file's."""
    if path is None:
        return "", {}
    with path.open(encoding="utf-8", errors="replace") as file:
        head, *lines = file.read(LONGEST_LIST).split("\n")
    digest = head.removeprefix(STUDY) if head.startswith(STUDY) else ""
    return digest, {found[2]: found[1] for line in lines if (found := LINE.fullmatch(line))}


def beside_of(around: str, sources: Iterable[Source]) -> Beside:
    """What sources lie beside a study; `around` is the folder of its bundle, with its slash."""
    files = {source.name.removeprefix(around): source.path for source in sources}
    digest, sums = read_sums(files.pop(SUMS, None))
    made = {name: path for name, path in sorted(files.items()) if not name.startswith("again/")}
    changed = [name for name, path in made.items() if digest and sums.get(name) != sum_of(path)]
    return Beside(digest, tuple(made), tuple(changed))


FORMAT = 1
BY_TOML = "study.toml is next to it"
OTHER_DIGEST = "another digest than study.toml names"
LONGEST = 10_000_000  # bytes: the most texts, and judgments of one's own
OWN_JUDGMENTS = "own_judgments"  # of study.toml: topic, document and grade of each
WRITTEN = "written"  # of study.toml: texts by the question that they are about
METHODS = "methods"  # of study.toml: sentences of the report on its import
WARNINGS = "warnings"  # of its files as they were given: what was found, the rule, both remedies
OWN_TABLES = dict.fromkeys(("sessions.csv", "queries.csv"), "ratings") | {
    f"{kind}.csv": kind for kind in ("log", "judgments", "tags")
}
# what a zip of ours holds beside its tables
BESIDE = ("definition.toml", "recipe.toml", "README.txt")
BUNDLED = re.compile(  # what our bundle holds beside its study/, and what its README's lines make
    r"(scores|comparison|again|agreement|figures)/[a-z0-9_]+\.[a-z]+"
    r"|README\.txt|report\.html|sums\.txt|without_persons\.txt"
)
ESCAPED = re.compile(r"'+[=+\-@\t\r]")


def is_beside(name: str, own: str) -> bool:
    """Whether a file was made from a study of ours, and is no part of it; `own` is its study.toml.

    >>> is_beside("scores/queries.csv", own="study/study.toml")
    True
    >>> is_beside("study/queries.csv", own="study/study.toml")
    False
    """
    folder, _, base = name.rpartition("/")
    own_folder, around = own.rpartition("/")[0], bundle_of(own)
    bundled = own_folder == f"{around}study" and name.startswith(around)
    is_made = bundled and BUNDLED.fullmatch(name, len(around))
    return bool(is_made) or (folder == own_folder and base in BESIDE)


def bundle_of(own: str) -> str:
    """The folder that a study's own folder lies in, with its slash; "" for none.

    >>> bundle_of("pilot/study/study.toml"), bundle_of("study/study.toml")
    ('pilot/', '')
    """
    around = own.rpartition("/")[0].rpartition("/")[0]
    return f"{around}/" if around else ""


def unread(file: str, why: str) -> FileRead:
    """A file that is set aside before it is read."""
    return FileRead(file, SET_ASIDE, None, None, why)


def own_table(name: str, own: str) -> str | None:
    """What a table that we wrote holds, by its name beside its study.toml.

    >>> own_table("study/log.csv", own="study/study.toml")
    'log'
    """
    folder, _, base = name.rpartition("/")
    return OWN_TABLES.get(base) if folder == own.rpartition("/")[0] else None


@dataclass(frozen=True)
class About:
    """What files say beside their tables: a study of ours its name, note, digest, tags and more.

    file : its study.toml · files : those that hold no table of the study, and that of the tags ·
    beside : what lies beside it in its bundle
    """

    name: str = ""
    note: str = ""
    digest: str = ""
    withheld: int = 0
    file: str = ""
    tags: Tags = field(default_factory=dict[tuple[str, int], tuple[str, ...]])
    layer: Layer = field(default_factory=Layer)
    written: Written = field(default_factory=Written)
    methods: tuple[str, ...] = ()
    warnings: tuple[tuple[str, ...], ...] = ()
    recipe: dict[str, Any] = field(default_factory=dict[str, Any])
    files: tuple[FileRead, ...] = ()
    beside: Beside = field(default_factory=Beside)

    def checked(self, study: Study) -> Study:
        """The study with its note and the tags of its queries.

        One that is no longer as it was written is told from it.
        """
        if self.digest and self.digest != study.digest:
            rule = "the tables were changed after they were written"
            remedy = "Nothing to do if you changed them."
            study.report.problems.append(warning(study.report.file, OTHER_DIGEST, rule, remedy))
        else:  # what its files were warned of holds of it still
            file, found, known = study.report.file, study.report.problems, {*self.warnings}
            told = [replace(warning(file, *each[:3]), on_page=each[3]) for each in self.warnings]
            found[:] = [*told, *(p for p in found if known.isdisjoint(lasting_warnings([p])))]
        study.report.methods.extend(self.methods)
        study.report.recipe.update(self.recipe)
        study.report.problems.extend(self.beside.problems(self.beside.digest and study.digest))
        asked = study.queries["session"].astype("str").value_counts() if self.tags else pd.Series()
        tags = {(s, n): given for (s, n), given in self.tags.items() if 0 < n <= asked.get(s, 0)}
        if unknown := len(self.tags) - len(tags):
            rule, remedy = "tags belong to queries of the log", "Nothing to do if you changed it."
            found = f"tags of {unknown:,} unknown queries, which are left out"
            study.report.problems.append(note("tags.csv", found, rule, remedy))
        used = sum(map(len, tags.values()))
        files = (replace(f, rows_used=used) if f.role == "tags" else f for f in self.files)
        study.report.files.extend(files)
        return study.put(note=self.note, tags=tags, layer=self.layer, written=self.written)

    def with_parts(self, parts: Sequence[table_kinds.Part]) -> tuple[About, list[table_kinds.Part]]:
        """Tables as they were before writing; that of the tags becomes part of what is said."""
        if not self.file:
            return self, list(parts)
        own = [self.without_spreadsheet_apostrophes(part) for part in parts]
        tags = [part.raw for part in own if part.kind == "tags"]
        for raw in tags:
            if not {*TAG_COLUMNS} <= {*raw.header}:
                found, rule = "another header", f"the columns of tags are {', '.join(TAG_COLUMNS)}"
                raise refusal(raw.file, 1, found, rule, "Take the zip as it was downloaded.")
        read = (FileRead(raw.file, "tags", len(raw.rows), 0, BY_TOML) for raw in tags)
        given = tags_of(tags[0].rows) if tags else self.tags
        about = replace(self, files=(*self.files, *read), tags=given)
        return about, [part for part in own if part.kind != "tags"]

    def without_spreadsheet_apostrophes(self, part: table_kinds.Part) -> table_kinds.Part:
        """A table without the apostrophes that keep spreadsheets from running cells."""
        made = {*part.given.values()} & {table_kinds.PLACE}  # which no table of ours has
        rows = part.raw.rows.drop(columns=[*made])
        for name in rows.columns:
            plain = [*map(_without_apostrophe, texts := raw_table.texts_of(rows[name]))]
            if plain != texts:
                rows[name] = raw_table.with_texts(rows[name], plain)
        names = [*map(_without_apostrophe, map(str, rows.columns))]
        if len(set(names)) < len(names):
            rule, remedy = "each column has its own name", "Take the zip as it was downloaded."
            raise refusal(part.raw.file, 1, "a column twice", rule, remedy)
        rows.columns = pd.Index(names)
        kind = own_table(part.raw.file, self.file)
        withheld = self.withheld if kind == "log" else 0
        raw = replace(part.raw, rows=rows, exact=kind is not None, withheld=withheld)
        if kind is None:
            return table_kinds.recognise_table(raw, part.given)
        raw = replace(raw, notes=() if made else raw.notes)
        return table_kinds.Part(raw, kind, BY_TOML)


def _without_apostrophe(text: str) -> str:
    return text[1:] if ESCAPED.match(text) else text


def lasting_warnings(problems: Iterable[Problem]) -> list[tuple[str, ...]]:
    """What study.toml has of warnings of the files; of a zip that was changed it keeps none."""
    of_files = (p for p in problems if p.severity == "warning" and p.rule != RULE)
    return [(p.found, p.rule, p.remedy, p.on_page) for p in of_files if p.found != OTHER_DIGEST]


def read_about(source: Source) -> About:
    """Read study.toml.

    Raises
    ------
    UnusableInputError : no TOML, or a newer format
    """
    rule, remedy = "study.toml must be as it was written", "Take the zip as it was downloaded."
    try:
        if source.path.stat().st_size > LONGEST:
            raise ValueError(f"more than {LONGEST:,} bytes")
        fields = tomllib.loads(source.path.read_text(encoding="utf-8"))
        format_version = int(fields.get("format", 0))
        recipe = recipe_of(fields.get(TABLE, {})).choices
    except (ValueError, TypeError, OverflowError, RecursionError) as fault:
        raise refusal(source.name, None, str(fault), rule, remedy) from None
    if format_version > FORMAT:
        found, rule = f"format {format_version}", f"this version reads format {FORMAT}"
        raise refusal(source.name, 1, found, rule, NEWER)
    name, note, digest = (str(fields.get(key, "")) for key in ("name", "note", "digest"))
    withheld = fields.get("withheld", 0)
    file = source.name if format_version > 0 else ""
    warned = [tuple(map(str, row)) for row in _only_lists(fields.get(WARNINGS))]
    judged, said = _only_lists(fields.get(OWN_JUDGMENTS)), fields.get(METHODS)
    own = [row for row in judged if len(row) == 3 and isinstance(row[2], int | float)]
    return About(
        *(name, note, digest, withheld if isinstance(withheld, int) else 0, file),
        files=(FileRead(source.name, "study", None, None, "it holds the study's name and notes"),),
        recipe=recipe,
        layer={(str(topic), str(doc)): float(grade) for topic, doc, grade in own},
        written=written_of(fields.get(WRITTEN)),
        methods=tuple(map(str, cast(list[Any], said))) if isinstance(said, list) else (),
        warnings=tuple(row for row in warned if len(row) == 4),
    )


def _only_lists(given: object) -> list[list[Any]]:
    """The lists in a list; what is none says nothing."""
    rows = cast(list[Any], given) if isinstance(given, list) else []
    return [cast(list[Any], row) for row in rows if isinstance(row, list)]
