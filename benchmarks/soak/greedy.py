"""Visitors who want more than their share, and one who drops a few lines among them."""

from __future__ import annotations

import gzip
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

from websockets.exceptions import ConnectionClosed

from benchmarks.soak.part import Part
from benchmarks.studies import write_log
from benchmarks.visit import Session
from tests.support.plain_files import written
from tests.support.tables import GRADED, TABLE

IDLE, SESSIONS = 4, 4  # connections of each of so many sessions, at an address each
ANNOUNCED = 62_000_000  # bytes that each of them says will come
HOLDS = 30.0  # seconds until one that was not dropped is given up
ROWS = 200_000  # of a log that takes a while to read
RUN = 1_900_000  # sessions of a run, 6 MB packed
PAUSE = 3.0  # seconds between two uploads of a few lines
Files = dict[str, tuple[Path, ...]]
Noted = Callable[[str, float], None]
Act = Callable[[str, float, Files, Part, Noted], None]


def files_in(folder: Path) -> Files:
    """What they drop: a few lines, a log, and a run of more sessions than pages hold."""
    few, log, run = (folder / name for name in ("few", "log", "run"))
    for each in (few, log, run):
        each.mkdir()
    with gzip.open(run / "a.run.gz", "wt", compresslevel=6) as file:
        file.writelines(f"{i:07}_1 Q0 d{i % 9} 1 1 A\n" for i in range(RUN))
    qrels = "".join(f"1 0 d{doc} {doc % 4}\n" for doc in range(9))
    (run / "qrels.txt").write_text(qrels, encoding="utf-8")
    return {
        "few": tuple(written(few, log_csv=TABLE, judgments_csv=GRADED).values()),
        "log": write_log(log, ROWS),
        "run": (run / "a.run.gz", run / "qrels.txt"),
    }


def announce(address: str, end: float, _files: Files, part: Part, _: Noted) -> None:
    """Announce a gigabyte by idle connections, again and again, and send next to nothing."""
    with ExitStack() as stack:
        sessions = [_visit(address, f"203.0.113.{i + 1}", stack) for i in range(SESSIONS)]
        while time.monotonic() < end:
            with ExitStack() as idle:
                held = [begun(one, idle) for one in sessions for _ in range(IDLE)]
                for one in held:
                    one.settimeout(max(0.1, min(HOLDS, end - time.monotonic())))
                    with suppress(TimeoutError):
                        if not one.recv(100).startswith(b"HTTP/1.1 408"):
                            part.blame("an idle upload was answered otherwise than by 408")


def leave(address: str, end: float, files: Files, part: Part, _: Noted) -> None:
    """Have a log read, and leave while it is."""
    while time.monotonic() < end:
        with ExitStack() as stack:
            visitor = _visit(address, "203.0.113.21", stack)
            visitor.longest = 2.0
            with suppress(TimeoutError):
                visitor.upload(files["log"], "files")


def flood(address: str, end: float, files: Files, part: Part, _: Noted) -> None:
    """Bring a run of 1.9 million sessions, which is refused, again and again."""
    while time.monotonic() < end:
        with ExitStack() as stack:
            if _visit(address, "203.0.113.31", stack).upload(files["run"], "files"):
                part.blame("a run of 1.9 million sessions was taken")


def bring_few(address: str, end: float, files: Files, part: Part, note: Noted) -> None:
    """Drop a few lines now and then; seconds until they can be accepted."""
    while time.monotonic() < end:
        with ExitStack() as stack:
            visitor, start = _visit(address, "203.0.113.41", stack), time.perf_counter()
            if not visitor.upload(files["few"], "files"):
                part.blame("a few lines can't be accepted")
            note("a few lines dropped", time.perf_counter() - start)
        time.sleep(max(0.0, min(PAUSE, end - time.monotonic())))


GREEDY = (announce, leave, flood, bring_few)


def want_more(
    act: Act,
    address: str,
    end: float,
    files: Files,
    part: Part,
    note: Noted,
) -> None:
    """One of them, until the time is up; what breaks off is an error."""
    try:
        act(address, end, files, part, note)
    except (ConnectionClosed, OSError, RuntimeError) as fault:
        part.blame(f"{act.__name__}: {type(fault).__name__} {fault}")


def _visit(address: str, seen_as: str, stack: ExitStack) -> Session:
    return stack.enter_context(Session(address, "data", seen_as=seen_as))


def begun(visitor: Session, stack: ExitStack) -> socket.socket:
    """A connection that announces a large file and sends its first 200 bytes."""
    at = urlsplit(visitor.address)
    connection = socket.create_connection((str(at.hostname), int(at.port or 80)))
    stack.enter_context(connection)
    headers = {
        **{"Host": at.netloc, "Content-Length": f"{ANNOUNCED}", "X-Xsrftoken": visitor.token},
        **{"Content-Type": "multipart/form-data; boundary=b", **visitor.cookie},
    }
    lines = [f"PUT /_stcore/upload_file/{visitor.id}/{uuid4()} HTTP/1.1"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    head = "\r\n".join([*lines, "", ""]).encode()
    connection.sendall(head + b"--b\r\n" + b"x" * 195)
    return connection
