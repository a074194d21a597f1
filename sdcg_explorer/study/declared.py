"""Choices that are declared once: what each field is for screen, options, files and sentences.

A definition, filters and a recipe are frozen dataclasses of such fields.
"""

import math
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeGuard, TypeVar, cast

from sdcg_explorer.study.problems import cut
from sdcg_explorer.study.wording import plural

FOUND = 40  # characters of a value, in an error
LONGEST_NAME = 60  # letters of a name that is not known, in an error
LARGEST_FILE = 1_000_000  # bytes; one of every choice has 500
Made = TypeVar("Made")


@dataclass(frozen=True)
class Declared:
    """What a field is: all that panel, options, links, files and sentences know of it.

    wrong : what of a value is none of it · rule : which values it has, in an error, or what makes
    that of a wrong one · called : its name there, where it is another · words : its label · about :
    the term that explains it · options : what may be chosen, by name, with its words · line : its
    plain words where it has no options · typed : the help of its option of a command, none where
    "" · kind : what that reads · option : that option's names, where they are others · read : what
    becomes of texts that were typed · key : the same in links · sign : of a parameter, in
    sentences · least, most : its ends, nan where it has none · clause : of a filter or a number,
    in a sentence
    """

    wrong: Callable[[Any], list[Any]]
    rule: str | Callable[[Any], str]
    called: str = ""
    words: str = ""
    about: str = ""
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    line: str = ""
    typed: str = ""
    kind: Any = str
    option: tuple[str, ...] = ()
    read: Callable[[list[str]], Any] = "".join
    key: str = ""
    sign: str = ""
    least: float = math.nan
    most: float = math.nan
    clause: str = ""


def declare(
    default: Any, wrong: Callable[[Any], list[Any]], rule: str | Callable[[Any], str], **more: Any
) -> Any:
    """A field with what it is."""
    usual: Any = {"default_factory": dict} if isinstance(default, dict) else {"default": default}
    return field(**usual, metadata={"declared": Declared(wrong, rule, **more)})


def scalar(default: Any, rule: str, has: Callable[[Any], bool], **more: Any) -> Any:
    """A field of one value, which is one that it has."""
    return declare(default, lambda value: [] if has(value) else [value], rule, **more)


def declared(of: Any) -> dict[str, Declared]:
    """What each field is."""
    return {each.name: each.metadata["declared"] for each in fields(of)}


def check(of: Any) -> None:
    """Refuse a value that is not offered, with those that are."""
    for name, each in declared(of).items():
        for wrong in each.wrong(getattr(of, name))[:1]:
            rule = each.rule if isinstance(each.rule, str) else each.rule(wrong)
            raise ValueError(f"{each.called or name} {found(wrong)}; {rule}")


def found(value: object) -> str:
    """A value as an error says it: what kind of thing, or its text, however long.

    >>> found("two"), found(10**400), found({"a": {}})
    ("'two'", '100000000000000000000000000000000000000…', 'is a table')
    """
    if isinstance(value, dict | list | tuple):
        return "is a table" if isinstance(value, dict) else "is a list"
    return cut(repr(value) if isinstance(value, str) else str(value), FOUND)


def is_number(value: object) -> TypeGuard[float]:
    """Whether a value is a number; yes and no are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_whole(value: object) -> TypeGuard[int]:
    """Whether a value is a whole number; yes and no are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def read_file(path: Path, make: Callable[[str], Made]) -> Made:
    """What is made of the text of a file of choices.

    Raises
    ------
    OSError : it can't be read
    ValueError : as of `make`, with the file's name and what to do
    """
    try:
        if path.exists() and not path.is_file():
            raise ValueError("a folder, fifo or device; a TOML file is needed")
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
        if len(content) > LARGEST_FILE:
            raise ValueError(f"too large; at most {LARGEST_FILE:,} bytes are read")
        return make(content.decode("utf-8-sig"))
    except ValueError as fault:
        said = str(fault)
        if isinstance(fault, UnicodeDecodeError):
            line = fault.object[: fault.start].count(b"\n") + 1
            said = f"line {line}: not UTF-8; a TOML file is text in UTF-8"
        raise ValueError(f"{path}: {said}. Correct the file.") from None


def with_values(default: Made, name: str, values: Mapping[str, Any]) -> Made:
    """A table's values in the place of the default's."""
    try:
        return replace(default, **values)  # pyright: ignore[reportArgumentType, reportCallIssue, reportUnknownVariableType]
    except ValueError as fault:
        raise ValueError(f"[{name}] {fault}") from None


def tables_of(text: str, kinds: Mapping[str, type]) -> list[dict[str, Any]]:
    """The tables of a text of TOML, one for each kind, with values of known names alone.

    Raises
    ------
    ValueError : not TOML, or a table or name that is not known
    """
    try:
        tables = tomllib.loads(text, parse_float=_float_or_decimal)
    except tomllib.TOMLDecodeError as fault:
        raise ValueError(f"not TOML: {cut(str(fault))}; it has tables of NAME = VALUE") from None
    except RecursionError:
        raise ValueError("nested too deeply; a table within a table is the deepest") from None
    except ValueError:
        raise ValueError("a number of thousands of digits; no choice takes it") from None
    for name, value in tables.items():
        if name in kinds:
            continue
        homes = [f"[{table}]" for table, kind in kinds.items() if name in declared(kind)]
        if homes:
            raise ValueError(f"{name} is before any table; it belongs under {homes[0]}")
        place = f"[{cut(name)}]" if isinstance(value, dict) else cut(name)
        known = f"{plural(len(kinds), 'the table is', 'tables are')} [{'] and ['.join(kinds)}]"
        raise ValueError(f"{place} is not known; {known}")
    return [known_values(tables.get(name, {}), name, kind) for name, kind in kinds.items()]


def _float_or_decimal(text: str) -> float | Decimal:
    """A number as written; one beyond all floats is none, which the choices refuse by name."""
    value = float(text)
    return Decimal(text) if math.isinf(value) and "inf" not in text else value


def known_values(table: Any, name: str, kind: type) -> dict[str, Any]:
    """The values of a table, of known names alone.

    Raises
    ------
    ValueError : no table, or a name that is not known
    """
    if not isinstance(table, dict):
        raise ValueError(f"{name}: {found(table)}; it must be a table, [{name}]")
    names, given = declared(kind), cast(dict[str, Any], table)
    for each in (each for each in given if each not in names):
        place, known = f"[{name}] {cut(each, LONGEST_NAME)}", ", ".join(names)
        raise ValueError(f"{place}; choose one of {known}")
    return given
