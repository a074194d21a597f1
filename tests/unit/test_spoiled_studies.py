"""Studies that are spoiled at random as spreadsheets are: their clean twin, or a true refusal."""

from __future__ import annotations

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from sdcg_explorer.reading.read import read_study
from sdcg_explorer.reading.recipe import Recipe
from sdcg_explorer.study.problems import UnusableInputError
from tests.support.formats import put
from tests.support.spoiling import SPOILERS, as_file, clean_study
from tests.support.spoiling import spoiled as grid_of
from tests.support.thorough import THOROUGH


@given(seed=st.integers(0, 10**6), names=st.sets(st.sampled_from([*SPOILERS])),
       form=st.sampled_from([",", ";", "\t", "xlsx"]))  # fmt: skip
@settings(max_examples=8 * THOROUGH, deadline=None)
def test_a_spoiled_study_is_its_clean_twin_or_refused(
    seed: int, names: set[str], form: str
) -> None:
    chance = Random(seed)
    log, judged = clean_study(chance)
    ending = form if form == "xlsx" else "csv"
    with TemporaryDirectory() as aside:
        folder = Path(aside)
        files = {"log.csv": as_file(log, ","), "j.csv": as_file(judged, ",")}
        twin = read_study(put(folder / "clean", files)).digest
        odd = {
            f"log.{ending}": as_file(grid_of(log, [*names], chance), form),
            f"j.{ending}": as_file(grid_of(judged, [*names & {"commas", "titled"}], chance), form),
        }
        paths = put(folder / "odd", odd)
        for fix in ("", "all"):
            assert ending_of(paths, fix) in (twin, "")


def ending_of(paths: list[Path], fix: str) -> str:
    """The digest of the study that files make; "" where they are refused."""
    try:
        return read_study(paths, recipe=Recipe(fix=fix)).digest
    except UnusableInputError:
        return ""
