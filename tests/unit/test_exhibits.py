"""Tables to take away hold what their figures draw."""

from __future__ import annotations

import numpy as np

from sdcg_explorer.questions.individual_sessions.numbers import individual_sessions
from sdcg_explorer.questions.session_curves.numbers import session_curves
from sdcg_explorer.reading.samples import sample_studies
from sdcg_explorer.scoring.definition import Definition, Filters

STUDY = next(iter(sample_studies()))
ASKED = STUDY, Definition(b=3.0), Filters(topics=("A",))


def test_saw_tooth_has_its_interval_and_sessions() -> None:
    curves = session_curves(*ASKED, bands=True, saw=True)
    table = curves.table()
    for of in curves.curves:
        rows = table[(table["system"] == of.system) & (table["at_least"] == of.at_least)]
        assert of.saw is not None
        for column, drawn in (("saw_tooth", of.saw.mean), ("saw_tooth_low", of.saw.low)):
            assert np.array_equal(rows[column], drawn, equal_nan=True)
        assert np.array_equal(rows["saw_tooth_high"], of.saw.high, equal_nan=True)
        assert rows["sessions_saw_tooth"].tolist() == list(of.saw.sessions)


def test_sessions_of_all_systems_say_whose_they_are() -> None:
    table = individual_sessions(*ASKED).values()
    own = dict(zip(STUDY.sessions["session"], STUDY.sessions["system"].astype(str), strict=True))
    assert {*table["system"]} == {"System 1", "System 2"}
    assert table["system"].tolist() == [own[session] for session in table["session"]]
