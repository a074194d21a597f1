"""Reading in two steps, between which whoever brings the files looks over what they are."""

from __future__ import annotations

from collections.abc import Sequence

from sdcg_explorer.reading.assemble import add_ratings, assemble
from sdcg_explorer.reading.guess import proposed
from sdcg_explorer.reading.own_study import About
from sdcg_explorer.reading.raw_table import KINDS
from sdcg_explorer.reading.read import read_parts
from sdcg_explorer.reading.rules import Rules
from sdcg_explorer.reading.sources import Source
from sdcg_explorer.reading.table_kinds import Part
from sdcg_explorer.study.study import Study


def tables_of(sources: Sequence[Source]) -> tuple[About, list[Part]]:
    """Tables of files, each as what it is or could be meant: what is asked first, then logs.

    Raises
    ------
    UnusableInputError : a file that can't be read
    """
    about, parts = read_parts(sources)
    known = {part.kind for part in parts}
    seen = [proposed(part, known) for part in parts]
    return about, sorted(seen, key=lambda part: ("", *KINDS).index(part.kind))


def study_of_tables(about: About, parts: list[Part], *, name: str, rules: Rules) -> Study:
    """The study that tables make, with all that is known of it already.

    Raises
    ------
    UnusableInputError : everything that keeps the tables from being a study
    """
    return _known(about.checked(assemble(parts, name=about.name or name, rules=rules)))


def study_with_ratings(
    about: About, study: Study, parts: list[Part], rules: Rules | None = None
) -> Study:
    """A study that is there already, with the ratings of these tables.

    about : what lies beside the tables

    Raises
    ------
    UnusableInputError : everything that keeps the ratings from joining
    """
    joined = add_ratings(study, parts, rules)
    joined.report.files.extend(about.files)
    return _known(joined)


def _known(study: Study) -> Study:
    """A study whose digest and warnings are counted, and go with it to another process."""
    _ = study.digest, study.problems
    return study
