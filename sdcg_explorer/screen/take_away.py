"""The fold at the end of every page: its figures and numbers as files, report, bundle, methods."""

from collections.abc import Callable, Sequence
from functools import partial
from mimetypes import guess_type
from typing import Any

import streamlit as st

from sdcg_explorer.export import figure_files, paper_files, tables
from sdcg_explorer.export.bundle import bundle
from sdcg_explorer.export.figure_files import DPI, FORMS, NARROWEST, WIDEST, WIDTHS
from sdcg_explorer.export.link import ADDRESS
from sdcg_explorer.export.report import report
from sdcg_explorer.export.without_persons import without_persons
from sdcg_explorer.questions.methods import definition_text, filters_sentence, methods_text
from sdcg_explorer.questions.view import Exhibit, Exhibits, StudyView
from sdcg_explorer.scoring.selection import passing
from sdcg_explorer.screen import link, show
from sdcg_explorer.screen.opened import Opened

ASKED_AGAIN = 600  # seconds after which a browser is asked again whether it draws
SHARED = (
    "Searchers, sessions and assessors are renamed; query texts, columns of text and what "
    "describes searchers are dropped; times are relative to the session's start. Other columns of "
    "numbers mostly stay: make sure that none identifies a person. Scores stay the same; a page in "
    "the zip says what was removed."
)
MOST_PRINTED = 60  # rows of a table in a paper
TOO_LONG = "Too long to print ({:,} rows): use the CSV, or the tables on Paper."


def offer(
    opened: Opened,
    page: str,
    exhibits: Callable[[], Exhibits],
    *,
    methods: Sequence[str] = (),
    with_view: bool = True,
) -> None:
    """Folded away: a page's exhibits, made when the fold is open, and all that goes with them.

    `methods` are the page's own paragraphs of a methods section.
    """
    fold = st.expander(
        "Downloads: data, figure, report, methods", key=f"data_{page}", on_change="rerun"
    )
    if not fold.open:
        return
    with fold:
        made = exhibits()
        name = next(iter(made))
        if len(made) > 1:
            name = st.selectbox(
                "Figure or table",
                [*made],
                format_func=lambda name: made[name].caption,
                key=f"which_{page}",
            )
        exhibit, defined = made[name], definition_text(opened.definition, opened.study)
        table = exhibit.table
        _offer_figure(exhibit, name, page)
        show.table(table, f"Numbers of {name}")
        of = "" if exhibit.of_study else f"{defined} {filters_sentence(opened.filters)}"
        with st.container(horizontal=True):
            download(f"{name}.csv", lambda: tables.table_bytes(table))
            printed = exhibit.brief() if exhibit.brief else table
            if (rows := len(printed)) > MOST_PRINTED:
                show.small_line(TOO_LONG.format(rows))
            else:
                latex = partial(paper_files.latex_table, printed, f"{exhibit.caption}. {of}")
                download(f"{name}.tex", latex)
        text = methods_text(opened.study, opened.definition, opened.filters, *methods)
        with st.container(horizontal=True):
            download("methods.txt", text)
            if with_view:
                offer_view(opened, page)
        st.text(text)


def offer_view(opened: Opened, page: str) -> None:
    """The report and the bundle of the whole view; neither of a session made by hand."""
    if opened.by_hand or not passing(opened.logged.block(), opened.filters).size:
        return
    place = link.address()
    shared = st.toggle("Anonymised", key=f"without_persons_{page}", help=SHARED)
    with_texts = shared and st.toggle("Keep query texts", key=f"with_texts_{page}")

    def view_to_share() -> tuple[StudyView, str]:
        """The view as it leaves, and the page of what was removed from it."""
        view = StudyView(opened.tagged_study, opened.definition, opened.filters)
        return without_persons(view, with_texts=with_texts) if shared else (view, "")

    def everything() -> bytes:
        own, removed = view_to_share()
        return bundle(*own, at=ADDRESS if shared else place, removed=removed)

    named = "without-persons" if shared else opened.digest
    about = "One file with the pages' answers, figures and tables; works offline."
    download(
        f"{named}-report.html", lambda: report(*view_to_share()[0]), "Download the report", about
    )
    about = (
        "Study, scores, comparison, figures and report under the current definition, and the "
        "commands that reproduce scores and comparison."
    )
    download(f"{named}-bundle.zip", everything, "Download everything", about)


def _offer_figure(exhibit: Exhibit, name: str, page: str) -> None:
    """The figure in the style of a paper, in a chosen form and width."""
    figure = exhibit.figure
    if figure is None:
        return
    if why := known_trouble():
        st.markdown(f":small[:material/info: {show.markdown_safe(why)}]")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        form = st.selectbox("Format", list(FORMS), key=f"form_{page}", width=120)
        # a number box would send what was typed only when it is left, by the click that downloads
        typed = st.selectbox(
            "Width in mm",
            [str(width) for width in WIDTHS],
            accept_new_options=True,
            key=f"width_{page}",
            width=150,
            help=f"{WIDTHS[0]} mm is one column, {WIDTHS[1]} mm two; or type one, from {NARROWEST} "
            f"to {WIDEST}, and press Enter. PNG has {DPI} dots an inch.",
        )
        width = _parse_paper_width(typed)
        if width is None:
            show.small_line(f"No width from {NARROWEST} to {WIDEST} mm: {typed}")
        else:
            words = f"Download {name}.{form}, {width:g} mm wide"
            download(f"{name}.{form}", partial(_figure_as_file, figure, form, width), words)


@st.cache_data(ttl=ASKED_AGAIN, show_spinner="Preparing the figure …")
def known_trouble() -> str:
    """Why no browser draws here, as far as is known: one that doesn't answer takes a minute."""
    return figure_files.browser_problem()


def _figure_as_file(figure: Any, form: str, width: float) -> bytes:
    """A figure as a file; of a browser that broke meanwhile the page is to hear."""
    try:
        return figure_files.drawn_bytes(figure_files.paper_figure(figure, width), form)
    except figure_files.NoBrowserError:
        known_trouble.clear()
        raise


def _parse_paper_width(typed: str) -> float | None:
    """The width in mm that was typed; None where it is none."""
    try:
        width = float(typed.removesuffix("mm").replace(",", "."))
    except ValueError:
        return None
    return width if NARROWEST <= width <= WIDEST else None


def download(
    name: str, content: str | Callable[[], str | bytes], words: str = "", about: str | None = None
) -> None:
    """A button that gives a file, made when it is pressed, without drawing the page anew."""
    kind, words = guess_type(name)[0] or "text/plain", words or f"Download {name}"
    st.download_button(words, content, name, kind, on_click="ignore", help=about)
