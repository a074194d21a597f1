"""Commands of these tests run in one process, beside what all other tests hold."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sdcg_explorer.study import memory


@pytest.fixture(autouse=True, scope="module")
def no_rounds() -> Iterator[None]:
    """Cycles are left to Python: an export asks for a round over every object at each part."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(memory, "collect", lambda: None)
        yield
