"""What can be done by keys, and what the words of a page mean: opened by one key, or its button."""

from __future__ import annotations

from sdcg_explorer.questions.glossary import terms
from sdcg_explorer.screen import keys
from sdcg_explorer.screen.module import module

KEYS = {
    "?": "opens and closes this list.",
    "← → ↑ ↓ on a slider": "go to the next preferred number.",
    "← → on a figure": "read the points of a curve one by one, first and last with Home and End.",
    "↑ ↓ on a figure": "go from curve to curve; on a map, from row to row.",
    "H": "keeps the curves in force beside those of another definition.",
    "F": "presents: headline and figure fill the screen. Again, it goes back.",
    "← →, Page Up, Page Down while presenting": "turn the pages of the study.",
    "↑ ↓ while presenting": "scroll a figure that is taller than the screen.",
    "P, N": "open the previous and the next session, on Individual sessions.",
    "↑ ↓ ← → on the wall": "go from cell to cell; Shift and Space open the row's session.",
    "↑ ↓ ← → on a card": "move it within its list and to another, By hand.",
    "Esc": "closes what stands over the page; it ends presenting, where you began.",
}
_button = module("keys_and_words", look="copy_link")


def offer_keys_and_words() -> None:
    """Draw the button that opens them; the key does so wherever nothing is being written."""
    known = [
        {"name": each.name, "names": [each.name, *each.also], "meaning": each.meaning}
        for each in terms().values()
    ]
    data = {"keys": [[key, does] for key, does in KEYS.items()], "terms": known}
    _button(key=keys.KEYS_AND_WORDS, data=data, height="content")
