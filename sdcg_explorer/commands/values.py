"""Values of options, read off what was typed."""

from __future__ import annotations

import math
import re

from sdcg_explorer.study.problems import UnusableInputError, cut

BAD_INPUT = 2  # what a command exits with
NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")


class OptionError(ValueError):
    """An option whose value is not offered."""


def refused_lines(refused: UnusableInputError) -> list[str]:
    """A plain line for each problem, and all repairs that are offered as one option."""
    offered = [f"Repairs that are offered: --fix {','.join(refused.fixes)}, or all."]
    return [*refused.lines(), *offered] if refused.fixes else refused.lines()


def names(text: str) -> tuple[str, ...]:
    """Names with commas between them."""
    return tuple(part for part in text.split(",") if part)


def base(name: str, text: str) -> float:
    """A base as `--b` or `--bq` has it; inf for none."""
    value = math.inf if text == "inf" else number(text)
    if math.isnan(value):
        raise OptionError(f"--{name} {cut(repr(text))}; a base is a number above 1, or inf.")
    return value


def number(text: str) -> float:
    """A number as one writes it; nan where a text is none, and where no float is as large."""
    value = float(text) if NUMBER.fullmatch(text.strip()) else math.nan
    return math.nan if math.isinf(value) else value


def short_lists(text: str) -> str | int:
    """The least number of cells, or the name of what becomes of short lists."""
    return int(text) if NUMBER.fullmatch(text) and text.isdecimal() else text


def weights(text: str) -> str | tuple[tuple[float, float], ...]:
    """A weighting's name, or the gain of each grade."""
    if "=" not in text:
        return text
    parts = [part.partition("=") for part in text.split(",")]
    pairs = [(number(grade), number(gain)) for grade, _, gain in parts]
    if any(math.isnan(each) for pair in pairs for each in pair):
        rule = "it is a weighting's name, or reads GRADE=GAIN,GRADE=GAIN"
        raise OptionError(f"--weights {cut(repr(text))}; {rule}. Correct it.")
    return tuple(pairs)
