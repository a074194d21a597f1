"""A server: how it is started, what it refuses, what it forgets, and when it collects garbage."""

import gc
import io
import os
import re
import sys
import threading
import weakref
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit import config

from sdcg_explorer.commands import main as sdcg
from sdcg_explorer.reading.sources import PREFIX, own_folder, readable_paths, remove_left
from sdcg_explorer.scoring import cache as results
from sdcg_explorer.scoring.cache import USUAL, budget
from sdcg_explorer.screen import uploads_in_hand
from sdcg_explorer.serving import collection_schedule, protection
from sdcg_explorer.serving.protection import COOKIE, ProtectedApp, refusal, visitor_secret
from sdcg_explorer.study.machine import collect
from tests.support.waiting import finished, until


def started(monkeypatch: pytest.MonkeyPatch, *options: str) -> list[str]:
    """The command that the server is started by."""
    commands: list[list[str]] = []
    monkeypatch.setattr(os, "chdir", lambda _: None)
    monkeypatch.setattr(os, "execve", lambda _, command, __: commands.append(command))
    assert sdcg.main(["app", *options]) == 0
    return commands[0]


def test_names_and_watcher_reach_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    own = [f"--server.allowedHosts={name}" for name in ("127.0.0.1", "localhost", "::1")]
    plain = started(monkeypatch)
    assert [part for part in plain if "allowedHosts" in part] == own
    assert {"--server.address=127.0.0.1", "--server.fileWatcherType=none"} <= {*plain}
    asked = ("--shared", "--address", "0.0.0.0", "--host", "a.example", "--host", "b.example")
    several = started(monkeypatch, *asked, "--reload")
    named = [f"--server.allowedHosts={name}.example" for name in "ab"]
    assert [part for part in several if "allowedHosts" in part] == [*own, *named]
    assert {"--server.address=0.0.0.0", "--server.fileWatcherType=auto"} <= {*several}


def test_the_budget_of_results_is_what_the_option_says(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[dict[str, str]] = []
    monkeypatch.setattr(os, "chdir", lambda _: None)
    monkeypatch.setattr(os, "execve", lambda _, __, environment: told.append(environment))
    for options, size in (((), USUAL), (("--cache", "64"), 64)):
        assert sdcg.main(["app", *options]) == 0
        monkeypatch.setenv("SDCG_CACHE", told[-1]["SDCG_CACHE"])
        assert budget() == size * 1_000_000
    spec = spec_from_file_location("results_anew", results.__file__)
    assert spec
    assert spec.loader
    anew = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "results_anew", anew)
    spec.loader.exec_module(anew)
    assert (anew.RESULTS.budget, anew.STUDIES.budget) == (64_000_000, 64_000_000)


class Cycle:
    """What only the collector undoes."""

    def __init__(self) -> None:
        self.own = self


def test_a_round_comes_after_it_was_asked_for_and_rests_in_proportion(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rounds, rested, went = collection_schedule.Rounds(), list[float](), list[str]()
    done, clock = threading.Event(), iter((0.0, 0.5, 10.0, 10.25))
    time = SimpleNamespace(sleep=rested.append, perf_counter=lambda: next(clock))

    def go() -> None:
        went.append(threading.current_thread().name)
        if len(went) == 1:
            rounds.ask()  # a script that runs meanwhile: another round
        else:
            done.set()

    monkeypatch.setattr(collection_schedule, "collect", go)
    monkeypatch.setattr(collection_schedule, "time", time)
    rounds.ask()
    assert done.wait(5)
    assert rested == [1.0, 0.5 / collection_schedule.SHARE]
    assert went == ["rounds"] * 2


def test_what_was_alive_in_one_round_is_undone_by_a_later_one() -> None:
    cycle = Cycle()
    gone = weakref.ref(cycle)
    try:
        collect()
        assert gone() is cycle
        del cycle
        collect()
        assert gone() is None
    finally:
        gc.unfreeze()


def test_a_session_is_closed_when_its_browser_has_been_away_and_memory_given_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here, closed, given = {"stays", "goes"}, list[str](), list[int]()
    runtime = SimpleNamespace(
        is_active_session=here.__contains__, clear_user_info_for_session=closed.append
    )
    monkeypatch.setattr(uploads_in_hand, "exists", lambda: True)
    monkeypatch.setattr(uploads_in_hand, "get_instance", lambda: runtime)
    monkeypatch.setattr(uploads_in_hand, "free_memory", lambda: given.append(1))
    monkeypatch.setattr(uploads_in_hand, "LOOKED", 0.01)
    monkeypatch.setattr(uploads_in_hand, "AWAY", 0.03)
    visitors = uploads_in_hand.UploadWatch()
    for session in ("stays", "goes", "accepts"):
        visitors.hold(session)
    visitors.let_go("accepts")
    until(lambda: len(given) >= uploads_in_hand.TIMES, "memory given back after accepting")
    assert closed == []
    here.discard("goes")
    until(lambda: closed == ["goes"], "the session without a browser is closed")
    until(lambda: len(given) >= 2 * uploads_in_hand.TIMES, "memory given back after leaving")
    visitors.let_go("stays")
    until(lambda: not visitors._watches, "nobody is watched")  # pyright: ignore[reportPrivateUsage]
    assert closed == ["goes"]


HOSTS = ["127.0.0.1", "localhost", "::1", "sdcg.example.org", "*.example.net"]
GET: dict[str, Any] = {"type": "http", "method": "GET", "path": "/"}
PUT: dict[str, Any] = {"type": "http", "method": "PUT", "path": "/"}
STREAM: dict[str, Any] = {"type": "websocket", "path": "/_stcore/stream"}


@pytest.fixture(autouse=True)
def hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    get = config.get_option
    given = {"server.allowedHosts": HOSTS}
    monkeypatch.setattr(config, "get_option", lambda name: given.get(name) or get(name))


HOST, ORIGIN = (400, protection.WRONG_HOST), (403, protection.WRONG_ORIGIN)
OURS = ("127.0.0.1:8501", "localhost", "[::1]:8501", "Sdcg.Example.org", "sdcg.example.org.")
OTHERS = ("evil.example", "127.0.0.1.evil.example", "evil@localhost", "localhost:x", "", "10.0.0.7")
SITES = ("http://evil.example", "http://localhost:9999", "http://127.0.0.1:8501", "null", "")


@pytest.mark.parametrize("scope", [GET, PUT, STREAM, {**PUT, "method": "DELETE"}])
def test_our_names_are_answered_others_refused_and_other_sites_may_only_look(scope: Any) -> None:
    for host in OURS:
        assert refusal(scope, {"host": host, "origin": f"https://{host}"}) is None
        assert refusal(scope, {"host": host}) is None
    assert [refusal(scope, {"host": host}) for host in OTHERS] == [HOST] * len(OTHERS)
    assert refusal(scope, {}) == HOST
    asked = [refusal(scope, {"host": "localhost:8501", "origin": origin}) for origin in SITES]
    assert asked == [None if scope is GET else ORIGIN] * len(SITES)
    if scope["type"] == "websocket" or scope is GET:
        for one, two in (("localhost", "localhost"), ("evil.example", "a.example.net")):
            headers = [(b"host", one.encode()), (b"host", two.encode())]
            first = answered({**scope, "headers": headers}, visitors=True)[0]
            assert first.get("status", first.get("code")) in (400, 1008)


@pytest.mark.parametrize(
    ("client", "headers", "refused"),
    [
        ("127.0.0.1", {}, False),
        ("::1", {}, False),
        ("10.0.0.7", {}, True),
        ("127.0.0.1", {"x-forwarded-for": "127.0.0.1"}, True),
        ("127.0.0.1", {"x-forwarded-proto": "https"}, True),
        ("", {}, True),
    ],
)
def test_measurements_are_for_the_machine_itself(
    client: str, headers: dict[str, str], refused: bool
) -> None:
    scope = {**GET, "path": "/base/_stcore/metrics", "client": (client, 5) if client else None}
    found = refusal(scope, {"host": "localhost", **headers})
    assert found == ((403, protection.NOT_HERE) if refused else None)


def answered(scope: dict[str, Any], *, visitors: bool, cookie: str = "") -> list[dict[str, Any]]:
    """What is sent to a browser that asks for the page; the app says one header of its own."""
    sent: list[dict[str, Any]] = []

    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        kind = (b"content-type", b"text/html; charset=utf-8")
        headers = [kind, (b"x-frame-options", b"ALLOWALL")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.connect"}

    headers = [(b"host", b"localhost"), (b"cookie", cookie.encode())]
    scope = {"headers": headers, "scheme": "https", **scope}
    finished(ProtectedApp(app, visitors=visitors)(scope, receive, send))
    return sent


# the words on which browsers act, as their standards spell them; any other does nothing
NEEDED = {
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
OUR_OWN = {"'self'", "data:", "blob:"}  # what comes from nowhere else
LOOSE = {"script-src": {"'unsafe-eval'"}, "style-src": {"'unsafe-inline'"}}
CLOSED = ("object-src", "frame-ancestors")


def test_every_answer_has_our_headers_once_and_a_foreign_name_a_line_with_them() -> None:
    (start,) = answered(GET, visitors=False)
    given = [(name.decode(), value.decode()) for name, value in start["headers"]]
    policy = dict(given)["content-security-policy"]
    own = {"content-type": "text/html; charset=utf-8", "content-security-policy": policy}
    assert sorted(given) == sorted({**own, **NEEDED}.items())
    rules = {name: {*sources} for name, *sources in map(str.split, policy.split(";"))}
    assert [rules.pop(name) for name in CLOSED] == [{"'none'"}] * 2
    assert {"default-src", "script-src", "connect-src", "base-uri", "form-action"} <= {*rules}
    for name, sources in rules.items():
        hashes = {each for each in sources if re.fullmatch(r"'sha256-[\w+/]{43}='", each)}
        assert hashes == set() or name == "script-src"
        assert sources - hashes <= OUR_OWN | LOOSE.get(name, set()), name
    evil = {"headers": [(b"host", b"evil.example")]}
    start, body = answered({**GET, **evil}, visitors=True)
    assert (start["status"], body["body"].decode()) == (400, f"{protection.WRONG_HOST}\n")
    assert dict(start["headers"])[b"x-content-type-options"] == b"nosniff"
    (closed,) = answered({**STREAM, **evil}, visitors=True)
    assert closed["type"] == "websocket.close"


def test_a_visitor_gets_a_secret_once_and_no_script_reads_it() -> None:
    (start,) = answered(GET, visitors=True)
    cookie = dict(start["headers"])[b"set-cookie"].decode()
    assert {"HttpOnly", "SameSite=Lax", "Secure", "Path=/"} <= {*cookie.split("; ")}
    assert visitor_secret(cookie.partition(";")[0])
    (again,) = answered(GET, visitors=True, cookie=cookie.partition(";")[0])
    (alone,) = answered(GET, visitors=False)
    assert not [1 for start in (again, alone) if b"set-cookie" in dict(start["headers"])]
    for odd in (f"{COOKIE}=short", f"{COOKIE}={'x' * 999}", "\x00;=", f"{COOKIE}='\"; a"):
        assert visitor_secret(odd) == ""


def test_what_is_put_aside_is_read_twice_and_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    files = [io.BytesIO(b"one"), io.BytesIO(b"two")]
    files[1].seek(2)  # read before
    with readable_paths(files) as paths:
        for _ in range(2):
            assert [path.read_bytes() for path in paths] == [b"one", b"two"]
        if Path("/proc/self/fd").is_dir():
            assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    assert list(tmp_path.iterdir()) == []


def test_what_a_crash_left_is_removed_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    gone = 2**22 + 1  # beyond what a system numbers
    left = [tmp_path / f"{PREFIX}{number}-x" for number in (gone, os.getpid())]
    other = [tmp_path / name for name in (f"{PREFIX}{os.getppid()}-x", f"{PREFIX}x-y", "else")]
    for folder in (*left, *other):
        folder.mkdir()
        (folder / "0").write_bytes(b"a study")
    for folder in left:  # where processes can't be looked for, age says it
        os.utime(folder, (0, 0))
    assert remove_left() == 2
    assert sorted(tmp_path.iterdir()) == sorted(other)
    with own_folder() as own:
        assert Path(own).name.startswith(f"{PREFIX}{os.getpid()}-")
