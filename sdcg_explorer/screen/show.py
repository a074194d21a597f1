"""The frame of an answer: what every page shows, and how text is kept from acting."""

import re
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from html import escape
from typing import Any, Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from sdcg_explorer.figures.panels import SCREEN
from sdcg_explorer.figures.style import system_mark
from sdcg_explorer.questions import catalogue, methods
from sdcg_explorer.questions.advice import advice as general_advice
from sdcg_explorer.questions.columns import column_words
from sdcg_explorer.questions.glossary import split_at_terms
from sdcg_explorer.questions.view import Answer, Exhibit
from sdcg_explorer.screen import keys, library, scripts
from sdcg_explorer.screen.opened import Opened, open_page, page_file
from sdcg_explorer.serving.collection_schedule import ROUNDS
from sdcg_explorer.study.annotations import LONGEST_NOTE, cleaned_note, joined_notes
from sdcg_explorer.study.wording import in_short

AROUND = 212  # pixels of what stands above a page's figure, and a margin beneath
ROW = 24  # pixels of a half of what stands above each of two rows of figures
LEAST, TALLEST = 330, 900  # pixels of such a figure
CONFIG = {"displaylogo": False, "modeBarButtons": [["toImage"]]}
TERM = '<dfn class="term" tabindex="-1" aria-description="{}">{}</dfn>'  # see page.css
SPELLED = (
    "sDCG is session-based discounted cumulated gain; nsDCG is sDCG divided by that of its ideal."
)
NOTE = "Saved with the study, and printed in report and paper"
NOT_YOURS = "This server is shared. Upload your own study to note, tag and judge what is in it."
JOINER = "\u2060"  # takes no room and joins what it parts
# What no backslash stops: -> becomes an arrow, and addresses become links.
ACTING = re.compile(r"(?<=[-<>=!~+])(?=[-<>=~+])|(?<=:)(?=//)|(?<=www)(?=\.)|(?=@)", re.IGNORECASE)


def markdown_safe(text: str) -> str:
    r"""Text as Markdown shows it: no marks, no links, and no pictures that are fetched from afar.

    >>> markdown_safe("a*b [c](d)")
    'a\\*b \\[c\\]\\(d\\)'
    """
    apart = re.sub(ACTING, JOINER, text)
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", apart)


def explained(text: str, known: set[str] | None = None) -> str:
    r"""Text as Markdown shows it, each term of the glossary with what it means, where it is first.

    known : terms that are explained above, to which those of the text are added

    >>> explained("*judged*").replace(split_at_terms("judged")[0][1].meaning, "…")
    '\\*<dfn class="term" tabindex="-1" aria-description="…">judged</dfn>\\*'
    """
    return "".join(
        TERM.format(escape(term.meaning), markdown_safe(words)) if term else markdown_safe(words)
        for words, term in split_at_terms(text, known)
    )


def in_small(text: str, before: str = "", known: set[str] | None = None) -> str:
    """A paragraph in small print whose terms say what they mean, with Markdown `before` it."""
    return f":small[{before}{explained(text, known)}]" if text else ""


def small_line(text: str) -> None:
    """Show a line of plain words in small print."""
    st.markdown(f":small[{markdown_safe(text)}]")


def paragraphs(texts: Iterable[str]) -> None:
    """Show paragraphs as one: a browser takes as long for each piece of a page as for its words."""
    if text := "\n\n".join(filter(None, texts)):
        st.markdown(text, unsafe_allow_html=True)


def run_page(name: str, view: Callable[[Opened], None], *, alone: bool = True) -> None:
    """Show a page, whose view is drawn anew alone where its own widgets change: most' last line."""
    open_page(name)

    def draw() -> None:
        ROUNDS.ask()
        with st.session_state[keys.OPENED].holding() as opened:
            st.session_state[keys.LIVE] = {}  # nothing follows the sliders yet
            view(opened)
            save_failure()
            note(opened, name)
            scripts.mount_live(opened.definition.discount)

    (st.fragment(draw) if alone else draw)()


def answer(opened: Opened | None, text: str, above: DeltaGenerator | None = None) -> None:
    """Show the page's first line, and what must be known of the study to read it rightly.

    It stands `above` what was drawn before, where room was left for it.
    """
    with above.container() if above else nullcontext():
        st.header(markdown_safe(opened.shorten_names(text) if opened else text), anchor="answer")
        if opened and (said := st.session_state.get(keys.LACKING, {}).get(opened.study.digest)):
            st.markdown(f":small[:material/info: {markdown_safe(said)}]")


def system_signs(opened: Opened) -> str:
    """Each system that is shown, after its sign."""
    shown = opened.shown_systems
    return ", ".join(f"{system_mark(opened.systems, name)} {in_short(name)}" for name in shown)


def lines(texts: Iterable[str]) -> None:
    """Show lines of plain words, a paragraph each."""
    for line in texts:
        st.markdown(markdown_safe(line))


def part(shown: Answer) -> None:
    """Show the lines and the tables of a part of a page."""
    lines(shown.more)
    for exhibit in shown.exhibits.values():
        table(exhibit.table, exhibit.caption)


def way(page: str, words: str, asked: dict[str, Any]) -> None:
    """Show the link to a page, under what is in force here but for what is `asked` there."""
    here = {key: st.query_params.get_all(key) for key in st.query_params}
    st.page_link(page_file(page), label=words, query_params=here | asked)


def figure(
    drawn: Any,
    alt: str,
    key: str,
    clicked: Callable[[], None] | None = None,
    *,
    stretches: int = 0,
    around: int = AROUND,
) -> None:
    """Show one figure with its text alternative; `clicked` is called after a click.

    One that `stretches` takes the height that the screen has, for so many rows of figures with
    so many pixels `around` all of them, or as was said of several by `stretch`, which is 0.
    """
    panels = "panels" in (drawn.layout.meta or {})
    room, high = f"{key}_room", drawn.layout.height
    own = keyed(room)
    if panels:  # on a phone they are scrolled
        scrolled = f"{own} {{ overflow-x: auto }} {own} > * {{ min-width: {SCREEN}px }}"
        st.html(f"<style>{scrolled}</style>")
    if stretches and around:
        stretch(own, high if panels else min(high, round(LEAST / stretches)), stretches, around)
    with st.container(key=room, height=high if stretches else "content", border=False):
        st.plotly_chart(
            drawn,
            height="stretch" if stretches else "content",
            key=key,
            alt=alt,
            config={**CONFIG, "toImageButtonOptions": {"format": "svg", "filename": key}},
            on_select=clicked or "ignore",
            selection_mode="points",
        )


def stretch(own: str, least: int, rows: int, around: int) -> None:
    """Have the rooms of figures, by their selector, take the height that the screen has.

    least, around : pixels · rows : of figures, which share what is left of the screen
    """
    share = f"(100vh - {around}px) / {rows} - {ROW * (rows - 1)}px"
    tall = f"clamp({least}px, {share}, {TALLEST}px) !important"
    both = f"{own}, :has(> {own}) {{ flex-basis: {tall}; height: {tall} }}"
    known = f"{own} {{ --least: {least}px }}"  # for present.js
    st.html(f"<style>{known} @media (min-width: 641px) {{ {both} }}</style>")


def keyed(key: str) -> str:
    """Selector of a container by its key.

    >>> keyed("under plain (linear)")
    '.st-key-under-plain--linear-'
    """
    return f".st-key-{re.sub('[^a-zA-Z0-9_-]', '-', key)}"


def exhibit(
    of: Exhibit, key: str, clicked: Callable[[], None] | None = None, *, stretches: int = 0
) -> None:
    """Show an exhibit's figure, where it has one; a page's main one `stretches`."""
    if of.figure is not None:
        figure(of.figure, of.alt or of.caption, key, clicked, stretches=stretches)


def save_failure() -> None:
    """Why what was last asked for was not kept, once."""
    if reason := st.session_state.pop(keys.NOT_KEPT, ""):
        st.error(markdown_safe(reason))


def is_closed(opened: Opened) -> bool:
    """Whether nothing may be written of the study here, which is said."""
    if closed := not library.may_write(opened.digest):
        small_line(NOT_YOURS)
    return closed


def note(opened: Opened, name: str) -> None:
    """Show the note beneath a question's answer, to write; it is kept once its field is left."""
    if opened.by_hand or catalogue.question_of(name).answer is None:
        return
    text, own, shown = opened.written.get(name, ""), f"note on {name}", f"shown note on {name}"
    # what was typed stays where it was not kept; a page that was left has forgotten its field
    if own not in st.session_state or st.session_state.get(shown) != text:
        st.session_state[own] = st.session_state[shown] = text

    def keep() -> None:
        typed = cleaned_note(st.session_state[own])

        def write(digest: str, of: str) -> None:
            now = library.store().written(digest, of).get(name, "")
            both = joined_notes({name: now}, {name: typed})  # another window wrote meanwhile
            library.store().write(digest, name, typed if now == text else both.get(name, now), of)

        library.keep_words(opened.digest, "note", write)

    with st.expander("Your note", expanded=bool(text)):
        closed, most = is_closed(opened), max(LONGEST_NOTE, len(text))
        look: Any = {"max_chars": most, "height": "content", "on_change": keep}
        st.text_area(NOTE, key=own, disabled=closed, **look)


def small(title: str, text: str) -> None:
    """Show a paragraph in small print that is dark enough to read."""
    paragraphs([in_small(text, f"**{title}:** ")])


def beneath(
    opened: Opened,
    behind: str,
    advice: list[str] | None = None,
    *,
    picture: str = "",
    spelled: bool = True,
    whose: str = "Current definition",
) -> None:
    """Beneath a figure: advice, definition and filters; folded, how to read it and on what data.

    sDCG is `spelled` out, where the page does not do so above; `whose` definition it is.
    """
    known = set[str]()
    every: list[str] = [*(advice or []), *opened.ask(general_advice)]
    in_force = methods.definition_text(opened.definition, opened.study)
    advised = [in_small(line, ":material/info: ", known) for line in dict.fromkeys(every)]
    advised.append(in_small(in_force, f"**{whose}:** ", known))
    filters = methods.filters_sentence(opened.filters)
    paragraphs([*advised, in_small(filters, "**Filters:** ", known)])
    details = {"How to read it": picture, "Data behind the figure": behind}
    lines = [in_small(text, f"**{name}:** ", known) for name, text in details.items()]
    lines.append(in_small(SPELLED if spelled else "", known=known))
    if any(lines):
        with st.expander("Details"):
            paragraphs(lines)


def table(
    table: Any,
    alt: str,
    height: int | Literal["auto"] = "auto",
    *,
    ours: bool = True,
    **widths: int,
) -> None:
    """Show a table, numbers with three significant digits; some columns in pixels wide.

    Columns that are `ours` go by words; others are names that were uploaded.
    """
    cells = getattr(table, "data", table)  # of a styled table
    numbers = {*cells.select_dtypes("float").columns}
    columns: dict[str, Any] = {}
    for name in cells.columns:
        said = column_words(str(name)) if ours else {}
        if name in numbers and name not in widths:
            columns[name] = st.column_config.NumberColumn(format="%.3g", **said)
        elif said or name in widths:
            columns[name] = st.column_config.Column(width=widths.get(name), **said)
    look = {"column_config": columns, "placeholder": "–", "height": height}
    st.dataframe(table, hide_index=True, alt=alt, **look)
