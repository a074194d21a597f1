"""What came back of a call: its lists of documents, of objects or of text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, cast

import orjson

from sdcg_explorer.reading.readers.agents.calls import Listed
from sdcg_explorer.reading.readers.json_rows import FaultError, cell

IDS = ("docid", "doc_id", "document_id", "documentId", "id", "file_id", "url")
LISTS = (
    "results",
    "documents",
    "docs",
    "hits",
    "references",
    "data",
    "output_documents",
    "content",
)
BETWEEN_LISTS = re.compile(r"^=======$", re.MULTILINE)
HEADED = re.compile(r"^A (?:\w+ )?search for '(.*?)' found ", re.DOTALL)
NOTHING = re.compile(r"^No results found for '(.*?)'", re.DOTALL)
PAGE = re.compile(r"^Showing ranks (\d+)\s*[-–]\s*(\d+) of .*?search_id=(\S+)", re.DOTALL)
NAMED = re.compile(
    r"^[ \t]*(?:(\d{1,9})[.)][ \t]+)?(?:doc_?id|document[ _]id|docno)[ \t]*[:=][ \t]*(\S+)",
    re.IGNORECASE | re.MULTILINE,
)
LINKED = re.compile(r"^[ \t]*(\d{1,9})[.)][ \t]+\[[^\]\n]*\]\((\S+?)\)", re.MULTILINE)
TITLED = re.compile(r"^Doc (\d{1,9}) ?\(Title: (.*?)\)", re.MULTILINE)
PLAIN_IDS, AS_TEXT = "ids are texts or numbers", "Write it as a text."
PIECES = ("text", "input_text", "output_text")  # of a text that comes in pieces
Object = dict[str, Any]


def as_object(value: Any) -> Object:
    """A value where it is an object, or else one without fields."""
    return cast("Object", value) if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """A value where it is a list, or else an empty one."""
    return cast("list[Any]", value) if isinstance(value, list) else []


def as_objects(value: Any) -> list[Object]:
    """Objects of a list."""
    return [cast("Object", each) for each in as_list(value) if isinstance(each, dict)]


def lists_of(output: Any) -> tuple[Listed, ...]:
    """Lists of documents in what a tool gave back; one without documents where it has none."""
    if isinstance(output, str):
        if (value := json_in(output)) is not None:
            return lists_of(value)
        return tuple(_of_text(part) for part in BETWEEN_LISTS.split(output))
    objects = _objects(output)
    texts = [str(each["text"]) for each in objects if each.get("type") in PIECES]
    if texts:
        return lists_of("\n".join(texts))
    return (Listed([doc for each in objects if (doc := document_of(each))]),)


def json_in(text: str) -> Any:
    """The value of a text that is JSON's list or object; None where it is none."""
    if not text.lstrip().startswith(("[", "{")):
        return None
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return None


def _objects(output: Any) -> list[Object]:
    """Objects that stand for documents, or for pieces of text."""
    if not isinstance(output, dict):
        return as_objects(output)
    given = cast("Object", output)
    inner = next((given[name] for name in LISTS if isinstance(given.get(name), list)), None)
    return _objects(inner)


def document_of(given: Object) -> dict[str, str]:
    """Columns of a document: its id, and where that has no usual name all its metadata.

    >>> document_of({"docid": 7, "snippet": "…", "score": 1.5})
    {'doc': '7'}
    >>> document_of({"page_content": "…", "metadata": {"source": "a.pdf"}})
    {'metadata.source': 'a.pdf'}
    """
    inner = given.get("document")
    own = cast("Object", inner) if isinstance(inner, dict) else given
    named = next((own[name] for name in IDS if own.get(name) not in (None, "")), None)
    if named is not None and not isinstance(named, str | int | float):
        raise FaultError("a document's id within brackets", PLAIN_IDS, AS_TEXT)
    rank = {"rank": cell(given["rank"])} if given.get("rank") is not None else {}
    if named is not None:
        return {"doc": cell(named), **rank}
    metadata = own.get("metadata")
    if not isinstance(metadata, dict):
        return {}
    plain = cast("Object", metadata).items()
    return {f"metadata.{key}": cell(v) for key, v in plain if _is_plain(v)} | rank


def _is_plain(value: Any) -> bool:
    try:
        return isinstance(value, str | int | float) and len(cell(value)) < 1000
    except FaultError:
        return False


def _of_text(text: str) -> Listed:
    """The list that a text holds, a line of each document or more."""
    text = text.strip()
    if nothing := NOTHING.match(text):
        return Listed((), nothing[1])
    headed, page = HEADED.match(text), PAGE.match(text)
    docs = _documents(text)
    return Listed(docs, headed[1] if headed else "", page[3] if page else "")


def _documents(text: str) -> list[dict[str, str]]:
    """Columns of each document in a text: its id, or else its title; its rank where one stands."""
    for column, form in (("doc", NAMED), ("doc", LINKED), ("title", TITLED)):
        if fits := [(fit[1], fit[2].strip(" ,;\"'")) for fit in form.finditer(text)]:
            return [{column: name} | ({"rank": rank} if rank else {}) for rank, name in fits]
    return []


def texts_in(arguments: Any) -> tuple[str, ...]:
    """Queries in a call's arguments: a text, or a list of them; JSON in a text is read.

    >>> texts_in('{"query": ["a", "b"]}'), texts_in({"user_query": "c"}), texts_in("d")
    (('a', 'b'), ('c',), ('d',))
    """
    value = json_in(arguments) if isinstance(arguments, str) else arguments
    if value is None:
        return (str(arguments),) if arguments else ()
    return tuple(_queries(value))


def _queries(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        yield from (str(each) for each in cast("list[Any]", value) if isinstance(each, str))
        return
    given = cast("Object", value) if isinstance(value, dict) else {}
    asked = [given[name] for name in given if "query" in name.lower() or "queries" in name.lower()]
    for each in asked[:1]:
        yield from _queries(each) if isinstance(each, list) else (str(each),)


def opened_in(arguments: Any) -> str:
    """Document that a call's arguments name; "" where they name none.

    >>> opened_in('{"docid": 7}'), opened_in({"url": ["u"]}), opened_in({"query": "q"})
    ('7', 'u', '')
    """
    value = json_in(arguments) if isinstance(arguments, str) else arguments
    if not isinstance(value, dict):
        return ""
    given = cast("Object", value)
    named = next((given[name] for name in IDS if given.get(name) not in (None, "", [])), "")
    first = cast("list[Any]", named)[0] if isinstance(named, list) else named
    return cell(first)


def search_in(arguments: Any) -> str:
    """The search whose further page a call asks for; "" where it asks for none."""
    value = json_in(arguments) if isinstance(arguments, str) else arguments
    given = cast("Object", value) if isinstance(value, dict) else {}
    return str(given.get("search_id") or "") if not texts_in(given) else ""
