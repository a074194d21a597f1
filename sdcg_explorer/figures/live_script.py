"""The script by which lines follow sliders in a browser, of the app and of the report."""

from pathlib import Path

SCRIPT = "".join(
    (Path(__file__).parent / f"live_{part}.js").read_text(encoding="utf-8")
    for part in ("curves", "plots")
)
