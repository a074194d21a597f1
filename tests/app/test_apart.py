"""Pages of a server for several, which reads and computes in processes beside it."""

import pickle
from typing import Any

import pytest

from sdcg_explorer.questions.compare_systems.numbers import compare_systems
from sdcg_explorer.questions.robustness.numbers import robustness
from sdcg_explorer.reading import read, worker
from sdcg_explorer.scoring.cache import RESULTS
from sdcg_explorer.scoring.definition import Definition, Filters
from sdcg_explorer.serving import workers
from tests.support.uploads import FILES, accepted, reasons, texts, upload


@pytest.mark.whole
def test_pages_answer_apart_as_they_do_here(monkeypatch: pytest.MonkeyPatch) -> None:
    RESULTS.clear()
    asked, run = set[str](), workers.ANSWERERS.run

    def noted(job: Any, *args: Any, **how: Any) -> Any:
        asked.add(job.function.__name__)
        return run(job, *args, **how)

    monkeypatch.setattr(workers.ANSWERERS, "run", noted)
    here = texts(accepted(FILES))
    assert asked == set()
    RESULTS.clear()
    monkeypatch.setattr(workers, "takes_long", lambda *_: True)
    monkeypatch.setattr(workers, "is_several", lambda: True)
    assert texts(accepted(FILES)) == here
    assert "overview" in asked
    workers.ANSWERERS.close()


@pytest.mark.parametrize(
    ("ask", "score"),
    [(compare_systems, "relevant_found"), (compare_systems, "srbp"), (robustness, "best")],
)
def test_an_answer_on_any_score_comes_back_from_another_process(ask: Any, score: str) -> None:
    found = ask(read.sample_studies()[0], Definition(), Filters(), score=score)
    back = pickle.loads(pickle.dumps(found))
    assert (back.measure.words, back.measure.unit) == (found.measure.words, found.measure.unit)


def test_what_takes_too_long_is_said_on_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "bounds_of", lambda _: worker.Bounds(0.001))
    (line,) = reasons(upload())
    assert "log.csv: not done after 0.001 s; what is read" in line or "judgments.csv: not" in line
