"""How does gain grow over a session, and in which system faster? ECIR 2008, Figures 2, 3."""

from __future__ import annotations

import numpy as np

from sdcg_explorer.analysis.curves.curves_by_system import (
    SAW_TOOTH,
    CurvesBySystem,
    curves_by_system,
)
from sdcg_explorer.analysis.curves.mean_curves import MeanCurve
from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.questions.words.wording import (
    NAMED,
    between,
    counted,
    left_out,
    share,
    short,
    without_interval,
)
from sdcg_explorer.study.observed import Observed


class SessionCurves(CurvesBySystem):
    """Mean session curves, system by system, and what they say."""

    def answer(self, measure: str) -> str:
        """The page's first line."""
        if not any(of.curve(measure).sessions.any() for of in self.curves):
            return "No session with a judged topic is left: widen the filters under Show."
        number = min(3, self.most_queries)
        place = (number * self.per_query if self.per_query else self.positions) - 1
        least = min(of.at_least for of in self.curves)
        reached = [
            (float(of.curve(measure).mean[place]), of, _value(of.curve(measure), place, measure))
            for of in self.curves
            if of.at_least == least and of.curve(measure).sessions[place]
        ]
        when = f"After the {_ordinal(number)} query" if self.per_query else "At the end"
        if not reached:
            return f"{when} no session has a defined value."
        ordered = [(of.system, text) for _, of, text in sorted(reached, key=lambda t: -t[0])]
        more = f"; {between(len(ordered))}" if len(ordered) > NAMED else ""
        (first, value), *rest = [ordered[0], ordered[-1]] if more else ordered
        if measure == SAW_TOOTH:
            return self._of_one_query(number, [(first, value), *rest], more)
        of_what = " of the ideal" if measure == "normalised" else ""
        verb = "has reached" if measure == "normalised" else "has gained"
        others = "".join(f", {system} {text}" for system, text in rest)
        return f"{when} {first} {verb} {value}{of_what}{others}{more}."

    def _of_one_query(self, number: int, ordered: list[tuple[str, str]], more: str) -> str:
        """What one query alone is worth, where curves start anew with each."""
        shares = ", ".join(f"{system} {text}" for system, text in ordered)
        which = f"The {_ordinal(number)} query" if self.per_query else "The last cell"
        return f"{which} alone reaches these shares of its ideal, discounted: {shares}{more}."

    def behind(self, measure: str, length: int | None = None) -> str:
        """What stands behind a picture to so many queries: sessions per mean, and what is not."""
        counts = "; ".join(
            f"{of.name}: {counted(int(of.curve(measure).sessions.max(initial=0)), 'session')}"
            for of in self.curves
        )
        left = left_out(self.without_judgments)
        after = "a session keeps its value"
        if measure == SAW_TOOTH:
            after = "a session counts no more"
        elif measure == "normalised" and self.continues:
            after = "a session's ideal goes on"
        cut = f" {said}" if (said := self.goes_on(length)) else ""
        return f"{counts}.{cut} After its last query {after}.{left}"

    def advice(self, measure: str) -> list[str]:
        """Plain sentences where a reader could be misled."""
        drawn = [
            (of.name, of.curve(measure)) for of in self.curves if of.curve(measure).sessions.any()
        ]
        edges = [(name, curve.mean, curve.low) for name, curve in drawn]
        return [*(without_interval(edges) if self.bands else []), *self.thin()]


def _ordinal(number: int) -> str:
    return {1: "first", 2: "second", 3: "third"}[number]


def _value(curve: MeanCurve, place: int, measure: str) -> str:
    written = short if measure == "raw" else share
    mean, low, high = (edge[place] for edge in (curve.mean, curve.low, curve.high))
    interval = "" if np.isnan(low) else f" (95 % interval {written(low)} to {written(high)})"
    return f"{written(mean)}{interval}"


def session_curves(
    study: Observed,
    definition: Definition,
    filters: Filters,
    *,
    at_least: tuple[int, ...] = (1,),
    bands: bool = False,
    saw: bool = False,
) -> SessionCurves:
    """Mean session curves of each system, as ``curves_by_system`` makes them."""
    view = study, definition, filters
    return SessionCurves(**vars(curves_by_system(*view, at_least=at_least, bands=bands, saw=saw)))
