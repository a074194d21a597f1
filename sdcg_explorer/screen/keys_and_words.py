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
    "F": "fills the screen with the page's figure, for a talk, and leaves it again.",
    "← →, Page Up, Page Down in a talk": "go to the scene before and to the next one.",
    "↑ ↓ in a talk": "scroll a figure that is taller than the screen.",
    "Space in a talk": "moves bq, or the b or bq that was last in hand, slowly; any key stops it.",
    "D in a talk": "turns light to dark, and back.",
    "N in a talk": "shows and hides the presenter's notes; W, in a window of their own.",
    "Q in a talk": "shows a code by which phones open the view.",
    "P, N": "open the previous and the next session, on Individual sessions.",
    "↑ ↓ ← → on the wall": "go from session to session and from query to query; Enter opens one.",
    "↑ ↓ ← → on a card": "move it within its list and to another, By hand.",
    "Esc": "closes what stands over the page; it leaves a talk.",
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
