"""Other addresses of the questions: whoever looks for one by an older name is led to its page.

A layer of ASGI: the way is told before any page is there, so that the browser's history has none
of it. Within the app nothing could: what widgets have in the address no script may write again.
A page that is gone leads to Overview, which says where its contents are.
"""

from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from sdcg_explorer.questions.catalogue import QUESTIONS

WAYS = {
    QUESTIONS[0].name: "",
    **{own.before: own.name for own in QUESTIONS if own.before},
    **dict.fromkeys(("words", "glossary"), "?gone=words"),
}


class Addresses:
    """The app behind the ways to its pages, which keep all that the link says."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lead on, or pass a request on."""
        way = led_to(scope["path"]) if scope["type"] == "http" else None
        app = self.app
        if way is not None:
            query = scope["query_string"].decode("latin-1")
            app = RedirectResponse(way + ("&" if "?" in way else "?") * bool(query) + query)
        await app(scope, receive, send)


def led_to(path: str) -> str | None:
    """Where a path leads on to, seen from itself; None for one that no other address is.

    >>> led_to("/agreement"), led_to("/base/words/"), led_to("/overview"), led_to("/ratings")
    ('./ratings', '../?gone=words', './', None)
    """
    way = WAYS.get(path.rstrip("/").rpartition("/")[2])
    return None if way is None else f"{'../' if path.endswith('/') else './'}{way}"
