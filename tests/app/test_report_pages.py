"""The report has the numbers and the sentences of the pages of the same view."""

from __future__ import annotations

import re

import pytest

from sdcg_explorer.export.report import report
from sdcg_explorer.questions.reformulations import CAPTIONS
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.screen.library import fixed
from tests.support.report_page import Seen, same_as
from tests.support.screen import Params, charts, opened, small_print

pytestmark = pytest.mark.usefixtures("own_samples")
OWN = Definition(weights=((0, 0), (1, 1), (2, 10), (3, 50)), b=3.0, bq=7.0)
SHOWN = Filters(systems=("System 2",), topics=("A", "B"))
VIEW: Params = {"b": "3", "bq": "7", "w3": "50", "systems": "System 2", "topics": ["A", "B"]}
OPEN: Params = {"by_length": "true", "judged_by_rank": "true", "one_topic": "all topics"}
# figures of the report by page and by the text alternative that the page gives them
ON_PAGES = {
    "individual_sessions": {"individual_sessions": "Figure 4."},
    "overview": {"sessions_by_length": "Table 2.", "judged_share": "Judged"},
    "query_order": {"query_order": "Figure 1."},
    "session_curves": {"session_curves": "Session curves."},
    "reformulations": {
        "reformulation_shares": "Reformulations.",
        **{f"{each}_by_query": CAPTIONS[each] for each in ("found", "novelty", "coverage")},
    },
    "compare_systems": {"compare_systems": "Comparison.", "means_by_topic": "Comparison by"},
    "robustness": {"robustness": "Map."},
    "cost": {"cost": "Gain by cost.", "cost_points": "Cost of each session."},
    "fit": {"fit": "Examined results."},
    "side_by_side": {
        "under_ecir_2008_changed_weights_b_bq": "Side by side. ECIR 2008, changed",
        "under_dynamic_domain": "Side by side. Dynamic",
    },
}
INTERVAL = re.compile(r" \(95 % interval [^)]*\)")
LABEL = re.compile(
    r"^(:material/info:|\*\*(Data behind the figure|Definition in force|Filters):\*\*) "
)


def words(text: str) -> str:
    return " ".join(text.replace("\u2060", "").split())


def test_traces_and_sentences_are_those_of_the_page() -> None:
    seen = Seen(report(next(iter(fixed().values())), OWN, SHOWN))
    text = words(seen.text())
    text += INTERVAL.sub("", text)  # which the page draws if asked
    for place, drawn in ON_PAGES.items():
        app = opened(place, VIEW | OPEN)
        assert not app.exception
        told = charts(app)
        for ours, theirs in drawn.items():
            spec = next(spec for alt, spec in told.items() if alt.startswith(theirs))
            reported = {trace["name"]: trace for trace in seen.figures[ours]}
            # the page has a session on top
            page = {of["name"]: of for of in spec["data"] if "session " not in of["name"]}
            page = {name: of for name, of in page.items() if of["x"] != [None]}
            assert [of for of in page if of not in reported] == []
            for trace in {*page} & {*reported}:
                for axis in {"x", "y", "z"} & {*page[trace]}:
                    same_as(reported[trace][axis], page[trace][axis], f"{ours}, {trace}, {axis}")
        said = [words(each) for each in small_print(app.main)]
        small = [LABEL.sub("", each) for each in said if LABEL.match(each)]
        assert [of for of in small if of.replace(" of System 2,", ",") not in text] == [], place
        assert len(small) >= 2, place
