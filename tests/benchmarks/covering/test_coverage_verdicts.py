"""What is said of a published formula is what both sides come to, or is named."""

from pathlib import Path

import pytest
from covered import WEIGHTS, faults, judge, kept, listed
from covering.lists import matches_of
from covering.points import POINTS, values_at
from covering.sides import Sides

from workings.errors import UserError

WRONG = WEIGHTS.replace('"agrees"', '"source wrong"\nwhy = "It counts gradients too."')
NEARLY = """
[[match]]
formula = "weights"
entry = "ring-all-reduce"
says = "2 * Psi"
set = { S = "Psi", N = "n" }
at = { n = "100" }
verdict = "approximates"
within = "0.02"
why = "The source drops (n - 1)/n."
"""
SUM_OF = "2 * Psi; 4 * Psi"
SUM = """
[[match]]
formula = "weights"
entries = { one = "weights-bytes", other = "weights-bytes" }
ours = "one + other"
says = "6 * Psi"
set = { P = "Psi", one = { w = "2" }, other = { w = "4 B" } }
verdict = "agrees"
"""


def test_a_formula_that_agrees_at_every_point_is_passed_over(tmp_path: Path) -> None:
    assert faults(tmp_path, listed("weights"), WEIGHTS) == []


def test_a_verdict_that_is_not_so_is_named_with_a_point_and_both_values(tmp_path: Path) -> None:
    wrong = WEIGHTS.replace("2 * Psi", "2 * Psi + 1").replace("verdict", 'at = { Psi = "8" }\nverdict')
    source = listed("weights").replace("2 * Psi", "2 * Psi + 1")
    (said,) = faults(tmp_path, source, wrong)
    assert said == "weights: stated agrees, but at Psi = 8 the source has 17 and ours is 16"


def test_one_point_is_too_few_to_agree_at(tmp_path: Path) -> None:
    alone = WEIGHTS.replace("verdict", 'at = { Psi = "8" }\nverdict')
    (said,) = faults(tmp_path, listed("weights"), alone)
    assert "found one point to compare at" in said
    assert faults(tmp_path, listed("weights"), alone.replace('"8"', '["8", "12"]')) == []


def test_a_source_that_is_said_to_be_wrong_and_is_not_is_named(tmp_path: Path) -> None:
    (said,) = faults(tmp_path, listed("weights"), WRONG)
    assert "stated source wrong, but both sides are equal" in said
    assert faults(tmp_path, listed("weights"), WRONG.replace("2 * Psi", "4 * Psi")) == []


def test_a_dropped_term_is_within_what_is_stated_and_is_not_nothing(tmp_path: Path) -> None:
    found = judge(tmp_path, listed("weights"), NEARLY)
    assert found.faults == ()
    assert found.found["weights"].compared.apart * 99 == 1  # 1 - 99/100 over 99/100
    (said,) = faults(tmp_path, listed("weights"), NEARLY.replace("0.02", "0.01"))
    assert "stated within 0.01" in said
    (said,) = faults(tmp_path, listed("weights"), NEARLY.replace("2 * Psi", "2 * Psi * (n - 1)/n"))
    assert "both sides are equal" in said


def test_what_is_compared_is_what_the_list_says_or_has_a_why(tmp_path: Path) -> None:
    twice = WEIGHTS.replace("2 * Psi", "4 * Psi").replace('w = "2"', 'w = "4"')
    (said,) = faults(tmp_path, listed("weights"), twice)
    assert "which the list does not say (2 * Psi), without why" in said
    assert faults(tmp_path, listed("weights"), twice + 'why = "The list counts half of it."\n') == []
    for formula in ("S = 4 * Psi", "2 * Psi; 2 * Psi", "about 4 * Psi", "4 * P"):
        source = listed("weights").replace("2 * Psi", formula)
        assert faults(tmp_path, source, twice) == []
        assert judge(tmp_path, source, twice).found["weights"].compared.read == (formula[0] in "S2")


def test_several_entries_are_put_together_and_each_takes_its_own_settings(tmp_path: Path) -> None:
    source = listed("weights").replace("2 * Psi", SUM_OF)
    assert faults(tmp_path, source, SUM) == []
    (said,) = faults(tmp_path, source, SUM.replace('P = "Psi"', 'P = "Psi", H = "4"'))
    assert "found H, which none of the entries takes" in said


def test_points_that_are_drawn_obey_the_conditions_of_the_entry(tmp_path: Path) -> None:
    batch = WEIGHTS.replace("weights-bytes", "replica-microbatches").replace("2 * Psi", "Psi/(n*k)")
    batch = batch.replace('P = "Psi", w = "2"', 'b = "Psi", d = "n", b_m = "k"')
    (match,) = matches_of("paper", kept(tmp_path, listed("weights"), batch)) or ()
    found = list(values_at(Sides(match), "seed"))
    assert len(found) == POINTS
    for at in found:
        assert at.point["Psi"] % (at.point["n"] * at.point["k"]) == 0
        assert at.theirs == at.ours
    (said,) = faults(tmp_path, listed("weights"), batch.replace('"Psi", d', '"1/2", d'))
    assert "no point of" in said
    assert "expected a whole number" in said


def test_every_id_of_the_list_is_matched_once_and_in_its_order(tmp_path: Path) -> None:
    second = WEIGHTS.replace('"weights"', '"more"')
    both = listed("weights", "more")
    assert faults(tmp_path, both, WEIGHTS + second) == []
    assert faults(tmp_path, both, WEIGHTS) == ["more: found no matches of it, expected one"]
    assert "found 2 matches of it" in faults(tmp_path, listed("weights"), WEIGHTS * 2)[0]
    assert "expected an id of the list" in faults(tmp_path, listed("weights"), WEIGHTS + second)[0]
    assert "expected the order of the list" in faults(tmp_path, both, second + WEIGHTS)[0]


def test_a_verdict_has_beside_it_what_it_needs(tmp_path: Path) -> None:
    def said(match: str) -> str:
        return "\n".join(faults(tmp_path, listed("weights"), f'[[match]]\nformula = "weights"\n{match}'))

    assert "without need and needs" in said('verdict = "missing"')
    assert said('verdict = "missing"\nneed = "n"\nneeds = "An entry."') == ""
    assert "left out without why" in said('verdict = "left out"')
    assert "without an entry" in said('verdict = "agrees"\nsays = "2"')
    assert "without says" in said('verdict = "agrees"\nentry = "weights-bytes"')
    assert "no derivation" in said('verdict = "part"\nentry = "weights-byte"\nwhy = "Half of it."')


def test_a_file_with_a_key_or_a_verdict_of_its_own_is_refused(tmp_path: Path) -> None:
    for match, why in (
        ("sets = 1", "found the key 'sets'"),
        ('verdict = "right"', "found the verdict 'right'"),
    ):
        kept(tmp_path, listed("weights"), f'[[match]]\nformula = "weights"\n{match}\n')
        with pytest.raises(UserError, match=why):
            matches_of("paper", tmp_path)
