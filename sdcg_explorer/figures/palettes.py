"""The colours of systems, light and dark, as the theme has them (.streamlit/config.toml)."""

from __future__ import annotations

import tomllib
from importlib.resources import files

CONFIG = files("sdcg_explorer") / "start" / ".streamlit" / "config.toml"
_THEME = tomllib.loads(CONFIG.read_text(encoding="utf-8"))["theme"]
LIGHT, DARK = PALETTES = (
    tuple[str, ...](_THEME["light"]["chartCategoricalColors"]),
    tuple[str, ...](_THEME["dark"]["chartCategoricalColors"]),
)
