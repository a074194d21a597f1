"""Files that others published: where they are, their checksums, and how they come here."""

import hashlib
import io
import os
import tomllib
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.request import urlopen

HERE = Path(__file__).parent
BY_HAND = HERE.parents[1] / ".published"
LARGEST = 50_000_000  # bytes that are taken from an address
SECONDS = 20


class NotHereError(Exception):
    """A file that is not here and did not come; its text says what to do."""


@dataclass(frozen=True)
class Published:
    """One file of a study.

    address : where it is fetched, "" where it is only put by hand; origin : where it is from;
    member : its name in the zip at the address, "" where the address is the file itself;
    sha256 : of the file, as it is used
    """

    study: str
    name: str
    sha256: str
    origin: str
    licence: str
    address: str = ""
    member: str = ""
    made: str = ""


def published() -> list[Published]:
    """All files of sources.toml."""
    known = tomllib.loads((HERE / "sources.toml").read_text(encoding="utf-8"))
    return [
        Published(study, **{**{k: v for k, v in of.items() if k != "file"}, **each})
        for study, of in known.items()
        for each in of["file"]
    ]


def folder_of(study: str, *, found: Callable[[str], bytes] | None = None) -> Path:
    """The folder that has every file of a study, each with its checksum.

    Looked for in the real logs (SDCG_SHARED), then in .published; what is in neither is fetched.

    Raises
    ------
    NotHereError : for each file that is missing a line: its name, address and place
    """
    files = [each for each in published() if each.study == study]
    if not files:
        raise KeyError(
            f"{study!r}: sources.toml has {', '.join({e.study: 0 for e in published()})}."
        )
    shared = os.environ.get("SDCG_SHARED")
    own = Path(shared) / "data" / study if shared else None
    if own and all((own / each.name).is_file() for each in files):
        folder = own
    else:
        folder = BY_HAND / study
        _bring(files, folder, found or fetched)
    wrong = [each.name for each in files if sha256(folder / each.name) != each.sha256]
    if wrong:
        raise NotHereError(
            f"{', '.join(wrong)} in {folder}: another file than sources.toml names. Remove it."
        )
    return folder


def _bring(files: list[Published], folder: Path, found: Callable[[str], bytes]) -> None:
    """Fetch what is not in a folder."""
    faults = []
    for each in files:
        try:
            if not (folder / each.name).is_file():
                bring(each, folder, found)
        except NotHereError as fault:
            faults.append(str(fault))
    if faults:
        raise NotHereError("\n".join(faults))


def bring(file: Published, folder: Path, found: Callable[[str], bytes]) -> Path:
    """Fetch one file into a folder; nothing is kept of one that has another checksum."""
    place = f".published/{file.study}/{file.name}"
    if not file.address:
        raise NotHereError(f"{file.name} is not fetched: {file.made} Put it at {place}.")
    try:
        content = _member(found(file.address), file)
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as fault:
        raise NotHereError(
            f"{file.name} did not come from {file.address} ({fault or type(fault).__name__}). "
            f"Put it by hand at {place}."
        ) from fault
    if hashlib.sha256(content).hexdigest() != file.sha256:
        raise NotHereError(
            f"{file.name} from {file.address} is another file than the one named: its sha256 is "
            f"not {file.sha256[:12]}…. It was not kept."
        )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / file.name).write_bytes(content)
    return folder / file.name


def _member(content: bytes, file: Published) -> bytes:
    """The file itself, out of a zip where it lies in one."""
    if not file.member:
        return content
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        inside = [i for i in packed.infolist() if PurePosixPath(i.filename).name == file.member]
        if len(inside) != 1 or inside[0].file_size > LARGEST:
            raise ValueError(f"no single {file.member} in the zip")
        return packed.read(inside[0])


def fetched(address: str) -> bytes:
    """What an address has, up to a bound."""
    with urlopen(address, timeout=SECONDS) as answer:
        content = answer.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise ValueError(f"more than {LARGEST:,} bytes")
    return content


def sha256(path: Path) -> str:
    """Sum of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
