"""Do scores agree with what the searchers said?"""

from typing import Any

import streamlit as st

from sdcg_explorer.questions import clicks
from sdcg_explorer.questions import ratings as question
from sdcg_explorer.questions.ratings.numbers import Agreement, RatingChoices, agreement
from sdcg_explorer.questions.ratings.words import NONE, row_line, version_marks
from sdcg_explorer.scoring import measures, ratings
from sdcg_explorer.screen import controls, inspecting, keys, library, link, show, sidebar, take_away
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.statistics.correlations import KINDS, VERSIONS


def show_click_agreement(opened: Opened) -> None:
    """Show how far clicks agree with judgments, where the study has both."""
    if (both := opened.ask(clicks.judgments_and_clicks)) is not None:
        show.small(clicks.TITLE, clicks.clicks_sentence(both))


def view(opened: Opened) -> None:
    """Answer, every score beside the rating, the map, disagreements, and systems."""
    if not (known := ratings.study_ratings(opened.study)):
        show.answer(opened, NONE)
        show_click_agreement(opened)
        studies = library.studies_not_uploaded().items()
        digest, rated = next(each for each in studies if ratings.study_ratings(each[1]))
        look: dict[str, Any] = {"on_click": library.open_study, "args": (digest,)}
        if st.button(f"Open {show.markdown_safe(rated.name)}", key="sample_beside", **look):
            st.rerun()  # not this part of the page alone
        return
    with controls.toolbar() as above:
        rating = link.pick("Rating", known, keys.RATING)
        kind = link.one_of("Coefficient", KINDS, keys.COEFFICIENT)
        of = known[rating]
        usual = measures.compared_score(ratings.FIRST[of.of], opened.definition)
        no_ideal = bool(opened.definition.behaviour)
        ideals = {name for name in of.scores if no_ideal and measures.is_of_ideal(name)}
        words = link.worded({name: of.scores[name] for name in of.scores if name not in ideals})
        score = st.selectbox("Score", **link.choice_by_words(f"{of.of}_score", words, usual))
        with controls.options():
            version = link.pick("Adjustment", VERSIONS, keys.VERSION)
            low = link.toggle("Low ratings are good", keys.LOW_IS_GOOD)
    asked = RatingChoices(rating, score, kind, version, low)
    shown = question.rating_answer(opened, asked)
    show.answer(opened, shown.headline, above)
    if not shown.exhibits:
        return
    found: Agreement = opened.ask(agreement, asked=asked)
    show.exhibit(shown.exhibits["agreement"], "agreement")
    sidebar.show_at_hand()
    show.beneath(opened, shown.behind, shown.advice)
    if systems := shown.exhibits.get("agreement_systems"):
        st.subheader(question.PREFERRED)
        show.table(systems.table, question.PREFERRED)
    over = question.map_exhibit(opened, asked)
    st.subheader("Where would they agree most?")
    st.markdown(show.markdown_safe(over.said))
    show.exhibit(over, "agreement_map")
    st.subheader(question.APART)
    show.small(found.score, "each line opens its session; brackets: percentile")
    rows = found.disagreements.to_dict("records")
    for column, sign in zip(st.columns(2), (1, -1), strict=True):
        with column:
            own = [row for row in rows if (row["score_rank"] - row["rating_rank"]) * sign > 0]
            rated = "Rated better" if found.asked.low_is_good else "Rated higher"
            title = "Scored higher than rated" if sign > 0 else f"{rated} than scored"
            st.markdown(f"**{title}**" if own else f":small[{title}: none]")
            for row in own:
                at = {keys.SYSTEM: row["system"], keys.ONE_TOPIC: inspecting.ALL}
                at[keys.SESSION] = row["session"]
                if "query_number" in row:
                    at[keys.query("on_top")] = str(row["query_number"])
                show.way("individual_sessions", show.markdown_safe(row_line(row)), at)
    show_click_agreement(opened)
    show.table(found.table(), "All scores")
    show.small("Columns", version_marks(found.units))
    made = question.exhibits_with_map(shown, over)
    take_away.offer(opened, "ratings", lambda: made, methods=shown.methods)


show.run_page("ratings", view, alone=False)  # its links hold the address as it is
