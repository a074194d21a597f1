"""What holds for the other measures of docs/metrics.md, for any study."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sdcg_explorer.scoring.definition import Filters
from sdcg_explorer.scoring.measures import OTHER_MEASURES, measured
from sdcg_explorer.scoring.selection import select
from tests.support.plain_files import definition_of, study_of
from tests.support.plain_loop import Choices, PlainStudy, best_list
from tests.support.plain_other_measures import user_oriented
from tests.support.random_studies import choices, often, studies

ALL = Filters()
EXACT = 1e-9
USER_ORIENTED = ("coverage", "novelty", "relative_recall", "recall_effort")


def assert_close(ours: object, theirs: object) -> None:
    """Equal but for rounding, undefined in the same places."""
    np.testing.assert_allclose(
        np.asarray(ours, dtype=float), np.asarray(theirs, dtype=float), rtol=EXACT, atol=EXACT
    )


@often
@given(studies(), choices(), st.sampled_from((1, 2, 3, 7, 2.5)))
def test_expected_number_equals_plain_loop(
    plain: PlainStudy, chosen: Choices, expected: float
) -> None:
    ours = measured(select(study_of(plain), definition_of(chosen), ALL), OTHER_MEASURES, expected)
    for s, session in enumerate(plain.sessions):
        rows = user_oriented(session.queries, plain.judgments, chosen, expected)
        for q, (topic, _) in enumerate(session.queries):
            if any(best_list(topic, plain.judgments, chosen)):
                assert_close([ours[name][s, q] for name in USER_ORIENTED], [*rows[q].values()])
        assert np.isnan([ours[name][s, len(rows) :] for name in USER_ORIENTED]).all()
