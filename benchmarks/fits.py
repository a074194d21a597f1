"""Do fits find what was planted? Marks drawn from known weights, searchers of different zeal."""

import numpy as np
from sdcg_explorer.metrics.arrays import Floats

from sdcg_explorer.questions.fit.numbers import CRITERIA, Fitted, Model, fit_model, models_of

STUDIES, SEED = 1_000, 2019
SEARCHERS, SESSIONS, SHAPE = 30, 4, (5, 10)
HIGHEST, ZEAL = 0.9, 0.15  # chance of a mark where the weight is highest; how searchers differ
TRUTHS: dict[str, tuple[float, ...]] = {
    "sdcg_ecir2008": (3.0, 6.0),
    "srbp": (0.6, 0.85),
    "rbp": (0.7,),
}
CHANCES = (0.4, 0.3, 0.15, 0.1, 0.05)  # of gains of 0, a fourth, … 1 in the lists that INST sees


def models(shape: tuple[int, int] = SHAPE) -> dict[str, Model]:
    """All models of results, by name."""
    rng = np.random.default_rng(SEED)
    lists = rng.choice(np.linspace(0, 1, len(CHANCES)), (50, shape[1]), p=CHANCES)
    every = models_of(shape, (lists, np.ones(50, dtype=np.int64)))
    return {each.name: each for each in every if not each.of_queries}


def drawn(truth: Model, shape: tuple[int, int], rng: np.random.Generator) -> Floats:
    """Marks of each searcher's sessions, (F, Q · R), as a model with planted parameters has it."""
    weights = truth.weigh(np.array([TRUTHS[truth.name]]))[0]
    zeal = np.clip(rng.normal(1, ZEAL, (SEARCHERS, 1, 1, 1)), 0.5, 1 / HIGHEST)
    chance = zeal * HIGHEST * weights / weights.max()
    marks = rng.random((SEARCHERS, SESSIONS, *shape)) < chance
    return marks.sum(axis=1).reshape(SEARCHERS, -1).astype(float)


def family(name: str) -> str:
    """SDCG in any form is one model."""
    return name.partition("_")[0]


def planted(name: str, by: str, studies: int) -> str:
    """A row: shares of studies whose intervals cover, and whose least error is the truth's."""
    rng, every, values = np.random.default_rng(SEED), models(), np.array(TRUTHS[name])
    covered, least = np.zeros(values.size), np.zeros(3)
    for _ in range(studies):
        counts = drawn(every[name], SHAPE, rng)
        fits = {each: fit_model(model, counts, by) for each, model in every.items()}
        own = fits[name]
        covered += (own.low <= values) & (values <= own.high)
        least += _found(name, fits)
    shares = [*(covered / studies), *(least / studies)]
    told = [f"{100 * share:.1f} %" for share in shares]
    cover = " and ".join(told[: values.size])
    return f"| {name} {TRUTHS[name]} | {by} | {cover} | {' | '.join(told[values.size :])} |"


def _found(name: str, fits: dict[str, Fitted]) -> tuple[bool, bool, bool]:
    """Whether the truth has the least error left out: itself, its family, or tied with the least.

    RBP and sRBP with p next to 1 are the same weights.
    """
    best = min(fits, key=lambda each: fits[each].held_out_error)
    same = family(best) == family(name)
    return best == name, same, same or fits[best].is_tied_with(fits[name])


def bench_fits(studies: int = STUDIES) -> None:
    """Print the table of docs/statistics.md."""
    print(f"{studies:,} simulated studies of {SEARCHERS} searchers, {SESSIONS} sessions each")
    print(
        "| planted | fitted by | intervals cover | least error left out | its family has it | "
        "or ties |"
    )
    print("|---|---|---|---|---|---|")
    for name in TRUTHS:
        for by in CRITERIA:
            print(planted(name, by, studies), flush=True)
