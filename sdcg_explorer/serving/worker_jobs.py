"""What a server for several does in processes beside it: reading, and questions that take long.

The launcher says by SDCG_WORKERS how many there are; without it, as for one person, all is done
where it is asked (decision 110).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType

from sdcg_explorer.serving.turns import Asker
from sdcg_explorer.serving.upload_gate import visitor
from sdcg_explorer.serving.workers import Workers
from sdcg_explorer.study.study import Study

QUICK_RESULTS = 100_000  # results up to which a question is answered in 0.2 s on one core
FEWER = {  # of what takes longer: systems compared in full, fits, resampling, many definitions
    "compare_systems": 20_000,
    "residuals": 20_000,
    "cost": 20_000,
    "cost_points": 10_000,
    "robustness": 10_000,
    "all_definitions": 0,
    "agreement": 10_000,
    "fit": 0,
    "agreement_map": 0,
}
COUNT = int(os.environ.get("SDCG_WORKERS", "0"))
WORKERS = Workers(COUNT) if COUNT else None  # none is started before it is needed


def reading(
    function: Callable[..., Any],
    *args: Any,
    where: str,
    size: int,
    said: Callable[[str], None] | None = None,
    **named: Any,
) -> Any:
    """What a function reads of a visitor's files: in a process of its own, if the server has any.

    Parameters
    ----------
    where : what is named where the process had to be ended · size : bytes that are read · said :
        hears of each step

    Raises
    ------
    UnusableInputError : the files can't be read, or reading them takes too much
    """
    if WORKERS:
        job: dict[str, Any] = {"where": where, "said": said, "named": named}
        return WORKERS.run_once(function, *args, **job, asker=Asker(visitor(), size, is_waiting()))
    return function(*args, **named, **({"said": said} if said else {}))


def is_waiting() -> Callable[[], bool]:
    """Whether this script still runs on, to be asked from any thread.

    Once its page is left, or asked for something else, what it waits for is lost.
    """
    context = get_script_run_ctx()
    requests = context.script_requests if context else None
    return lambda: requests is None or requests._state is ScriptRequestType.CONTINUE


def answered(question: Callable[..., Any], study: Study, *args: Any, **choices: Any) -> Any:
    """Answer to a question about a study.

    Raises
    ------
    UnusableInputError : it takes too long or too much memory
    """
    if not WORKERS or not takes_long(question, study):
        return question(study, *args, **choices)
    held = f"{study.digest} {study.name} {study.note}", study
    return WORKERS.run(question, *args, where="This study", held=held, named=choices)


def takes_long(question: Callable[..., Any], study: Study) -> bool:
    """Whether an answer may take more than 0.2 s, by the question and the size of the study."""
    return study.rows > FEWER.get(question.__name__, QUICK_RESULTS)
