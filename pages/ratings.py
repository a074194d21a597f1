"""Do scores agree with what the searchers said?"""

import streamlit as st

from sdcg_explorer.questions import clicks
from sdcg_explorer.questions.ratings import (
    APART,
    PREFERRED,
    exhibits_with_map,
    map_exhibit,
    rating_answer,
)
from sdcg_explorer.questions.ratings.numbers import Agreement, RatingChoices, agreement
from sdcg_explorer.questions.ratings.words import NONE, row_line, version_marks
from sdcg_explorer.scoring import measures, ratings
from sdcg_explorer.screen import controls, inspecting, keys, library, link, show, sidebar
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.screen.take_away import take_away
from sdcg_explorer.statistics.correlations import KINDS, VERSIONS


def choose(opened: Opened) -> RatingChoices:
    """The rating, the coefficient, and what the map is about."""
    known = ratings.study_ratings(opened.study)
    rating = link.pick("Rating", known, keys.RATING)
    kind = link.one_of("Coefficient", KINDS, keys.COEFFICIENT)
    of = known[rating]
    usual = measures.compared_score(ratings.FIRST[of.of], opened.definition)
    offered = {
        name: score
        for name, score in of.scores.items()
        if not (opened.definition.behaviour and measures.is_of_ideal(name))
    }
    scores = link.choice_by_words(keys.rated_score(of.of), link.worded(offered), usual)
    score = st.selectbox("Score", **scores)
    with controls.options():
        version = link.pick("Adjustment", VERSIONS, keys.VERSION)
        low = link.toggle("Low ratings are good", keys.LOW_IS_GOOD)
    return RatingChoices(rating, score, kind, version, low)


def show_click_agreement(opened: Opened) -> None:
    """Show how far clicks agree with judgments, where the study has both."""
    if (both := opened.ask(clicks.judgments_and_clicks)) is not None:
        show.small(clicks.TITLE, clicks.clicks_sentence(both))


def show_apart(shown: Agreement) -> None:
    """Show where score and rating disagree most, each the way to its session."""
    st.subheader(APART)
    show.small(shown.score, "each line opens its session; brackets: percentile")
    rows = shown.disagreements.to_dict("records")
    for column, sign in zip(st.columns(2), (1, -1), strict=True):
        with column:
            own = [row for row in rows if (row["score_rank"] - row["rating_rank"]) * sign > 0]
            rated = "Rated better" if shown.asked.low_is_good else "Rated higher"
            words = "Scored higher than rated" if sign > 0 else f"{rated} than scored"
            st.markdown(f"**{words}**" if own else f":small[{words}: none]")
            for row in own:
                at = {keys.SYSTEM: row["system"], keys.ONE_TOPIC: inspecting.ALL}
                at[keys.SESSION] = row["session"]
                if "query_number" in row:
                    at[keys.query("on_top")] = str(row["query_number"])
                show.way("individual_sessions", show.markdown_safe(row_line(row)), at)


def view(opened: Opened) -> None:
    """Answer, every score beside the rating, the map, disagreements, and systems."""
    if not ratings.study_ratings(opened.study):
        show.answer(opened, NONE)
        show_click_agreement(opened)
        for sample in library.rated_samples():
            show.offer_study(*sample)
        return
    above = st.container()
    with controls.toolbar():
        asked = choose(opened)
    shown = rating_answer(opened, asked)
    show.answer(opened, shown.headline, above)
    if not shown.exhibits:
        return
    found: Agreement = opened.ask(agreement, asked=asked)
    show.exhibit(shown.exhibits["agreement"], keys.AGREEMENT)
    sidebar.show_at_hand()
    show.beneath(opened, shown.behind, shown.advice)
    if systems := shown.exhibits.get("agreement_systems"):
        st.subheader(PREFERRED)
        show.table(systems.table, PREFERRED)
    over = map_exhibit(opened, asked)
    st.subheader("Where would they agree most?")
    st.markdown(show.markdown_safe(over.said))
    show.exhibit(over, keys.AGREEMENT_MAP)
    show_apart(found)
    show_click_agreement(opened)
    show.table(found.table(), "All scores")
    show.small("Columns", version_marks(found.units))
    made = exhibits_with_map(shown, over)
    take_away(opened, "ratings", lambda: made, methods=shown.methods)


show.run_page("ratings", view, alone=False)  # its links hold the address as it is
