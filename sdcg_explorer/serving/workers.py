"""What a server for several computes in processes beside it: questions that take long."""

import os
from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

from sdcg_explorer.reading.worker import Bounds, Job, Workers
from sdcg_explorer.study.study import Study

Choices = ParamSpec("Choices")
Result = TypeVar("Result")

QUICK_RESULTS = 100_000  # results up to which a question is answered in 0.2 s on one core
FEWER = {  # of what takes longer: systems compared in full, fits, resampling, many definitions
    **dict.fromkeys(("compare_systems", "residuals", "cost"), 20_000),
    **dict.fromkeys(("cost_points", "robustness", "agreement"), 10_000),
    **dict.fromkeys(("all_definitions", "fit", "agreement_map"), 0),
}
SMALLER = "Make it smaller, or run sDCG Explorer on a machine of your own, which has no such limit."
BOUNDS = Bounds(remedy=SMALLER)
ANSWERERS = Workers(2)


def answered(
    question: Callable[Concatenate[Study, Choices], Result],
    study: Study,
    *args: Choices.args,
    **choices: Choices.kwargs,
) -> Result:
    """Answer to a question about a study.

    Raises
    ------
    UnusableInputError : it takes too long or too much memory
    """
    if not (is_several() and takes_long(question, study)):
        return question(study, *args, **choices)
    held = f"{study.digest} {study.name} {study.note}", study
    return ANSWERERS.run(Job(question, args, choices, BOUNDS), "This study", held=held)


def is_several() -> bool:
    """Whether several people use this server, whom one's question could hold up."""
    return bool(os.environ.get("SDCG_MODE"))


def takes_long(question: Callable[..., object], study: Study) -> bool:
    """Whether an answer may take more than 0.2 s, by the question and the size of the study."""
    return len(study.results) > FEWER.get(question.__name__, QUICK_RESULTS)
