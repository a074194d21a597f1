"""A server's processes, as Linux lists them: which they are, and what memory they hold."""

import os
import re
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

PROC = Path("/proc")
LONGEST = 4_000  # characters of a traceback


def server_of(address: str) -> int:
    """Process of the server at an address, which this process has started."""
    port = f"--server.port={urlsplit(address).port}".encode()
    for pid, parent in _parents().items():
        if parent == os.getpid() and port in _read(pid, "cmdline").split(b"\0"):
            return pid
    raise LookupError(f"no process of ours listens at {address}")


def memory_of(server: int) -> tuple[int, int]:
    """Bytes in memory: of a server itself, and of the processes that it started."""
    return _resident(server), sum(_resident(pid) for pid in _below(server))


def traceback_of(server: int) -> str:
    """The first traceback among what `serving` keeps of a server's words, without its colours."""
    said = re.sub(r"\x1b\[[\d;]*m", "", _read(server, "fd/2").decode(errors="replace"))
    found = re.search(r"Traceback \(most recent call last\).*", said, re.DOTALL)
    return found[0][:LONGEST] if found else ""


def _below(pid: int) -> list[int]:
    """Every process that comes from one."""
    parents, found = _parents(), [pid]
    for each in found:  # grows as it goes
        found += [child for child, parent in parents.items() if parent == each]
    return found[1:]


def _parents() -> dict[int, int]:
    """Each process's parent; the name before it may have brackets and blanks."""
    stats = {int(path.name): _read(int(path.name), "stat") for path in PROC.glob("[0-9]*")}
    return {pid: int(stat.rpartition(b")")[2].split()[1]) for pid, stat in stats.items() if stat}


def _resident(pid: int) -> int:
    found = re.search(rb"VmRSS:\s+(\d+) kB", _read(pid, "status"))
    return 1024 * int(found[1]) if found else 0


def _read(pid: int, name: str) -> bytes:
    """A file of a process; nothing where it has ended."""
    with suppress(OSError):
        return (PROC / str(pid) / name).read_bytes()
    return b""
