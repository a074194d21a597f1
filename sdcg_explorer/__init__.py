"""sDCG Explorer: what each query and session of an interactive search study was worth.

For notebooks: ``import sdcg_explorer as sx`` (docs/notebook.md). A name is looked up when it is
used, so that ``sdcg_explorer.metrics`` needs numpy alone.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sdcg_explorer.notebook.asking import (
        PRESETS,
        Definition,
        agreement,
        compare,
        figure,
        fit,
        robustness,
        score,
        sessions,
    )
    from sdcg_explorer.notebook.measures import ir_measure
    from sdcg_explorer.notebook.opening import Recipe, Study, UnusableInputError, read, samples

__all__ = [
    "PRESETS",
    "Definition",
    "Recipe",
    "Study",
    "UnusableInputError",
    "agreement",
    "compare",
    "figure",
    "fit",
    "ir_measure",
    "read",
    "robustness",
    "samples",
    "score",
    "sessions",
]
_MODULES = {"ir_measure": "measures"}
_OPENING = ("Recipe", "Study", "UnusableInputError", "read", "samples")


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = "opening" if name in _OPENING else _MODULES.get(name, "asking")
    return getattr(import_module(f"sdcg_explorer.notebook.{module}"), name)


def __dir__() -> list[str]:
    return __all__
