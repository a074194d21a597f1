"""`make video`: drives the app through paper/video.toml and records it, with captions.

It writes build/paper/video.mp4. Frames are the browser's own screencast, each with its time; ffmpeg
joins them and writes captions beneath the picture. Waiting for a page to open is cut out. What a
part can do::

    open LINK         a page of the app, by its link from the page's name on
    press KEY         a key, as in a talk
    drag BASE TO S    the slider of b or bq, to a share of its length, within S seconds
    scroll PIXELS S   the page, within S seconds
    point SELECTOR    the pointer onto something
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
import tomllib
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.support.server import READY, browser_missing, browsing, serving
from tests.support.waiting import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Page, ViewportSize

HERE = Path(__file__).resolve().parent
OUT = HERE.parent / "build" / "paper" / "video.mp4"
SCRIPT, CAPTIONS = HERE / "video.toml", HERE / "video.vtt"
LEAST, MOST = 170, 180  # seconds
SIZE: ViewportSize = {"width": 1280, "height": 720}
STRIP, WIDTH = 96, 84  # pixels of the captions beneath; letters in a line
RATE = 25  # pictures in a second
LOOK = "FontName=DejaVu Sans,FontSize=8.6,Outline=0,Shadow=0,MarginV=8,Alignment=2"
# no grey places, and every chart has what Plotly or we draw
DRAWN = """() => !document.querySelector('[data-testid=stMain] [data-testid=stSkeleton]')
    && [...document.querySelectorAll('[data-testid=stPlotlyChart]')]
        .every(chart => chart.querySelector('.main-svg'))"""
POINTER = """addEventListener('DOMContentLoaded', () => {
    const dot = document.createElement('div')
    dot.style.cssText = 'position:fixed;left:-40px;top:0;width:22px;height:22px;z-index:2147483647;'
        + 'margin:-11px;border-radius:50%;background:#d5531188;border:2px solid #d55311;'
        + 'pointer-events:none'
    document.documentElement.append(dot)
    addEventListener('pointermove', ({clientX, clientY}) => {
        dot.style.left = clientX + 'px'
        dot.style.top = clientY + 'px'
    }, true)
})"""


@dataclass(frozen=True)
class Part:
    """What is said from a second on, for how many, and what is done meanwhile."""

    starts: float
    seconds: float
    caption: str
    does: tuple[str, ...]


def read_parts(path: Path = SCRIPT) -> list[Part]:
    """Parts of a script, one after the other.

    Raises
    ------
    ValueError : a part does what can't be done
    """
    given = tomllib.loads(path.read_text(encoding="utf-8"))["part"]
    starts = accumulate((each["seconds"] for each in given), initial=0)
    parts = [
        Part(start, each["seconds"], each["caption"], tuple(each["does"]))
        for start, each in zip(starts, given, strict=False)
    ]
    for act in (act for part in parts for act in part.does):
        if act.split()[0] not in ACTS:
            raise ValueError(f"{path.name}: {act!r}; a part can {', '.join(ACTS)}.")
    return parts


def vtt(parts: list[Part]) -> str:
    """The captions as WebVTT, two lines each at most."""

    def at(seconds: float) -> str:
        return f"00:{int(seconds) // 60:02}:{int(seconds) % 60:02}.000"

    cues = (
        f"{at(part.starts)} --> {at(part.starts + part.seconds)}\n"
        + "\n".join(textwrap.wrap(part.caption, WIDTH))
        for part in parts
    )
    return "WEBVTT\n\n" + "\n\n".join(cues) + "\n"


class Clock:
    """Seconds of the film: those that pass, but for what is cut out."""

    def __init__(self) -> None:
        self.began = time.time()
        self.cuts: list[tuple[float, float]] = []  # from and to, by the wall's clock

    def at(self, moment: float) -> float:
        """The film's second at a moment of the wall's clock."""
        cut = sum(max(min(moment, end) - start, 0) for start, end in self.cuts)
        return max(moment - self.began - cut, 0)

    @contextmanager
    def cutting(self) -> Iterator[None]:
        """Cut out what the block takes."""
        start = time.time()
        yield
        self.cuts.append((start, time.time()))


def act(page: Page, address: str, asked: str, clock: Clock) -> None:
    """Do one thing of a part."""
    what, how = asked.split(maxsplit=1)
    ACTS[what](page, address, clock, how)


def _open(page: Page, address: str, clock: Clock, link: str) -> None:
    with clock.cutting():
        page.goto(f"{address}/{link}")
        rest(page)


def _press(page: Page, _: str, clock: Clock, key: str) -> None:
    with clock.cutting():
        before = page.url
        page.keyboard.press(key)
        page.wait_for_function("before => location.href !== before", arg=before)
        rest(page)


def _drag(page: Page, _: str, __: Clock, how: str) -> None:
    base, to, seconds = how.split()
    drag(page, base, float(to), float(seconds))


def _scroll(page: Page, _: str, __: Clock, how: str) -> None:
    pixels, seconds = how.split()
    page.mouse.move(SIZE["width"] / 2, SIZE["height"] / 2)
    done = 0.0
    for share in passing(page, float(seconds)):
        page.mouse.wheel(0, (share - done) * float(pixels))
        done = share


def _point(page: Page, _: str, __: Clock, at: str) -> None:
    page.locator(at).first.hover()


ACTS = {"open": _open, "press": _press, "drag": _drag, "scroll": _scroll, "point": _point}


def passing(page: Page, seconds: float) -> Iterator[float]:
    """Shares of so many seconds, picture by picture, up to 1."""
    began, share = time.monotonic(), 0.0
    while share < 1:
        page.wait_for_timeout(1000 / RATE)
        share = min((time.monotonic() - began) / seconds, 1)
        yield share


def rest(page: Page) -> None:
    """Wait until a page has its title, or in a talk its scene, and what it draws is drawn."""
    page.wait_for_selector(f"{READY} :is(h1, .talk header)", state="attached")
    page.wait_for_function(DRAWN)


def drag(page: Page, base: str, to: float, seconds: float) -> None:
    """Drag a slider's thumb, in a talk, by the mouse.

    Raises
    ------
    RuntimeError : the slider is not there
    """
    value = page.locator(f".st-key-{base}_slider_stand [data-testid=stSliderThumbValue]")
    thumb, track = (value.locator(f"xpath={up}").bounding_box() for up in ("..", "../.."))
    if not track or not thumb:
        raise RuntimeError(f"no slider of {base} on {page.url}")
    x, y = thumb["x"] + thumb["width"] / 2, thumb["y"] + thumb["height"] / 2
    end = track["x"] + to * track["width"]
    page.mouse.move(x, y)
    page.mouse.down()
    for share in passing(page, seconds):
        page.mouse.move(x + (end - x) * share, y)
    page.mouse.up()


@contextmanager
def recording(page: Page, folder: Path) -> Iterator[list[tuple[float, Path]]]:
    """Frames with the second at which each was shown, while the block runs."""
    frames: list[tuple[float, Path]] = []
    session = page.context.new_cdp_session(page)

    def keep(frame: dict[str, Any]) -> None:
        file = folder / f"{len(frames):05}.jpg"
        file.write_bytes(b64decode(frame["data"]))
        frames.append((frame["metadata"]["timestamp"], file))
        session.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

    session.on("Page.screencastFrame", keep)
    session.send("Page.startScreencast", {"format": "jpeg", "quality": 90})
    try:
        yield frames
    finally:
        session.send("Page.stopScreencast")


def play(page: Page, address: str, parts: list[Part]) -> Clock:
    """Go through all parts, each at its second.

    Raises
    ------
    RuntimeError : what a part does takes longer than what it says
    """
    clock = Clock()
    for part in parts:
        for asked in part.does:
            act(page, address, asked, clock)
        left = part.starts + part.seconds - clock.at(time.time())
        if left < 0:
            raise RuntimeError(f"{part.caption!r}: what it does takes {-left:.1f} s too long.")
        page.wait_for_timeout(1000 * left)
        sys.stdout.write(f"{part.starts:5.0f} s, {left:4.1f} s left: {part.caption}\n")
    return clock


def listed(frames: list[tuple[float, Path]], clock: Clock, seconds: float) -> str:
    """The list that ffmpeg reads: each frame, and for how long it is seen."""
    shown = [(clock.at(at), file) for at, file in frames]
    ends = [*(at for at, _ in shown[1:]), seconds]
    lines = (
        f"file '{file}'\nduration {end - at:.4f}\n"
        for (at, file), end in zip(shown, ends, strict=True)
        if end > at
    )
    return "".join(lines) + f"file '{shown[-1][1]}'\n"


def join(folder: Path, seconds: float) -> None:
    """Frames and captions as one film."""
    width, height = SIZE["width"], SIZE["height"]
    look = (
        f"scale={width}:{height},fps={RATE},pad={width}:{height + STRIP}:0:0:0x20242a,"
        f"subtitles={CAPTIONS}:force_style='{LOOK}'"
    )
    encoded = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "23", "-pix_fmt", "yuv420p"]
    command = ["ffmpeg", "-y", "-loglevel", "error", "-f", "concat", "-safe", "0"]
    command += ["-i", str(folder / "frames.txt"), "-vf", look, *encoded]
    command += ["-movflags", "+faststart", "-t", str(seconds), str(OUT)]
    OUT.parent.mkdir(exist_ok=True)
    subprocess.run(command, check=True)


def main() -> None:
    """Write the captions, and the film where a browser and ffmpeg are installed."""
    parts = read_parts()
    CAPTIONS.write_text(vtt(parts), encoding="utf-8")
    lacking = "" if shutil.which("ffmpeg") else "ffmpeg is not installed (Debian has it)"
    if why := browser_missing() or lacking:
        raise SystemExit(f"No video: {why}.")
    seconds = parts[-1].starts + parts[-1].seconds
    with (
        tempfile.TemporaryDirectory() as name,
        serving("--workspace", name) as address,
        browsing() as browser,
        browser.new_context(viewport=SIZE, color_scheme="light") as context,
    ):
        folder, page = Path(name), context.new_page()
        page.add_init_script(POINTER)
        page.set_default_timeout(1000 * PATIENCE)
        with recording(page, folder) as frames:
            clock = play(page, address, parts)
        (folder / "frames.txt").write_text(listed(frames, clock, seconds), encoding="utf-8")
        join(folder, seconds)
    sys.stdout.write(f"{OUT.relative_to(HERE.parent)}: {seconds:g} s, {len(frames):,} frames\n")


if __name__ == "__main__":
    main()
