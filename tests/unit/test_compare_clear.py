"""What is called clear: one sign throughout, several systems, and topics as the units."""

from __future__ import annotations

# differences of searchers 3, 4, 3, 4, 3, 4, 3: 24/7 ± 2.447 × √(2/7 / 7)
from sdcg_explorer.questions.compare_systems import words
from tests.unit.test_compare_sentences import compared

CLEAR = "1 A p* t × 7, 4 B p0 t, 5 B p1 t, 4 B p2 t, 5 B p3 t, 4 B p4 t, 5 B p5 t, 4 B p6 t"


def test_a_lead_is_clear_where_interval_and_p_both_say_so_and_has_one_sign() -> None:
    shown = compared(CLEAR)
    assert words.answer(shown) == (
        "B is ahead of A by 3.43 sDCG (95 % interval 2.93 to 3.92, p = .016)."
    )
    (pair,) = shown.pairs
    assert min(pair.difference, pair.low, pair.hedges_g) > 0
    assert pair.superiority == 1
    swapped = compared(CLEAR.translate(str.maketrans("AB", "ZA")))
    assert words.answer(swapped) == words.answer(shown).replace("of A", "of Z").replace(
        "B is", "A is"
    )
    assert max(swapped.pairs[0].difference, swapped.pairs[0].high, swapped.pairs[0].hedges_g) < 0
    assert swapped.pairs[0].superiority == 0


def test_of_three_systems_the_first_line_names_the_pairs_that_survive() -> None:
    third = ", ".join(f"{1 + i % 2} C p{i} t" for i in range(7))
    shown = compared(f"{CLEAR}, {third}")
    assert words.answer(shown) == (
        "B is ahead of A and C (by 3.43 and 3.00 sDCG, p = .047); A and C don't differ clearly."
    )
    over_all = " Test over all 3 systems: p < .001 (permutation, 10,000 arrangements)."
    assert words.behind(shown).endswith(over_all)
    assert (shown.clear, shown.clearest_place) == ((True, False, True), 0)
    higher = ", ".join(f"{8 + i % 2} C p{i} t" for i in range(7))
    assert words.answer(compared(f"{CLEAR}, {higher}")) == (
        "C is ahead of A and B (by 7.43 and 4.00 sDCG, p = .047), B of A (by 3.43 sDCG, p = .047)."
    )


PAIRED = "1 A - t, 3 B - t, 2 A - u, 5 B - u, 1 A - v, 2 B - v, 3 A - w, 6 B - w, 9 A - x"


def test_topics_are_the_units_where_systems_share_them_one_session_each() -> None:
    for study in (PAIRED, PAIRED.replace("A -", "A p").replace("B -", "B q")):
        shown = compared(study)
        (pair,) = shown.pairs  # differences 2, 3, 1, 3: 2.25 ± 3.182 × √(11/12 / 4)
        assert (pair.design, pair.units, pair.apart) == ("paired by topic", 4, 1)
        assert (round(pair.difference, 2), round(pair.low, 3), pair.p_permutation) == (
            *(2.25, 0.727),
            2 / 16,
        )
        assert words.details(shown)[0] == (
            "Paired by topic: each of 4 topics has one session with each system; no searcher used "
            "both. 1 session on topics of only one system is left out. Topics are the sample, so "
            "the result speaks for topics like these."
        )
        assert "too few topics to rely on a permutation test" in words.details(shown)[1]
    assert [said for said in words.advice(shown) if said.startswith("Only one searcher")] == [
        f"Only one searcher used {system}, so its effect can't be separated from that searcher's."
        for system in "AB"
    ]


def test_topics_are_no_units_where_searchers_made_several_sessions() -> None:
    shown = compared("1 A p t, 3 B q t, 2 A p u, 5 B q u, 1 A r v, 2 B s v, 3 A r w, 6 B s w")
    assert shown.pairs[0].design == "between"
