"""What stands in for a package where Python runs in a browser does as that package does."""

from importlib import import_module

import numpy as np
import orjson
import pytest

stand_ins = import_module("docs.try.stand_ins")
TAKEN = (
    *('{"a": [1, 2.5, "é", null, true]}', '{"a": 1, "a": 2}', "[1e3]", '"\\ud83d\\ude00"', "-0"),
    *(b" [1] ", memoryview(b"[1]"), "9" * 30, str(2**64 - 1), str(-(2**63) - 1)),
    "[" * 99 + "]" * 99,
)
REFUSED = (
    *("NaN", "[Infinity]", "{'a': 1}", "[1,]", "", "01", "[1]x", "1e999", "9" * 400, '"\\ud800"'),
    *("[" * 9_999 + "]" * 9_999, '"\ud800"', b'"\xff"', "[1]".encode("utf-16"), b"\xef\xbb\xbf[1]"),
)


def test_json_is_read_and_refused_as_orjson_does() -> None:
    for text in TAKEN:
        read = stand_ins.strict_json(text)
        assert repr(read) == repr(orjson.loads(text))
    for text in REFUSED:
        for reader in (stand_ins.strict_json, orjson.loads):
            with pytest.raises(ValueError, match=r"."):
                reader(text)


def test_counts_of_64_bits_are_taken_or_refused() -> None:
    repeat = stand_ins.narrowed(np.repeat, 1)
    assert repeat([1, 2], np.array([2, 0], dtype=np.uint64)).tolist() == [1, 1]
    with pytest.raises(OverflowError, match="32 bits"):
        repeat([1], np.array([2**63 + 1], dtype=np.uint64))


def test_tasks_are_done_at_once_and_raise_where_their_result_is_asked_for() -> None:
    done = list[int]()
    with stand_ins.AtOnce(3) as pool:
        pool.submit(done.append, 1)
        assert done == [1]
        failed = pool.submit(int, "x")
        assert [*pool.map(abs, [-1, 2])] == [1, 2]
    with pytest.raises(ValueError, match="x"):
        failed.result()
