"""Do McNemar's test and Wilson's interval keep their promises? Simulated answers of two agents."""

import numpy as np
from scipy.special import expit

from benchmarks.simulated import SEED, study_of
from sdcg_explorer.questions.compare_systems.numbers import paired_outcomes
from sdcg_explorer.statistics.shares import share_of

STUDIES = 4_000
DESIGNS = ((12, 1), (12, 3), (20, 5), (50, 1), (50, 3), (200, 1), (200, 3))  # tasks, runs on each
LOGITS = (0.0, 2.0)  # of the chance to be right on a task of middling difficulty
APART = 1.5  # tasks, on the logit
OWN = 0.7  # what a task adds for either system alone


def kept(tasks: int, runs: int, logit: float, studies: int = STUDIES) -> tuple[float, float, float]:
    """Of studies of agents that are right as often: share called different, covered, mean share."""
    rng = np.random.default_rng(SEED)
    known = expit(logit + np.hypot(APART, OWN) * rng.normal(size=1_000_000)).mean()
    topic, system = np.divmod(np.repeat(np.arange(2 * tasks), runs), 2)
    layout, called, covered = (np.arange(topic.size), topic, system), 0, 0
    for _ in range(studies):
        easy = logit + APART * rng.normal(size=tasks)[:, None] + OWN * rng.normal(size=(tasks, 2))
        right = (rng.random(topic.size) < expit(easy)[topic, system]).astype(float)
        called += paired_outcomes(study_of(right, layout))["p"][0] <= 0.05
        own = system == 0
        _, low, high = share_of(right[own], topic[own])
        covered += low <= known <= high
    return called / studies, covered / studies, float(known)


def bench_outcomes(studies: int = STUDIES) -> None:
    """Print the table of docs/statistics.md."""
    print("| tasks | runs of each | right | McNemar calls different | the interval covers |")
    print("|---|---|---|---|---|")
    for tasks, runs in DESIGNS:
        for logit in LOGITS:
            called, covered, known = kept(tasks, runs, logit, studies)
            shares = f"{100 * called:.1f} % | {100 * covered:.1f} %"
            print(f"| {tasks} | {runs} | {100 * known:.0f} % | {shares} |", flush=True)
