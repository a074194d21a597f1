"""What stands in for a package where Python runs in a browser reads as it does."""

from __future__ import annotations

from importlib import import_module

import orjson
import pytest


def test_json_is_read_and_refused_as_orjson_does() -> None:
    strict = import_module("docs.try.stand_ins").strict_json
    for text in ('{"a": [1, 2.5, "é", null, true]}', "[1e3]", '"\\ud83d\\ude00"'):
        assert strict(text) == orjson.loads(text)
    for text in ("NaN", "[Infinity]", "{'a': 1}", "[1,]", ""):
        for reader in (strict, orjson.loads):
            with pytest.raises(ValueError, match=r"."):
                reader(text)
