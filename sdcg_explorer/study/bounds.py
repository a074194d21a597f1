"""What of a study is beyond what pages can count: it is refused when it is read, not on a page."""

import numpy as np

from sdcg_explorer.study.arrays import Tables, category_codes, whole
from sdcg_explorer.study.grades import labels_of
from sdcg_explorer.study.problems import Problem, error, refuse
from sdcg_explorer.study.wording import counted

MOST_QUERIES = 10_000  # of a session
LARGEST_GRADE = 100  # and −100: the square of a gain of 10 ** 99 is still a number
MOST_GRADES = 120  # with the codes of cells without a grade they fit into int8
LEAST_RANKS, MOST_RANKS = 10, 100  # that a session is laid out by, whatever its lists have
MOST_PLACES = 200_000_000  # sessions × queries of the longest × ranks: what a small file may cost
ALWAYS_PLACES = 20_000_000  # places that a study of any size may have
MOST_PLACES_A_RESULT = 20
MOST_JUDGED_PLACES = 20_000_000  # topics that queries are on × distinct grades
GRADED = ("judgments", "results")  # tables that have grades
SMALLER = "Write grades with fewer digits, or on a coarser scale."
SPLIT = "Split that session, or leave it out."
FEWER = "Leave out the longest sessions or the deepest ranks."


def refuse_beyond(tables: Tables, log: str = "log", judgments: str = "judgments") -> None:
    """Refuse tables of a study that no page could count; `log` and `judgments` are its files.

    Raises
    ------
    UnusableInputError : grades too large or too many, a session too long, or too many places
    """
    refuse([*_grade_problems(tables, judgments), *_size_problems(tables, log)])


def _grade_problems(tables: Tables, file: str) -> list[Problem]:
    """What is wrong with the grades, those of the log's own column too."""
    grades = labels_of(*(tables[of]["grade"].dropna().to_numpy(dtype=float) for of in GRADED))
    topics = int(np.unique(category_codes(tables["queries"]["topic"])).size)
    largest = float(np.abs(grades).max(initial=0.0))
    if largest > LARGEST_GRADE:
        most = LARGEST_GRADE
        rule = f"a grade lies between −{most} and {most}, as the usual gain is 10^(grade − 1)"
        return [error(file, None, f"grade {largest:g}", rule, "Divide the grades.")]
    if grades.size > MOST_GRADES:
        rule = f"a study has at most {MOST_GRADES} distinct grades"
        return [error(file, None, f"{grades.size:,} distinct grades", rule, SMALLER)]
    if grades.size * topics > MOST_JUDGED_PLACES:
        found = f"{counted(grades.size, 'distinct grade')} on {counted(topics, 'topic')}"
        rule = f"distinct grades × topics are at most {MOST_JUDGED_PLACES:,}"
        return [error(file, None, found, rule, SMALLER)]
    return []


def _size_problems(tables: Tables, file: str) -> list[Problem]:
    """Whether sessions × queries × ranks fit, as every session is laid out like the longest."""
    session = category_codes(tables["queries"]["session"])
    counts = np.bincount(session, minlength=len(tables["sessions"]))
    longest, most = int(counts.argmax()), int(counts.max())
    name = f"session {str(tables['sessions']['session'].iloc[longest])!r}"
    if most > MOST_QUERIES:
        rule = f"a session has at most {MOST_QUERIES:,} queries"
        return [error(file, None, f"{name} has {most:,} queries", rule, SPLIT)]
    rank = np.clip(whole(tables["results"]["rank"]), LEAST_RANKS, MOST_RANKS)
    ranks = int(rank.max(initial=LEAST_RANKS))
    places = counts.size * most * ranks
    allowed = min(MOST_PLACES, max(ALWAYS_PLACES, MOST_PLACES_A_RESULT * rank.size))
    if places <= allowed:
        return []
    sessions, queries = counted(counts.size, "session"), counted(most, "query")
    sizes = f"{sessions} × {queries} of the longest × {counted(ranks, 'rank')}"
    results = counted(rank.size, "result")
    found = f"{sizes} are {places:,} places for {results}; {name} is the longest"
    others = np.delete(counts, longest).max()  # one session alone always fits
    rule = f"here {allowed:,} places fit; the next longest session has {counted(others, 'query')}"
    return [error(file, None, found, rule, FEWER)]
