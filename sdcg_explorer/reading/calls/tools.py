"""Tools that agents call: which of them search, which open a document."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

TURN = "turn"  # of a conversation, as the tool that each of its turns calls
SEARCH, OPEN, OTHER = "search", "open", "not used"
# by what a tool does: words in its name, the first that fits
WORDS = {
    SEARCH: re.compile(f"search|retriev|query|lookup|look_up|find_doc|^{TURN}$", re.IGNORECASE),
    OPEN: re.compile("open|visit|read|fetch|browse|view|get_(doc|page|url|file)", re.IGNORECASE),
}


def kind_of_tool(tool: str, searching: Sequence[str] = (), opening: Sequence[str] = ()) -> str:
    """What a tool does: as it was said, or else, where nothing was said of its kind, by its name.

    >>> kind_of_tool("local_knowledge_base_retrieval"), kind_of_tool("get_document")
    ('search', 'open')
    >>> kind_of_tool("python"), kind_of_tool("bm25", searching=["bm25"])
    ('not used', 'search')
    """
    said = {SEARCH: searching, OPEN: opening}
    if of := [kind for kind, tools in said.items() if tool in tools]:
        return of[0]
    free = {kind: words for kind, words in WORDS.items() if not said[kind]}
    return next((kind for kind, words in free.items() if words.search(tool)), OTHER)


def said_of_tools(calls: Counter[str], kinds: dict[str, str]) -> str:
    """Each tool, how often it was called, and what it was taken for; the most frequent first."""
    return ", ".join(
        f"{tool or 'no name'} ({n:,}): {kinds[tool]}" for tool, n in calls.most_common()
    )
