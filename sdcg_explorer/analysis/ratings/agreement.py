"""Do scores agree with what searchers said? Coefficients, sessions that disagree, systems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from sdcg_explorer.analysis.arrays import Floats
from sdcg_explorer.analysis.definition.definition import Definition, Filters
from sdcg_explorer.analysis.ratings.preferred import Preferred, preferred
from sdcg_explorer.analysis.ratings.ratings import Rated, RatingChoices, rated
from sdcg_explorer.analysis.ratings.versions import Found, estimates
from sdcg_explorer.analysis.selection.selection import select
from sdcg_explorer.analysis.sessions.registry import SESSION_SCORES
from sdcg_explorer.analysis.statistics.correlations import KINDS, Coefficient, rounded
from sdcg_explorer.metrics.interval import FEWEST_CLUSTERS, RESAMPLES
from sdcg_explorer.questions.words.wording import counted, enumerated, short, signed
from sdcg_explorer.study.observed import Observed
from sdcg_explorer.study.study import Study, sessions_of

MOST = 10  # sessions or queries that are named
SHOWN = 0.005  # of a coefficient in words: below it is .00, which has no sign
LENGTH = "queries"  # the number of queries, beside the scores
MANY = {"session": "Sessions", "query": "Queries"}
LOOKED_AT = {
    "raw": "as they are",
    "centred": "within searcher and topic",
    "partial": "with the number of queries partialled out",
}
FEW_RATED = (
    "Behind it stand fewer than five searchers (or sessions without one), so there is no interval."
)


class Apart(NamedTuple):
    """A session, or one of its queries, whose score and rating disagree.

    query_number : 0 where the session is rated · score_rank, rating_rank : shares of the others
    that lie below
    """

    session: str
    query_number: int
    system: str
    topic: str
    score: float
    score_rank: float
    rating: float
    rating_rank: float

    @property
    def is_high(self) -> bool:
        """Whether the score is the higher of both."""
        return self.score_rank > self.rating_rank

    def said(self) -> str:
        """Both in a line, short enough for a phone, with the share of the others below."""
        query = f", query {self.query_number}" if self.query_number else ""
        return (
            f"{self.session}{query}: score {short(self.score)} ({self.score_rank:.0%}), "
            f"rated {self.rating:g} ({self.rating_rank:.0%})"
        )


@dataclass(frozen=True, eq=False)
class Agreement:
    """Every score beside one rating.

    found : each score's name, values, clusters, and its coefficient by version · apart : those
    that disagree most, first · systems : pairs of systems that searchers used both of
    """

    asked: RatingChoices
    score: str
    of: str
    found: Found
    apart: tuple[Apart, ...]
    systems: tuple[Preferred, ...]
    units: str
    number: int
    without_rating: int

    @property
    def words(self) -> str:
        """The coefficient in words."""
        return KINDS[self.asked.coefficient].words

    @property
    def score_words(self) -> str:
        """The score in a sentence; that of a query, whose words say "its list", by its name."""
        return SESSION_SCORES[self.score].words if self.of == "session" else self.score

    @property
    def undefined(self) -> list[str]:
        """Scores and versions without a coefficient; queries beside themselves have none."""
        return [
            name if version == "raw" else f"{name} {LOOKED_AT[version]}"
            for name, (_, _, versions) in self.found.items()
            for version, of in versions.items()
            if np.isnan(of.value)
            and (version == "raw" or not np.isnan(versions["raw"].value))
            and (name, version) != (LENGTH, "partial")
        ]

    def answer(self) -> str:
        """The page's first line: the raw coefficient, and whether another version contradicts."""
        rating, noun = self.asked.rating, self.of
        if not self.number:
            return f"No {noun} that the filters leave has {rating}: widen the filters under Show."
        number, clusters, versions = self.found[self.score]
        raw = versions["raw"]
        who = "" if self.units == "sessions" else f" of {clusters:,} {self.units}"
        behind = f"{counted(number, noun)}{who}"
        if np.isnan(raw.value):
            same = "one of the two is the same everywhere"
            return f"Nothing can be said of {self.score_words} and {rating}: {same} ({behind})."
        how = "higher" if (raw.value > 0) != self.asked.low_is_good else "lower"
        good = ", where low is good" if self.asked.low_is_good else ""
        said = f"{MANY[noun]} with a higher {self.score_words} have a {how} {rating}{good}"
        if raw.low <= 0 <= raw.high:
            said = f"No clear agreement of {self.score_words} with {rating}{good}"
        return f"{said}: {self.words} {_with_interval(raw)}, {behind}.{self._warning(versions)}"

    def _warning(self, versions: dict[str, Coefficient]) -> str:
        raw = versions["raw"].value
        others = [
            f"{LOOKED_AT[name]} it is {signed(of.value)}"
            for name, of in versions.items()
            if of.value * raw < 0 and abs(of.value) >= SHOWN
        ]
        return f" Beware: {enumerated(others)}." if others else ""

    def table(self) -> pd.DataFrame:
        """One row per score, versions beside each other."""
        rows = [
            {"score": name, **{v: of.value for v, of in versions.items()}, MANY[self.of].lower(): n}
            for name, (n, _, versions) in self.found.items()
        ]
        return pd.DataFrame(rows)

    def disagreeing(self) -> pd.DataFrame:
        """Those that disagree most, one row each."""
        table = pd.DataFrame(self.apart, columns=list(Apart._fields))
        return table.drop(columns=[] if self.of == "query" else "query_number")

    def behind(self) -> str:
        """What stands behind the figures."""
        resampled = (
            f"95 % intervals resample {self.units} {RESAMPLES:,} times (docs/statistics.md)."
        )
        lacking = f" Left out: {counted(self.without_rating, self.of)} without {self.asked.rating}."
        nothing = self.undefined
        undefined = (
            f" Undefined, one of the two being the same everywhere: {enumerated(nothing)}."
            if nothing
            else ""
        )
        return f"{resampled}{lacking if self.without_rating else ''}{undefined}"

    def advice(self) -> list[str]:
        """Plain sentences where a reader could be misled."""
        _, clusters, versions = self.found[self.score]
        said = [FEW_RATED] if clusters < FEWEST_CLUSTERS else []
        said.append(
            "A rating is no truth that a score must meet: it says how searchers felt about a whole "
            "session or query, interface, topic and effort included. Long sessions are often rated "
            "low and gain much, which is why the number of queries is partialled out beside."
        )
        if np.isnan(versions["centred"].value):
            said.append(
                "Within searcher and topic it is undefined: nothing is left of score or rating "
                "once both are taken off, as where each searcher has one session."
            )
        return said

    def method(self) -> str:
        """A paragraph of a methods section."""
        turned = " turned round, low being good," if self.asked.low_is_good else ""
        return (
            f"Scores were compared with {self.asked.rating}{turned} by {self.words}: as they are, "
            "with effects of searcher and topic taken off both (least squares), and with the "
            f"number of queries partialled out; 95 % intervals by resampling {self.units} "
            f"({RESAMPLES:,} times, t on atanh)."
        )


def _with_interval(of: Coefficient) -> str:
    if np.isnan(of.low):
        return f"{signed(of.value)} without an interval"
    return f"{signed(of.value)} (95 % interval {signed(of.low)} to {signed(of.high)})"


def agreement(
    study: Observed, definition: Definition, filters: Filters, *, asked: RatingChoices
) -> Agreement:
    """How far every score goes with a rating, over what passes the filters and is rated.

    Raises
    ------
    ValueError : no such rating or score
    """
    study = sessions_of(study)
    of = rated(study, select(study, definition, filters), asked)
    scores = of.scores()
    chosen = scores[of.score]
    known = ~np.isnan(chosen)
    named = known & of.named
    names = of.chosen.sample.block.system_names
    return Agreement(
        asked=asked,
        score=of.score,
        of=of.rating.of,
        found=estimates(asked.coefficient, {**scores, LENGTH: of.queries}, of.paired),
        apart=_apart(study, of, chosen),
        systems=tuple(
            preferred(chosen[named], of.values[named], of.searcher[named], of.systems[named], names)
        ),
        units=of.units,
        number=of.values.size,
        without_rating=of.left_out,
    )


def coefficients(
    study: Observed, definition: Definition, filters: Filters, *, asked: RatingChoices
) -> pd.DataFrame:
    """Every coefficient, version and score, one row each."""
    of = rated(study, select(study, definition, filters), asked)
    scores = {**of.scores(), LENGTH: of.queries}
    each = [_rows(of, kind, estimates(kind, scores, of.paired)) for kind in KINDS]
    return pd.concat(each, ignore_index=True)


def _rows(of: Rated, kind: str, found: Found) -> pd.DataFrame:
    """One row per score and version of a coefficient."""
    rows = [
        (of.asked.rating, name, kind, version, *estimate, number, clusters)
        for name, (number, clusters, versions) in found.items()
        for version, estimate in versions.items()
    ]
    columns = ["rating", "score", "coefficient", "version", "value", "low", "high"]
    return pd.DataFrame(rows, columns=[*columns, MANY[of.rating.of].lower(), "units"])


def _apart(study: Study, of: Rated, score: Floats) -> tuple[Apart, ...]:
    """Those whose ranks by score and by rating differ most, of equals the first."""
    known = np.flatnonzero(~np.isnan(score))
    if not known.size:
        return ()
    from scipy.stats import rankdata

    ranks = [(rankdata(rounded(each[known])) - 0.5) / known.size for each in (score, of.values)]
    order = np.argsort(-np.abs(ranks[0] - ranks[1]), kind="stable")[:MOST]
    sample = of.chosen.sample
    sessions = study.sessions["session"].astype(str).to_numpy()[sample.sessions]
    return tuple(
        Apart(
            session=str(sessions[of.session[row]]),
            query_number=int(of.query[row]) + 1 if of.query.size else 0,
            system=sample.block.system_names[of.systems[row]],
            topic=str(of.topic_names[row]),
            score=float(score[row]),
            score_rank=float(ranks[0][place]),
            rating=float(of.given[row]),
            rating_rank=float(ranks[1][place]),
        )
        for place, row in zip(order.tolist(), known[order].tolist(), strict=True)
    )
