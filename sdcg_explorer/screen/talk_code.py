"""The code of a view that a phone's camera reads, where others can reach the view."""

from __future__ import annotations

import ipaddress
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import segno

from sdcg_explorer.screen import keys

LONGEST = 600  # letters of a link whose code is still read from a lecture hall's rows
HERE_ALONE = (
    "No code: {host} is this machine alone, and others can't open it. Start with sdcg app "
    "--shared --address 0.0.0.0 --host NAME, and open it under that name."
)
TOO_LONG = (
    "No code: this link has {count:,} letters; at most {most} are read from afar. Choose fewer "
    "filters, remove kept curves, or copy it from the address bar."
)
NO_LINK = "No code: this is no address of a page. Open the view in a browser, by http or https."


def code_or_why(link: str) -> dict[str, str]:
    """The link without what makes it a talk, and its code as a picture; or why there is none."""
    try:
        parts = urlsplit(link)
        host = parts.hostname or ""
    except ValueError:
        return {"why": NO_LINK}
    if parts.scheme not in ("http", "https") or not host:
        return {"why": NO_LINK}
    if is_here_alone(host):
        return {"why": HERE_ALONE.format(host=host)}
    says = [(n, v) for n, v in parse_qsl(parts.query, keep_blank_values=True) if n != keys.TALK]
    view = urlunsplit((parts.scheme, parts.netloc, parts.path, urlencode(says), ""))
    if len(view) > LONGEST:
        return {"why": TOO_LONG.format(count=len(view), most=LONGEST)}
    code = segno.make(view, error="l", micro=False, boost_error=False)
    return {"link": view, "picture": code.svg_data_uri(border=4, light="white")}


def is_here_alone(host: str) -> bool:
    """Whether a name leads each machine to itself.

    >>> is_here_alone("127.0.0.1"), is_here_alone("sdcg.example.org")
    (True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
