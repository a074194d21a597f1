"""Random small studies with everything that makes logs awkward, for Hypothesis to draw."""

import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import sdcg_explorer.metrics as metrics
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from tests.support import plain_files, thorough
from tests.support.plain_loop import Choices, Judgments, PlainSession, PlainStudy

T = TypeVar("T")
GRADES = tuple(map(float, range(-1, 4)))
JUDGED_DOCS = tuple("abcde")
TOPICS = ("t1", "t2", "unjudged")
GAINS = (0.0, 0.5, 1.0, 3.0, 10.0)
BASES = (1.5, 2.0, 4.0, 10.0, math.inf)
FORMS = tuple(metrics.FORMS)
SHORT = ("pad", "as-is", 1, 3, 9)
NO_EXCESS = (("every", "repeated"), ("first", "repeated"), ("first", "spread"))
ALL_PAIRS = (*NO_EXCESS, ("every", "spread"))

often = settings(
    max_examples=12 * thorough.THOROUGH,
    deadline=None,
    derandomize=True,
    phases=[
        Phase.explicit,
        Phase.generate,
    ],  # small as they are; shrinking over files takes minutes
    suppress_health_check=[HealthCheck.too_slow],
)


def made(make: Callable[[random.Random], T]) -> st.SearchStrategy[T]:
    """Values made from a drawn seed: Hypothesis' own small collections are mostly empty."""
    return st.integers(0, 2**32).map(lambda seed: make(random.Random(seed)))


def random_list(chance: random.Random) -> dict[int, str]:
    """A result list of few documents, so that they come again; gaps in the ranks; or nothing."""
    if chance.random() < 0.2:
        return {}
    ranks = chance.sample(range(1, 9), chance.randint(1, 6))
    return {rank: chance.choice([*JUDGED_DOCS, "u"]) for rank in sorted(ranks)}


def random_judgments(chance: random.Random) -> Judgments:
    """Grades of most documents of both judged topics, or of a single one."""
    things = [(topic, doc) for topic in TOPICS[:2] for doc in JUDGED_DOCS]
    judged = chance.sample(things, chance.choice([1, 4, 7, 8, 9, 10]))
    graded = {thing: chance.choice(GRADES) for thing in judged}
    if {*graded.values()} == {1.0, 2.0, 3.0}:  # of which readers may ask whether 1 is the best
        graded[judged[0]] = 0.0
    return graded


def random_session(chance: random.Random, name: str) -> PlainSession:
    """Up to four queries on one topic, or on changing ones."""
    topics = chance.choices(TOPICS, (6, 4, 2), k=chance.randint(1, 4))
    if chance.random() < 0.5:
        topics = topics[:1] * len(topics)
    queries = [(topic, random_list(chance)) for topic in topics]
    return PlainSession(name, queries, chance.choice("ABC"), chance.choice(["p", "q", ""]))


def random_study(chance: random.Random) -> PlainStudy:
    """Up to six sessions of three systems, some without a searcher, on one set of judgments."""
    names = [f"s{i}" for i in range(chance.randint(1, 6))]
    return PlainStudy([random_session(chance, name) for name in names], random_judgments(chance))


def studies() -> st.SearchStrategy[PlainStudy]:
    """Small studies."""
    return made(random_study)


def random_log(folder: Path) -> tuple[Path, Path]:
    """Files of many random sessions: repeats, copies, gaps, changing and unjudged topics."""
    chance = random.Random(2008)
    sessions = [random_session(chance, f"s{i}") for i in range(60)]
    judgments = random_judgments(chance)
    while len(judgments) < 7:
        judgments = random_judgments(chance)
    return plain_files.write_study(PlainStudy(sessions, judgments), folder)


def choices(pairs: tuple[tuple[str, str], ...] = ALL_PAIRS) -> st.SearchStrategy[Choices]:
    """Any definition: all forms, bases, policies; gains not always rising by grade."""

    def make(chance: random.Random) -> Choices:
        repeats, ideal = chance.choice(pairs)
        gains = GAINS[: chance.randint(3, len(GAINS))]  # often none above 1
        return Choices(
            gains={grade: chance.choice(gains) for grade in GRADES},
            b=chance.choice(BASES),
            bq=chance.choice(BASES),
            form=chance.choice(FORMS),
            top=chance.randint(1, 6),
            repeats=repeats,
            ideal=ideal,
            short=chance.choice(SHORT),
        )

    return made(make)
