"""What pages share with the repository: files beside docs/ are pages of the site, or linked there.

A page links to any file of the repository by a relative path, as GitHub shows it. In the site a
file of `SHOWN` is the page that stands for it, any other is opened at the project's address.
"""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath
from typing import TYPE_CHECKING

from sphinx.errors import ExtensionError

from docs.asked import asked_by_page, asked_by_style

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[1]
LINK = re.compile(r"(?<=\]\()(?!#)([^)\s:]+?)(#[^)\s]*)?(?=\))")
LOADING = {".html": asked_by_page, ".css": asked_by_style}
# pages whose text is a file of the repository
SHOWN = {
    "changelog": "CHANGELOG.md",
    "glossary": "sdcg_explorer/questions/glossary.md",
}
FRONT = {"README.md": "index"}


def resolved(link: str, place: str, page: str, blob: str) -> str:
    """A relative link of the file at `place` as `page` of the site says it.

    One that leads to no file stays as it is, for Sphinx to name it.
    """
    target = normpath(str(PurePosixPath(place).parent / link))
    if not (ROOT / target).exists():
        return link
    pages = {path: name for name, path in SHOWN.items()} | FRONT
    if target in pages:
        inside = f"{pages[target]}.md"
    elif target.startswith("docs/"):
        inside = target.removeprefix("docs/")
    else:
        return f"{blob}/{target}"
    return relpath(inside, str(PurePosixPath(page).parent))


def read(app: Sphinx, page: str, source: list[str]) -> None:
    """A page's text, with links as the site has them."""
    place = SHOWN.get(page, f"docs/{page}.md")
    if page in SHOWN:
        source[0] = (ROOT / place).read_text(encoding="utf-8")
        app.env.note_dependency(ROOT / place)
    blob = f"{app.config.repository}/blob/main"
    source[0] = LINK.sub(
        lambda found: resolved(found[1], place, page, blob) + (found[2] or ""), source[0]
    )


def checked(app: Sphinx, failed: Exception | None) -> None:
    """Refuse a site of which a page, or its style, asks another host for something."""
    for page in sorted(Path(app.outdir).rglob("*")) if failed is None else ():
        look = LOADING.get(page.suffix)
        if look and (asked := look(page.read_text(encoding="utf-8"))):
            raise ExtensionError(f"{page.name}: {', '.join(asked)}; a page asks no other host.")


def setup(app: Sphinx) -> dict[str, bool]:
    """Read every page with the repository's links."""
    app.add_config_value("repository", "", "env", str)
    app.connect("source-read", read)
    app.connect("build-finished", checked)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
