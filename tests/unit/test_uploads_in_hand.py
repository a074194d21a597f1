"""An upload is forgotten once its visitor is gone, and not before."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from sdcg_explorer.screen import uploads_in_hand
from tests.support.waiting import until


def test_a_session_is_closed_when_its_browser_has_been_away_and_memory_given_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here, closed, given = {"stays", "goes"}, list[str](), list[int]()
    runtime = SimpleNamespace(
        is_active_session=here.__contains__, clear_user_info_for_session=closed.append
    )
    monkeypatch.setattr(uploads_in_hand, "exists", lambda: True)
    monkeypatch.setattr(uploads_in_hand, "get_instance", lambda: runtime)
    monkeypatch.setattr(uploads_in_hand, "give_back", lambda: given.append(1))
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
