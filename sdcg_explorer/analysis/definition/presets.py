"""A preset with what the definition in force says of further measures."""

from __future__ import annotations

from dataclasses import replace

from sdcg_explorer.analysis.definition.definition import PRESETS, Definition
from sdcg_explorer.analysis.definition.further import NAMES


def under_preset(definition: Definition, preset: str) -> Definition:
    """A preset with the parameters that a definition gives further measures; itself where "".

    Raises
    ------
    ValueError : no such preset
    """
    if not preset:
        return definition
    if preset not in PRESETS:
        raise ValueError(f"preset {preset!r}; known are {', '.join(PRESETS)}.")
    return replace(PRESETS[preset], **{name: getattr(definition, name) for name in NAMES})
