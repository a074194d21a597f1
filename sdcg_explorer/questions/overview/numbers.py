"""What is in this study? Its design, Table 2 of ECIR 2008, and how much of it is judged."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from sdcg_explorer.metrics import query_discount, rank_discount
from sdcg_explorer.metrics.arrays import Floats, Ints
from sdcg_explorer.scoring import cache, live, measures, scores
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.selection import Sample, select
from sdcg_explorer.study.columns import PLACES, seconds_of
from sdcg_explorer.study.grade_cube import NEVER
from sdcg_explorer.study.grades import label
from sdcg_explorer.study.study import OWN_OF_SESSIONS, Study


def session_time_spans(study: Study, sessions: Ints) -> pd.DataFrame:
    """First and last time of some sessions, by their rows: min and max, nan where one lacks.

    Times are numbers as the log has them, or else seconds of dates.
    """
    logged = study.queries["time"].astype("str").fillna("")
    times = pd.to_numeric(logged, errors="coerce")
    if times.isna().all():
        times = pd.Series(seconds_of(logged.astype("category")), logged.index)
    each = times.groupby(study.queries["session"].cat.codes).agg(["min", "max"])
    return each.reindex(sessions).reset_index(drop=True)


def positions(study: Study, sample: Sample) -> Floats:
    """Place of each session among all those of its searcher, whatever the filters, (N,), from 1.

    By a column of the sessions (``PLACES``), or else by times; nan where a searcher's sessions
    overlap (as where each counts from its own start), a time lacks, or nobody is named.
    """

    def found() -> Floats:
        searchers = sample.block.searchers
        for name in PLACES:
            if name in study.sessions.columns:
                told = pd.to_numeric(study.sessions[name].astype("str"), errors="coerce")
                return np.where(searchers >= 0, told.to_numpy(dtype=float), np.nan)
        each = session_time_spans(study, np.arange(searchers.size)).assign(who=searchers)
        each = each.sort_values(["who", "min"], kind="stable")
        before = each.groupby("who")["max"].shift()
        apart = each["min"].notna() & (before.isna() | (each["min"] > before))
        known = apart.groupby(each["who"]).transform("all") & (each["who"] >= 0)
        place = (each.groupby("who").cumcount() + 1.0).where(known)
        return np.asarray(place.sort_index(), dtype=np.float64)

    return cache.RESULTS.of(("positions", study), found)[sample.sessions]


def has_order(study: Study, definition: Definition, filters: Filters) -> bool:
    """Whether every session's place is known, and some searcher has several."""
    sample = select(study, definition, filters).sample
    return is_whole(positions(study, sample), sample.clusters)


def is_whole(places: Floats, units: Ints) -> bool:
    """Whether every place is known, and some searcher has several sessions at different places."""
    if not np.isfinite(places).all() or not places.size or np.ptp(places) == 0:
        return False
    return bool(np.unique(units).size < units.size)


def all_known(places: Floats, units: Ints) -> Floats:
    """The same places, all of which must be known.

    Raises
    ------
    ValueError : the order is not known
    """
    if not is_whole(places, units):
        raise ValueError(
            "the order of searchers' sessions is not known. Give times that do not overlap, "
            "or a column session_position, where a searcher has several sessions."
        )
    return places


WITHIN, BETWEEN, MIXED, UNKNOWN = "within", "between", "mixed", "unknown"


@dataclass(frozen=True, eq=False)
class Design:
    """Who did what, over the sessions that pass the filters; one on several topics is on all.

    kind : within (each searcher used several systems), between (each one), mixed, or unknown ·
    nameless : sessions without a searcher · with_several : searchers of several systems · met :
    least and most sessions per searcher and topic, and per topic and system · is_square : whether
    each searcher had each topic and each system once, as in a Latin square · alone : whether each
    of several topics has one system ·
    crossing : sessions of each system (index) on each topic (columns); one on several topics is on
    their combination · features : one row per numeric feature of searchers ·
    began : searchers of several systems by the system they began with, where times tell
    """

    kind: str
    sessions: int
    nameless: int
    searchers: int
    with_several: int
    systems: int
    topics: int
    met: dict[str, tuple[int, int]]
    is_square: bool
    alone: bool
    crossing: pd.DataFrame
    features: pd.DataFrame
    began: dict[str, int]

    @property
    def is_balanced(self) -> bool:
        """Whether each cell of system and topic has as many sessions."""
        return bool(np.ptp(self.crossing) == 0)

    def crossed(self) -> pd.DataFrame:
        """Sessions of each system on each topic, one row per system."""
        first = "system"
        while first in self.crossing:  # a topic may be called so
            first += "_"
        return self.crossing.rename_axis(columns=None).reset_index(names=first)


def design(study: Study, definition: Definition, filters: Filters) -> Design:
    """The design of the sessions within the filters, judged or not."""
    sample = select(study, definition, filters).sample
    searchers = sample.block.searchers[sample.sessions]
    known = searchers >= 0
    used = pd.Series(sample.systems[known]).groupby(searchers[known]).nunique()
    several = int((used > 1).sum())
    kind = WITHIN if several == used.size else MIXED if several else BETWEEN
    has_topic = sample.topics >= 0
    rows, places = np.nonzero(has_topic | ~has_topic.any(axis=1, keepdims=True))
    rows, topic = np.unique(np.column_stack([rows, sample.topics[rows, places]]), axis=0).T
    cells = pd.crosstab(topic, sample.systems[rows]).to_numpy()
    met = {"searcher and topic": pd.crosstab(searchers[rows], topic).to_numpy()}
    met = (met if known.all() else {}) | {"topic and system": cells}
    has_several = min(cells.shape) > 1
    is_once = _is_each_once(searchers[rows], topic) and _is_each_once(searchers, sample.systems)
    names = scores.names_of(study, sample, np.arange(sample.sessions.size), in_order=False)
    return Design(
        kind=kind if known.all() else UNKNOWN,
        sessions=sample.sessions.size,
        nameless=int((~known).sum()),
        searchers=int(used.size),
        with_several=several,
        systems=len(sample.shown_systems),
        topics=sample.topic_count,
        met={what: (int(n.min()), int(n.max())) for what, n in met.items() if n.size},
        is_square=has_several and is_once and bool(np.ptp(cells) == 0),
        alone=has_several and bool(((cells > 0).sum(axis=1) == 1).all()),
        crossing=pd.crosstab(names["system"], names["topic"]),
        features=_searcher_feature_statistics(study, sample, searchers),
        began=_first_system_counts(study, sample, searchers),
    )


def _is_each_once(one: Ints, other: Ints) -> bool:
    """Whether each of some met each of others in one of the meetings (N,)."""
    met = len(np.unique(np.column_stack([one, other]), axis=0))
    return met == one.size == np.unique(one).size * np.unique(other).size


def _first_system_counts(study: Study, sample: Sample, searchers: Ints) -> dict[str, int]:
    """How many searchers of several systems began with each.

    Where a searcher's first session overlaps one with another system (as where each session counts
    from its own start), or a time is lacking, the order is not known.
    """
    each = session_time_spans(study, sample.sessions).assign(who=searchers, system=sample.systems)
    each = each[each["who"] >= 0].sort_values("min", kind="stable")
    timed = each["min"].notna().groupby(each["who"]).all()
    first = each.drop_duplicates("who").set_index("who")
    others = each[each["system"] != each["who"].map(first["system"])]
    others = others.groupby("who")["min"].min()
    first = first.loc[others.index]
    told = timed.loc[others.index] & (others > first["max"])
    begun = first["system"][told].value_counts().to_dict()
    names = sample.block.system_names
    return {name: begun[code] for code, name in enumerate(names) if code in begun}


def _searcher_feature_statistics(study: Study, sample: Sample, searchers: Ints) -> pd.DataFrame:
    """Mean and standard deviation of what is one number for each searcher (Table 1)."""
    extras = [name for name in study.sessions.columns if name not in OWN_OF_SESSIONS]
    own = study.sessions.iloc[sample.sessions][extras].select_dtypes("number")[searchers >= 0]
    by_searcher = own.groupby(searchers[searchers >= 0])
    each = by_searcher.first().loc[:, ~(by_searcher.nunique() > 1).any()].dropna(axis=1, how="all")
    table = each.agg(["mean", "std", "min", "max", "count"]).T
    table.columns = ["mean", "sd", "least", "most", "searchers"]
    return table.astype({"searchers": int}).rename_axis("feature").reset_index()


RUN_COLUMNS = ("system", "topics", "sessions", "sd_sessions", "sd_topics")


def repeat_spread(study: Study, definition: Definition, filters: Filters) -> pd.DataFrame:
    """Spread of the share of the ideal between sessions on one topic, and between topics.

    A row for each system of which at least two topics have several sessions, sd_sessions and
    sd_topics being standard deviations; none where searchers are named, whose sessions are no
    runs of one agent, and of counts. Sessions on several topics are left out.
    """
    chosen = select(study, definition, filters)
    sample = chosen.sample
    if sample.searcher_count:
        return pd.DataFrame(columns=[*RUN_COLUMNS])
    alone = ((sample.topics == sample.topics[:, :1]) | (sample.topics < 0)).all(axis=1)
    value = measures.session_score_of(measures.USUAL, chosen)
    rows = np.flatnonzero(alone & ~np.isnan(value))
    names = np.array(sample.block.system_names, dtype=object)[sample.systems[rows]]
    frame = pd.DataFrame({"system": names, "topic": sample.topics[rows, 0], "value": value[rows]})
    frame = frame[frame.groupby(["system", "topic"])["value"].transform("size") > 1]
    made = [
        (str(system), own["topic"].nunique(), len(own), *spread)
        for system, own in frame.groupby("system")
        if not np.isnan(spread := spread_of(own["value"].to_numpy(), own["topic"].to_numpy())).any()
    ]
    return pd.DataFrame(made, columns=[*RUN_COLUMNS])


def spread_of(values: Floats, groups: Ints) -> tuple[float, float]:
    r"""Standard deviations within groups, and between them, by a one-way analysis of variance.

    .. math:: s_w^2 = MS_w, \quad s_b^2 = \max(0, (MS_b - MS_w) / n_0), \quad
              n_0 = (N - \sum n_i^2 / N) / (k - 1)

    nan where there are fewer than two groups, or no group of several. S. R. Searle, G. Casella,
    C. E. McCulloch: Variance Components (1992), chapter 3.

    >>> within, between = spread_of(np.array([0.2, 0.4, 0.6, 0.8]), np.array([0, 0, 1, 1]))
    >>> round(within**2, 3), round(between**2, 3)       # .04 / 2, and (.16 - .02) / 2
    (0.02, 0.07)
    """
    each_group = pd.Series(values).groupby(groups)
    number, whole, several = each_group.size(), values.size, each_group.ngroups
    if several < 2 or whole == several:
        return float("nan"), float("nan")
    within = float(((values - each_group.transform("mean")) ** 2).sum()) / (whole - several)
    among = float((number * (each_group.mean() - values.mean()) ** 2).sum()) / (several - 1)
    each = (whole - float((number**2).sum()) / whole) / (several - 1)
    return float(np.sqrt(within)), float(np.sqrt(max(0.0, (among - within) / each)))


@dataclass(frozen=True, eq=False)
class Overview:
    """Counts of the sessions that pass the filters.

    by_length (G, Q) : sessions of each system with 1, 2, … queries · judged_share (G, top) : share
    of each system's results at each rank that have a grade, nan where none is shown · grades :
    judgments with each grade, and results in the top that have it, by system, unjudged ones last;
    what occurs twice in a list once · nameless : sessions without a searcher · repeats,
    repeats_by_document (G,) : results that an earlier query of the session had shown, on its topic
    and on any
    """

    systems: tuple[str, ...]
    by_length: Ints
    judged_share: Floats
    judged_overall: float
    sessions: int
    queries: int
    topics: int
    searchers: int
    nameless: int
    empty: int
    top: int
    graded: str
    without_judgments: int
    grades: pd.DataFrame
    repeats: tuple[int, ...]
    repeats_by_document: tuple[int, ...]

    @property
    def mean_queries(self) -> Floats:
        """Mean number of queries of each system's sessions, (G,)."""
        numbers = np.arange(1, self.by_length.shape[1] + 1)
        return (self.by_length @ numbers) / self.by_length.sum(axis=1)

    def table(self) -> pd.DataFrame:
        """Table 2: sessions per number of queries and system, with the mean."""
        numbers = pd.RangeIndex(1, self.by_length.shape[1] + 1).astype(str)
        table = pd.DataFrame(self.by_length, columns=numbers)
        table.insert(0, "system", self.systems)
        sums = {"sessions": self.by_length.sum(axis=1), "mean queries": self.mean_queries}
        return table.assign(**sums)

    def judged_share_table(self) -> pd.DataFrame:
        """Judged share of the results by system and rank."""
        places = pd.MultiIndex.from_product([self.systems, range(1, self.top + 1)])
        shares = pd.Series(self.judged_share.ravel(), places.set_names(["system", "rank"]))
        return shares.rename("judged_share").reset_index()


def overview(study: Study, definition: Definition, filters: Filters) -> Overview:
    """Counts of the sessions that pass the filters; judged shares within the top."""
    logged = replace(definition, unjudged="zero", short_lists="pad")
    sample = select(study, replace(logged, repeats="every"), filters).sample
    names = tuple(sample.block.system_names[i] for i in sample.shown_systems)
    lengths = np.zeros((len(names), sample.most_queries), dtype=np.int64)
    np.add.at(lengths, (sample.session_system_places, sample.queries - 1), 1)
    results, judged = sample.shown
    total = int(results.sum())
    groups = np.full(study.block().queries.size, -1)
    groups[sample.sessions] = sample.session_system_places
    counts = pd.array([*study.grade_counts, None], dtype="Int64")
    grades: dict[str, Any] = {"grade": [*map(label, study.labels), study.ungraded]}
    grades |= {} if study.behaviour else {"judgments": counts}
    looked_at, by_grade = study.results_looked_at(logged.arrangement), sample.result_counts_by_grade
    system = groups[looked_at.session]
    copies = (looked_at.within < NEVER) & (looked_at.rank <= sample.top) & (system >= 0)
    unjudged = system[copies & (looked_at.label == looked_at.unjudged)]
    by_grade[:, -1] -= np.bincount(unjudged, minlength=len(names))
    shown = zip(names, by_grade, strict=True)
    listed = sample.block.lengths[sample.sessions, : sample.most_queries]
    return Overview(
        systems=names,
        by_length=lengths,
        judged_share=judged / np.where(results > 0, results, np.nan),
        judged_overall=float(judged.sum() / total) if total else float("nan"),
        sessions=sample.sessions.size,
        queries=int(sample.queries.sum()),
        topics=sample.topic_count,
        searchers=sample.searcher_count,
        nameless=int((sample.block.searchers[sample.sessions] < 0).sum()),
        empty=int((listed == 0)[sample.has_query].sum()),
        top=definition.top,
        graded="seen" if study.behaviour else "judged",
        without_judgments=int((~sample.judged).sum()),
        grades=pd.DataFrame(grades | {f"shown by {name}": row for name, row in shown}),
        repeats=tuple(sample.repeated.tolist()),
        repeats_by_document=tuple(study.repeats_by_document(groups, sample.top).tolist()),
    )


RANK, EARLY, LATE = 3, 1, 3  # where the document stands, and the queries that find it
LIVE_COUNTS = {"kind": "document", "at": RANK, "queries": [EARLY, LATE]}  # as the browser is told


def example_gains(
    definition: Definition, labels: tuple[float, ...]
) -> dict[int, tuple[float, float, float]]:
    """The document of the most gain at rank ``RANK`` of the first query, and of the third.

    By query: its gain, after the rank discount, and after the query discount.
    """
    gain = float(max(definition.gains(labels), default=1.0))
    by_rank = gain * float(rank_discount([RANK], definition.b, definition.discount)[0])
    factors = query_discount([EARLY, LATE], definition.bq, definition.discount).tolist()
    return {
        query: (gain, by_rank, by_rank * factor)
        for query, factor in zip((EARLY, LATE), factors, strict=True)
    }


def live_numbers(definition: Definition, labels: tuple[float, ...]) -> dict[str, list[Any]]:
    """The numbers that sliders move, as the bars say what they were drawn for."""
    return live.drawn_numbers(definition, labels, RANK, LATE)
