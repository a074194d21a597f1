"""Words of many languages by which columns, cells and grades are known: words.toml has them."""

import tomllib
from pathlib import Path

WORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
