"""How does gain grow over a session, and in which system faster? ECIR 2008, Figures 2, 3."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from sdcg_explorer.metrics import group_sums
from sdcg_explorer.metrics.arrays import Floats, Ints
from sdcg_explorer.questions.compare_systems.numbers import model_of_all, omnibus
from sdcg_explorer.scoring import scored_sessions, selection
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.scoring.mean_curves import THIN, MeanCurve, axis_end, curves_of, session_sums
from sdcg_explorer.statistics.effect_sizes import rounding
from sdcg_explorer.statistics.two_way import t_quantile
from sdcg_explorer.study.study import Study

SAW_TOOTH = "saw-tooth"
COLUMNS = {
    "raw": ["sessions", "mean", "low", "high"],
    "normalised": ["sessions_normalised", "normalised", "normalised_low", "normalised_high"],
    SAW_TOOTH: ["sessions_saw_tooth", "saw_tooth", "saw_tooth_low", "saw_tooth_high"],
}


@dataclass(frozen=True)
class SystemCurves:
    """Curves of one system's sessions with at least so many queries."""

    system: str
    at_least: int
    raw: MeanCurve
    normalised: MeanCurve
    running: Ints
    saw: MeanCurve | None = None

    @property
    def name(self) -> str:
        """The system, and the least number of queries if not all sessions count."""
        return self.system + (f", at least {self.at_least} queries" if self.at_least > 1 else "")

    @property
    def group(self) -> str:
        """Which of its sessions, in words."""
        return "all" if self.at_least == 1 else f"at least {self.at_least} queries"

    def curve(self, measure: str) -> MeanCurve:
        """The raw or the normalised curve, or the saw-tooth of query after query."""
        if measure == SAW_TOOTH and self.saw is not None:
            return self.saw
        return self.normalised if measure == "normalised" else self.raw

    @property
    def thin_from(self) -> int:
        """First place of `running` with fewer than ``THIN`` sessions; it never rises."""
        return int((self.running >= THIN).sum())

    def columns(self, *measures: str) -> dict[str, Floats | Ints]:
        """Sessions, mean and interval by position, raw and normalised unless said."""
        each = {name: self.curve(name) for name in measures or ("raw", "normalised")}
        return {
            column: getattr(curve, part)
            for name, curve in each.items()
            for column, part in zip(COLUMNS[name], COLUMNS["raw"], strict=True)
        }


@dataclass(frozen=True, eq=False)
class SessionCurves:
    """Mean session curves, system by system.

    Positions run over the cells of the longest session; `per_query` cells belong to each query
    under pad, and None where short lists make them differ. `running` is (Q,) under pad, else by
    position.
    """

    curves: tuple[SystemCurves, ...]
    positions: int
    per_query: int | None
    most_queries: int
    sessions: int
    without_judgments: int
    bands: bool = False

    def table(self) -> pd.DataFrame:
        """One row per system, least number of queries and position."""
        frames = [self._curve_rows(curves) for curves in self.curves]
        return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()

    def means_at_query_ends(self, measure: str) -> pd.DataFrame:
        """Means of a measure where each query's list ends; at every position where lists differ."""
        means = COLUMNS.get(measure, COLUMNS["raw"])
        rows = self.table()
        ends = rows["position"] % (self.per_query or 1) == 0
        place = "query_number" if self.per_query else "position"
        return rows[ends & (rows[means[0]] > 0)][["system", "at_least", place, *means]]

    def _curve_rows(self, of: SystemCurves) -> pd.DataFrame:
        place, step = np.arange(self.positions), self.per_query
        return pd.DataFrame(
            {
                "system": of.system,
                "position": place + 1,
                "query_number": place // step + 1 if step else np.nan,
                "rank": place % step + 1 if step else np.nan,
                "running": of.running[place // step] if step else of.running,
                **of.columns(),
                "at_least": of.at_least,
                **(of.columns(SAW_TOOTH) if of.saw else {}),
            }
        )

    @property
    def running(self) -> Ints:
        """Sessions of all systems that have each query; by position where lists are not padded."""
        least = min((of.at_least for of in self.curves), default=1)
        each = [of.running for of in self.curves if of.at_least == least]
        return np.sum(each, axis=0) if each else np.zeros(0, dtype=np.int64)

    def end(self, length: int | None = None) -> int:
        """Last position of an axis to so many queries, or else while enough sessions run."""
        if length is None:
            return axis_end(self.running) * (self.per_query or 1)
        return -(-self.positions * min(length, self.most_queries) // self.most_queries)

    @property
    def axis_is_cut(self) -> bool:
        """Whether the axis ends before the longest session, unless all of it is asked for."""
        return self.end() < self.positions


def session_curves(
    study: Study,
    definition: Definition,
    filters: Filters,
    *,
    at_least: tuple[int, ...] = (1,),
    bands: bool = False,
    saw: bool = False,
    by: str = selection.SDCG,
) -> SessionCurves:
    """Mean raw and normalised session curves of each system.

    `at_least` asks for the curves of the sessions with at least so many queries, one set for each
    number given; `bands` adds bootstrap intervals, searchers resampled; `saw` the normalised
    vectors of single queries, one after the other; `by`, of ``ADDITIVE``, is whose weights cells
    have: of RBP, which weighs queries alike, curves are what queries bring, added up.

    Raises
    ------
    KeyError : a measure without such weights
    """
    chosen = selection.select(study, definition, filters).with_measure(by)
    sample, top = chosen.sample, definition.top
    names, positions = sample.block.system_names, sample.most_queries * top
    if definition.short_lists != "pad":  # to the longest session's last cell
        positions = max(1, int(sample.cells.sum(axis=1).max(initial=0)))
    curves: list[SystemCurves] = []
    for least in at_least if sample.sessions.size else ():
        sums, rows = session_sums(chosen, least, bands, saw)
        raw, share, *more = (curves_of(each.to(positions), bands=bands) for each in sums)
        still = sample.kept(("running", least), lambda rows=rows: running_counts(sample, rows))
        of = zip(raw, share, still[:, :positions], *more, strict=True)
        every = [SystemCurves(name, least, *each) for name, each in zip(names, of, strict=True)]
        curves += [every[i] for i in sample.shown_systems]
    return SessionCurves(
        curves=tuple(curves),
        positions=positions,
        per_query=top if definition.short_lists == "pad" else None,
        most_queries=sample.most_queries,
        sessions=int(sample.judged.sum()),
        without_judgments=int((~sample.judged).sum()),
        bands=bands,
    )


def running_counts(sample: selection.Sample, rows: Ints) -> Ints:
    """Sessions of each system that have each query; by position where cells differ."""
    extent, most = sample.queries[rows], sample.most_queries
    if sample.short_lists != "pad":
        extent, most = sample.cells[rows].sum(axis=1), most * sample.top
    ends = np.zeros((len(sample.block.system_names), most + 1), dtype=np.int64)
    np.add.at(ends, (sample.systems[rows], extent), 1)
    return ends[:, ::-1].cumsum(axis=1)[:, ::-1][:, 1:]


NO_VARIANCE = 1e-9  # of a session: a variance that is none


def log_rank(lengths: Ints, group: Ints) -> float:
    r"""P by chi-squared that sessions of several groups end alike, as if sessions were independent.

    .. math:: \chi^2 = U^T V^{-1} U \quad
              U_k = \sum_q \left( d_{kq} - d_q \tfrac{Y_{kq}}{Y_q} \right) \quad
              V_{kl} = \sum_q d_q \tfrac{Y_q - d_q}{Y_q - 1} \tfrac{Y_{kq}}{Y_q}
                       \left( [k = l] - \tfrac{Y_{lq}}{Y_q} \right)

    :math:`Y_{kq}` sessions of group k have a q-th query, which is the last of :math:`d_{kq}`; no
    session is cut off. U and V leave one group out.

    Parameters
    ----------
    lengths : (N,) queries of each session, from 1 · group : (N,) code of each

    Returns
    -------
    p of χ² on groups − 1; nan with one group, or where all sessions end after the same query

    Source: Mantel (1966); Peto & Peto (1972).

    >>> p = log_rank(np.array([1, 1, 2, 3, 4, 4]), np.array([0, 0, 0, 1, 1, 1]))  # χ² = 5.2128
    >>> round(p, 4)
    0.0224
    """
    from scipy.special import chdtrc

    codes, group = np.unique(group, return_inverse=True)
    ends = np.zeros((int(lengths.max(initial=1)), codes.size))
    np.add.at(ends, (lengths - 1, group), 1.0)
    running = ends[::-1].cumsum(axis=0)[::-1]
    ended, all_running = ends.sum(axis=1), running.sum(axis=1)
    df = codes.size - 1  # one group left out
    part = (running / all_running[:, None])[:, :df]
    spread = ended * (all_running - ended) / np.maximum(all_running - 1, 1)
    u = (ends[:, :df] - ended[:, None] * part).sum(axis=0)
    variance = np.diag(spread @ part) - (spread[:, None] * part).T @ part
    if df < 1 or np.linalg.eigvalsh(variance)[0] <= NO_VARIANCE * lengths.size:
        return float("nan")
    return float(chdtrc(df, u @ np.linalg.solve(variance, u)))


def log_rank_p_by_searcher(lengths: Ints, group: Ints, cluster: Ints) -> float:
    r"""P of the log-rank score, tested as scores of sessions are: searchers are the units.

    .. math:: M_i = 1 - \sum_{q \le n_i} d_q / Y_q

    :math:`M_i` is what a session adds to its group's score. Two groups are compared by t by
    searcher (sdcg_explorer/statistics/two_way.py), more by labels that change places.

    Parameters
    ----------
    lengths, group : as of ``log_rank`` · cluster : (N,) searcher of each session

    Returns
    -------
    p; nan with one group, or where nothing varies between searchers

    Source: Peto & Peto (1972) for the score; Lin & Wei (1989) for adding it by searcher.

    >>> lengths, who = np.array([1, 1, 2, 3, 4, 4]), np.array([0, 1, 2, 0, 1, 2])
    >>> round(log_rank_p_by_searcher(lengths, np.array([0, 0, 0, 1, 1, 1]), who), 4)
    0.0604
    """
    codes, system = np.unique(group, return_inverse=True)
    if codes.size < 2:
        return float("nan")
    ended = np.bincount(lengths)[1:]
    hazard = ended / ended[::-1].cumsum()[::-1]
    unit, one = np.unique(cluster, return_inverse=True)[1], np.zeros_like(system)
    score, names = 1 - hazard.cumsum()[lengths - 1], tuple(map(str, codes))
    scored = scored_sessions.Scored(score, system, unit, one, lengths, names)
    if codes.size == 2:
        return model_of_all(scored).difference(0, 1).without_rounding(rounding(scored.score)).p
    p, others = omnibus(scored)
    return p if others else float("nan")


FEWEST = 5  # searchers, or sessions without one: below, neither interval nor test
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class StillSearching:
    """Sessions of one system that go on after query 1, 2, …, Q.

    lengths (N,) : queries of each session · cluster (N,) : its searcher, or else itself · most : Q
    """

    system: str
    lengths: Ints
    cluster: Ints
    most: int

    @cached_property
    def still_searching_counts(self) -> Ints:
        """Sessions with more than q queries, (Q,)."""
        return self.lengths.size - np.bincount(self.lengths, minlength=self.most + 1).cumsum()[1:]

    @property
    def share(self) -> Floats:
        """Share of the sessions, (Q,): Kaplan and Meier's estimate, no session being cut off."""
        return self.still_searching_counts / self.lengths.size

    @cached_property
    def units(self) -> int:
        """Searchers, and sessions that name none."""
        return int(np.unique(self.cluster).size)

    @cached_property
    def error(self) -> Floats:
        r"""Standard error of the share, clustered by searcher, (Q,); nan under ``FEWEST``.

        .. math:: \sqrt{\tfrac{G}{G - 1} \sum_c \Big( \sum_{i \in c} ([n_i > q] - S(q)) / N \Big)^2}

        Each session its own cluster, this is Greenwood's error times the root of G / (G − 1).
        """
        if self.units < FEWEST:
            return np.full(self.most, np.nan)
        who = np.unique(self.cluster, return_inverse=True)[1]
        over = self.lengths[:, None] > np.arange(1, self.most + 1)
        squares = (group_sums(over - self.share, who, self.units) ** 2).sum(axis=0)
        return np.sqrt(self.units / (self.units - 1) * squares) / self.lengths.size

    @cached_property
    def interval(self) -> tuple[Floats, Floats]:
        """95% interval, (Q,) each: by t on log(−log S); nan at 0 and 1, or without spread."""
        low, high = np.full(self.most, np.nan), np.full(self.most, np.nan)
        known = (self.error > ROUNDING) & (self.share > 0) & (self.share < 1)
        if known.any():
            of, log = self.share[known], np.log(self.share[known])
            reach = t_quantile(self.units - 1) * self.error[known] / (of * -log)
            low[known], high[known] = of ** np.exp(reach), of ** np.exp(-reach)
        return low, high

    @property
    def median_stopping_query(self) -> int:
        """The first query by which half of the sessions have ended."""
        return int(np.argmax(2 * self.still_searching_counts <= self.lengths.size)) + 1

    def rows(self) -> pd.DataFrame:
        """One row per query."""
        counts = {"sessions": self.lengths.size, "still_searching": self.still_searching_counts}
        edges = dict(zip(("low", "high"), self.interval, strict=True))
        own = {"system": self.system, "query_number": np.arange(1, self.most + 1)}
        return pd.DataFrame({**own, **counts, "share": self.share, "error": self.error, **edges})


@dataclass(frozen=True, eq=False)
class Stopping:
    """When sessions end, system by system, and whether the systems differ.

    plain : p of a log-rank test over all systems, None with one · by_searcher : its p by searcher,
    nan where a system has fewer than ``FEWEST`` units · withheld : queries that the log keeps back,
    each the real last one of its session
    """

    systems: tuple[StillSearching, ...]
    plain: float | None
    by_searcher: float
    withheld: int

    def table(self) -> pd.DataFrame:
        """One row per system and query number."""
        rows = [of.rows() for of in self.systems]
        return pd.concat(rows, ignore_index=True) if rows else pd.DataFrame()


def stopping(study: Study, definition: Definition, filters: Filters) -> Stopping:
    """When the sessions behind the session curves end, whatever their results are worth.

    Sessions on topics nobody judged are left out, as they are of the curves.
    """
    sample = selection.select(study, definition, filters).sample
    rows = np.flatnonzero(sample.judged)
    system, lengths = sample.systems[rows], sample.queries[rows]
    cluster, names = sample.clusters[rows], sample.block.system_names
    most = int(lengths.max(initial=1))

    def tested() -> tuple[tuple[StillSearching, ...], float | None, float]:
        each = tuple(
            StillSearching(names[code], lengths[system == code], cluster[system == code], most)
            for code in np.unique(system).tolist()
        )
        plain = log_rank(lengths, system) if len(each) > 1 else None
        enough = all(of.units >= FEWEST for of in each)
        return each, plain, log_rank_p_by_searcher(lengths, system, cluster) if enough else np.nan

    return Stopping(*sample.kept(("stopping",), tested), study.report.withheld)
