"""What pages, report and bundle say and show stays as it was, or somebody read the difference."""

import pytest

from tests.answers import looks, made, readings, studies
from tests.support.thorough import THOROUGH

EACH = 6  # of which one thing that is wrong is tried, unless time is given


@pytest.mark.parametrize("name", studies.NAMES)
def test_answers_are_those_that_are_kept(name: str) -> None:
    asked, changed = studies.study(name), list[str]()
    definitions = [*(made.DEFINITIONS | made.CLICKS.get(name, {})).items()]
    first = studies.NAMES.index(name) % len(definitions)  # all where time is given
    some = slice(None) if THOROUGH > 1 else slice(first, first + 1)
    for called, definition in definitions[some]:
        kept = (made.FOLDER / "kept" / f"{name}-{called}.txt").read_text(encoding="utf-8")
        changed += [
            f"{called}, {question}\n  was {was.strip()}\n  now {now.strip()}"
            for question, was, now in made.compared(kept, made.text_of(asked, definition))
            if was != now
        ]
    told = "\n".join([*changed[:20], f"{len(changed)} lines; `make answers`, then read git diff"])
    assert not changed, told


@pytest.mark.parametrize("name", readings.NAMES)
def test_files_come_to_what_is_kept(name: str) -> None:
    place = readings.NAMES.index(name) % EACH
    now = readings.told(
        name, [*readings.WRONG][slice(None) if THOROUGH > 1 else slice(place, None, EACH)]
    )
    kept = readings.kept(name)
    for what, lines in now.items():
        assert lines == kept[what], f"{name}, {what}; `make answers`, then read git diff"


@pytest.mark.parametrize("name", looks.LOOKS)
def test_figures_look_as_is_kept(name: str) -> None:
    kept, now = looks.path_of(name).read_text(encoding="utf-8"), looks.text_of(name)
    assert now.splitlines() == kept.splitlines(), f"{name}; `make answers`, then read git diff"
