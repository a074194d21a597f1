"""That a search ends when enough was found is not said where a script or a budget ended it."""

from __future__ import annotations

from dataclasses import replace

from sdcg_explorer.questions.query_order import words
from sdcg_explorer.questions.query_order.numbers import ENDS_GIVEN, last_against_others, query_order
from sdcg_explorer.scoring.definition import Definition, Filters
from tests.support.plain_files import study_of
from tests.unit.test_last_queries_in_words import sentences, study

LINEAR = Definition(weights="linear")


def test_who_did_not_choose_the_end_is_not_said_to_have_found_enough_or_given_up() -> None:
    alike, not_alike = [("A", "p", "13"), ("A", "q", "31")], [("A", "p", "13"), ("A", "q", "311")]
    assert words.CAVEAT not in sentences(*alike)
    assert words.CAVEAT in sentences(*alike[:1])  # a length that is nobody's rule
    for name in ("", "note", *ENDS_GIVEN, ENDS_GIVEN[0].upper()):
        log = study_of(study(*not_alike))
        log = replace(log, queries=log.queries.assign(**{name: 5})) if name else log
        for filters in (Filters(), Filters(max_queries=2)):
            shown = last_against_others(log, LINEAR, filters)
            assert (words.CAVEAT in words.sentences(shown)) == (name in ("", "note"))
            order = query_order(log, LINEAR, filters)
            assert (words.CAVEAT in words.advice(order)) == (name in ("", "note"))
