"""What is done by a key stands in the list of keys that "?" opens."""

import re

from sdcg_explorer.screen.keys_and_words import KEYS
from tests.support.server import ROOT

SHORTCUT = re.compile(r"""shortcut["']?[=:] ?["'](\w+)["']""")


def test_every_shortcut_is_in_the_list_of_keys() -> None:
    sources = [*ROOT.glob("sdcg_explorer/screen/*.py"), *ROOT.glob("pages/*.py")]
    used = {key.upper() for path in sources for key in SHORTCUT.findall(path.read_text("utf-8"))}
    listed = {key for keys in KEYS for key in keys.split(", ") if len(key) == 1}
    assert used == listed - {"?", "F"}  # of present.js: tests/browser/test_present.py
