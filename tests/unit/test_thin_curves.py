"""Where fewer than ten sessions still run, their mean curve goes on thin, and this is said."""

from typing import Any

from sdcg_explorer.questions.session_curves.figure import draw_session_curves
from sdcg_explorer.questions.session_curves.numbers import session_curves
from sdcg_explorer.scoring.definition import DEFAULT, Filters
from tests.support.studies import SAMPLES, at_hand


def test_dashes_go_on_into_the_thin_rest() -> None:
    curves = session_curves(at_hand(SAMPLES[0]), DEFAULT, Filters(), at_least=(1, 2))
    drawn: Any = draw_session_curves(curves, ["System 1", "System 2"], length=curves.most_queries)
    ours = (each for each in drawn.data if each.name.startswith("System 1, at least 2 queries"))
    thick, thin = ours
    few = len(thick.x)
    assert few < len(thin.x)
    # the thin line lies beneath the thick one from its start on, so that both dash in step
    assert (thin.x[:few].tolist(), thin.y[:few].tolist()) == (thick.x.tolist(), thick.y.tolist())
    assert thin.line.dash == thick.line.dash != "solid"
    assert thin.line.dash.replace("px", "").replace(",", "").isdigit()  # not by the line's width
    assert [size > 0 for size in thin.marker.size] == [i >= few for i in range(len(thin.x))]
    assert (thick.hoverinfo, thick.hovertemplate) == ("skip", None)  # said once
