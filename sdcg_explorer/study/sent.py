"""What goes to another process of a value whose parts are computed when they are asked for."""

from __future__ import annotations

from functools import cached_property
from typing import Any


class SentAsMade:
    """Sent as it was made: what was computed of it since stays here, and is computed anew there.

    Other threads may fill a cached property meanwhile, so that its attributes are copied, in one
    step, before any of them is looked at.
    """

    def __getstate__(self) -> dict[str, Any]:
        """The attributes that it was made of."""
        kinds = (vars(kind).items() for kind in type(self).__mro__)
        computed = {name for kind in kinds for name, of in kind if isinstance(of, cached_property)}
        return {name: of for name, of in vars(self).copy().items() if name not in computed}
