"""What did it cost?"""

from dataclasses import replace
from typing import Any

import streamlit as st

from sdcg_explorer.figures.panels import needs_panels
from sdcg_explorer.questions.cost import (
    MEASURES,
    cost_answer,
    methods_of,
    points_answer,
    rate_answer,
)
from sdcg_explorer.questions.cost.numbers import CostCurves, cost, score_choices
from sdcg_explorer.questions.cost.words import PICTURE, STEPS, cost_in_list, counting
from sdcg_explorer.questions.glossary import meaning
from sdcg_explorer.questions.view import Answer
from sdcg_explorer.scoring import costs, scores
from sdcg_explorer.screen import comparing, controls, keys, link, show, sidebar
from sdcg_explorer.screen.opened import Opened
from sdcg_explorer.screen.take_away import take_away


def choose(opened: Opened) -> tuple[costs.Cost, dict[str, Any]]:
    """The cost, and what else the figure depends on."""
    known, usual = costs.study_costs(opened.study), costs.usual_cost(opened.study)
    words = {name: cost_in_list(each) for name, each in known.items()}
    own = link.choice_by_words(keys.COST, words, usual)
    of = known[st.selectbox("Cost", **own, width=280, help=meaning("cost"))]
    asked: dict[str, Any] = {"spent": of.name}
    if of.by_query:
        measure = link.one_of("Show", MEASURES, keys.REACHED, meaning("sDCG", "nsDCG"))
        bands = link.toggle("95% intervals", keys.COST_BANDS, meaning("interval"), value=True)
        asked |= {"measure": MEASURES[measure], "bands": bands}
    with controls.options():
        asked["focus"] = controls.choose_focus(opened)
        if of.by_query:
            asked["every"] = controls.choose_amounts()
    return of, asked


def show_gain_curves(opened: Opened, shown: Answer, look: dict[str, Any]) -> Answer:
    """Show curves that follow the sliders, or else each session as a point; as shown."""
    if "cost" not in shown.exhibits:
        show.exhibit(shown.exhibits["cost_points"], keys.COST_POINTS, stretches=1)
        sidebar.show_at_hand()
        return shown
    drawn = controls.show_curves(opened, shown.exhibits["cost"], keys.COST_CURVES, **look)
    controls.show_keeping(keys.COST_CURVES, opened)
    return replace(shown, exhibits={"cost": drawn})


def show_session_points(opened: Opened, of: costs.Cost, score: str, focus: str) -> Answer:
    """Show each session as a point beneath the curves, and how cost and score go together."""
    shown = points_answer(opened, spent=of.name, score=score, focus=focus)
    st.markdown(show.markdown_safe(opened.shorten_names(shown.headline)))
    if shown.exhibits:
        show.exhibit(shown.exhibits["cost_points"], keys.COST_POINTS)
    show.small("Points", " ".join((*shown.more, shown.behind, *shown.advice)))
    return shown


def show_gain_rate(opened: Opened, of: costs.Cost) -> Answer:
    """Show gain for each so many units, compared between systems, and the way to all of it."""
    st.subheader(f"How much gain per {show.markdown_safe(of.rate)}?")
    comparing.compared_by(opened, {"score": of.score})
    shown = rate_answer(opened, spent=of.name)
    show.lines([opened.shorten_names(shown.headline)])
    show.part(shown)
    if of.score in scores.scores_of(opened.study):
        show.way("compare_systems", "Open the full comparison", {keys.SCORE: of.score})
    return shown


def view(opened: Opened) -> None:
    """Answer, gain by what was spent, each session as a point, and the rate of gain."""
    above = st.container()
    with controls.toolbar():
        of, look = choose(opened)
        asked = {name: look[name] for name in ("spent", "every", "bands") if name in look}
        curves: CostCurves = opened.ask(cost, **asked)
        score = "" if curves.curves else link.choose_score(score_choices(opened.study))
    kept = opened.with_definition(opened.kept) if opened.kept else None
    shown = cost_answer(opened, score=score, beside=kept, **look)
    show.answer(opened, shown.headline, above)
    if not shown.exhibits:
        return
    parts = [show_gain_curves(opened, shown, look)]
    picture = PICTURE if curves.curves else ""
    if curves.curves and not needs_panels(len(curves.curves), focus=look["focus"]):
        picture = f"{PICTURE} {STEPS}"
    show.beneath(opened, shown.behind, shown.advice, picture=picture)
    show.small("Cost", counting(of))
    show.lines(filter(None, (shown.note, *shown.more)))
    if curves.curves:
        longer = "longer" if of.name in ("queries", costs.SECONDS) else "costlier"
        st.subheader(f"Do {longer} sessions gain more?")
        score = link.choose_score(score_choices(opened.study))
        parts.append(show_session_points(opened, of, score, look["focus"]))
    parts.append(show_gain_rate(opened, of))
    made = {name: each for part in parts for name, each in part.exhibits.items()}
    said = [methods_of(opened, spent=of.name, score=score), *parts[-1].methods]
    take_away(opened, "cost", lambda: made, methods=said)


show.run_page("cost", view, alone=False)  # its link holds the address as it is
