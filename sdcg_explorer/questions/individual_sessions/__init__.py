"""Which sessions succeeded, and at which query?"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.questions.data.numbers import tagged
from sdcg_explorer.questions.individual_sessions import figure, numbers, words
from sdcg_explorer.questions.methods import not_drawn
from sdcg_explorer.questions.view import Answer, Card, Exhibit, Exhibits, Live, View
from sdcg_explorer.questions.wording import left_out
from sdcg_explorer.scoring.live import live_each_session
from sdcg_explorer.scoring.selection import SDCG


def answer(view: View) -> Answer:
    """Figure 4, what each query brought, the list of sessions, and the tags of their queries."""
    each = view.ask(numbers.individual_sessions)
    said = words.headline(each)
    if not each.names:
        return Answer(said)
    curves, fell = curves_exhibit(view, each, length=words.LENGTH), shortfall_exhibit(view)
    more, tables = [words.wall_note(each), fell.said], dict[str, pd.DataFrame]()
    if of := view.study.tags:
        tags = tagged(*view, tags=of)
        more.append(f"Why did queries fail? {words.tag_counts_sentence(tags)}")
        tables["Tags by system"] = tags.table
    tables["Sessions"] = each.session_list_table(with_curves=False)
    beyond = [*filter(None, [words.axis_note(each, words.LENGTH)])]
    advice = [*beyond, *measures_without_curves(view)]
    behind = left_out(each.without_judgments).strip()
    made = {"individual_sessions": curves, "wall": wall_exhibit(each), "shortfall": fell}
    return Answer(said, made, behind=behind, advice=advice, more=more, tables=tables)


def measures_without_curves(view: View) -> list[str]:
    """Which measures that are asked for the page's curves are not of."""
    return not_drawn(view.definition.measures, (SDCG,))


def curves_exhibit(view: View, each: numbers.IndividualSessions, **look: Any) -> Exhibit:
    """Figure 4; its lines follow the sliders where lines are drawn, and not quantiles."""
    draw = partial(figure.draw_individual_sessions, each, view.systems, **look)
    live = _live(view, each.system or None) if len(each.names) <= numbers.MOST_LINES else None
    alt = f"Figure 4. {words.headline(each)}"
    drawn = draw if each.names else None
    return Exhibit("Curve of each session", each.values, drawn, alt=alt, live=live)


def wall_exhibit(each: numbers.IndividualSessions) -> Exhibit:
    """What each query of each session brought, in the order of the wall, and how each ended."""
    draw = partial(figure.draw_wall, each) if each.names and each.is_coloured else None
    said = words.wall_note(each)
    alt = f"Sessions and queries. {said}"
    return Exhibit("What each query brought", each.table, draw, said, alt)


def inspector_exhibits(view: View, chosen: list[str]) -> Exhibits:
    """Curves of the sessions that are looked into, by position, their queries, what was missed."""
    curves, tables = dict[str, Exhibit](), dict[str, Exhibit]()
    for name, session in zip(("session_on_top", "session_beside"), chosen, strict=False):
        seen = view.ask(numbers.inspect, session=session)
        place = np.arange(1, seen.vector.size + 1)
        columns = {"position": place, "value": seen.vector, "ideal": seen.ideal}
        draw = partial(figure.draw_inspector, seen, view.systems) if seen.vector.size else None
        title = words.session_title(seen)
        curves[name] = Exhibit(title, pd.DataFrame(columns), draw)
        tables[f"{name}_queries"] = Exhibit(f"{title}: what its queries brought", seen.brought)
        missing = f"{title}: relevant documents in no top {seen.top}"
        tables[f"{name}_missing"] = Exhibit(missing, seen.never_shown)
    return curves | tables


def shortfall_exhibit(view: View, names: Sequence[str] = (), **chosen: Any) -> Exhibit:
    """What each query of each session brought anew, repeated and missed, in the log's order.

    names : of the sessions that are asked for; all unless given
    """
    seen = view.ask(numbers.shortfall, **chosen)
    if names:
        seen = seen.take(np.flatnonzero(seen.names.isin([*names])))
    said = words.shortfall_headline(seen, grades=view.definition.grades)
    return Exhibit("What each query brought anew and missed", seen.table, said=said)


def first_system_and_topic(view: View) -> tuple[str | None, str | None]:
    """System and topic that the page opens on, None for all of them.

    It opens on every session, or on one system and topic where those are more than a wall shows.
    """
    systems, is_large = view.shown_systems, len(view.study.block().queries) > numbers.MOST_ROWS
    system = systems[0] if is_large or len(systems) == 1 else None
    return system, view.first_topic if is_large else None


def card(view: View) -> Card:
    """Each session that the page opens on."""
    system, topic = first_system_and_topic(view)
    own = view.with_topic(topic)
    each = own.ask(numbers.individual_sessions, system=system)
    small = partial(figure.draw_individual_sessions, each, view.systems, small=True)
    live = _live(own, system) if len(each.names) <= figure.FEW_LINES else None
    return Card(words.headline(each), small, live)


def _live(view: View, system: str | None) -> Live:
    return Live(view, live_each_session, {"system": system})
