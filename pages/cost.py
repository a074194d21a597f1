"""What did it cost?"""

from typing import Any

import streamlit as st

from sdcg_explorer.figures.panels import needs_panels
from sdcg_explorer.questions import cost as question
from sdcg_explorer.questions.cost.numbers import CostCurves, cost, score_choices
from sdcg_explorer.questions.cost.words import PICTURE, STEPS, cost_in_list, counting
from sdcg_explorer.questions.glossary import meaning
from sdcg_explorer.scoring import costs, mean_curves, scores
from sdcg_explorer.screen import comparing, controls, keys, link, show, sidebar, take_away
from sdcg_explorer.screen.opened import Opened


def view(opened: Opened) -> None:
    """Answer, gain by what was spent, each session as a point, and the rate of gain."""
    with controls.toolbar() as above:
        known, usual = costs.study_costs(opened.study), costs.usual_cost(opened.study)
        words = {name: cost_in_list(each) for name, each in known.items()}
        own = link.choice_by_words(keys.COST, words, usual)
        of = known[st.selectbox("Cost", **own, width=280, help=meaning("cost"))]
        look: dict[str, Any] = {"spent": of.name}
        if of.by_query:
            measure = link.one_of("Show", question.MEASURES, keys.REACHED, meaning("sDCG", "nsDCG"))
            bands = link.toggle("95% intervals", keys.COST_BANDS, meaning("interval"), value=True)
            look |= {"measure": question.MEASURES[measure], "bands": bands}
        with controls.options():
            look["focus"] = controls.choose_focus(opened)
            if of.by_query:
                ends = f"Includes costs that fewer than {mean_curves.THIN} sessions reach."
                look["every"] = link.toggle("Whole axis", keys.EVERY, ends)
        asked = {name: look[name] for name in ("spent", "every", "bands") if name in look}
        curves: CostCurves = opened.ask(cost, **asked)
        score = "" if curves.curves else link.choose_score(score_choices(opened.study))
    kept = opened.with_definition(opened.kept) if opened.kept else None
    shown = question.cost_answer(opened, score=score, beside=kept, **look)
    show.answer(opened, shown.headline, above)
    if not shown.exhibits:
        return
    if "cost" in shown.exhibits:
        drawn = controls.show_curves(opened, shown.exhibits["cost"], keys.COST_CURVES, **look)
        controls.show_keeping(keys.COST_CURVES, opened)
        made = {"cost": drawn}
    else:
        show.exhibit(shown.exhibits["cost_points"], "cost_points", stretches=1)
        sidebar.show_at_hand()
        made = shown.exhibits
    steps = "" if needs_panels(len(curves.curves), focus=look["focus"]) else f" {STEPS}"
    picture = f"{PICTURE}{steps}" if curves.curves else ""
    show.beneath(opened, shown.behind, shown.advice, picture=picture)
    show.small("Cost", counting(of))
    show.lines(filter(None, (shown.note, *shown.more)))
    if curves.curves:
        longer = "longer" if of.name in ("queries", costs.SECONDS) else "costlier"
        st.subheader(f"Do {longer} sessions gain more?")
        score = link.choose_score(score_choices(opened.study))
        points = question.points_answer(opened, spent=of.name, score=score, focus=look["focus"])
        st.markdown(show.markdown_safe(opened.shorten_names(points.headline)))
        if points.exhibits:
            show.exhibit(points.exhibits["cost_points"], "cost_points")
        show.small("Points", " ".join((*points.more, points.behind, *points.advice)))
        made |= points.exhibits
    st.subheader(f"How much gain per {show.markdown_safe(of.rate)}?")
    comparing.compared_by(opened, {"score": of.score})
    rate = question.rate_answer(opened, spent=of.name)
    show.lines([opened.shorten_names(rate.headline)])
    show.part(rate)
    if of.score in scores.scores_of(opened.study):
        show.way("compare_systems", "Open the full comparison", {keys.SCORE: of.score})
    said = [question.methods_of(opened, spent=of.name, score=score), *rate.methods]
    take_away.offer(opened, "cost", lambda: made | rate.exhibits, methods=said)


show.run_page("cost", view, alone=False)  # its link holds the address as it is
