"""What is set counts, however deep, or is refused by name: over the whole catalogue."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

import pytest

import workings
from workings import catalogue
from workings.derivation import Derivation
from workings.derivation.evaluation import needed_letters, value_of
from workings.errors import UserError
from workings.formula.exact import compare
from workings.formula.interval import rational
from workings.scenario import ScenarioError, load_scenario
from workings.units import ONE, parse_quantity
from workings.values.binding import bind
from workings.vocabulary import concepts

# Used results that cannot be set by their letter, and why.
REFUSED = {
    ("devices-for-lost-share", "phi_best"): "a share that is given no longer grows with the devices",
    ("data-parallel-degree", "n_w"): "a world that is given no longer holds the degree asked for",
    ("compute-optimal-parameters", "f_6"): "FLOPs that are given no longer hold the parameters",
    ("compute-optimal-tokens", "f_6"): "FLOPs that are given no longer hold the tokens",
    ("twelve-parameters-width", "e_12"): "a share that is given no longer holds the width",
    ("gated-ffn-width", "P_gated"): "parameters that are given no longer hold the width",
    ("tensor-parallel-needs-d-ff", "T_math"): "the width is in the compute alone",
    ("compute-bound-batch-gather", "T_math"): "the tokens are in the compute alone",
    ("tp-degree-for-link", "W_tp"): "a bandwidth that is given no longer holds the degree",
    ("devices-at-efficiency", "eta_s"): "an efficiency that is given no longer holds the devices",
    ("even-load-tokens", "v_E"): "a variance that is given no longer holds the tokens",
    ("experts-for-the-links", "V_fwd"): "the experts of a token are in these bytes alone",
    ("experts-for-the-links", "T"): "the tokens cancel on both sides",
    ("ring-beats-tree", "T_AR"): "the other side's rounds are rounded up, which SymPy does not solve",
    ("ulysses-sends-less", "V_ring"): "against fixed bytes the condition begins and ceases",
    ("compute-bound-attention-sequence", "I_pre"): "an intensity that is given no longer holds the "
    "sequence",
    ("tp-bandwidth-need", "P_blk"): "it stands in a bound beside the result alone",
    ("gather-or-reduce", "V_MR"): "the result's width is in these bytes alone",
    ("gather-or-scatter", "V_MS"): "the result's width is in these bytes alone",
    ("gather-weight-or-reduce", "V_MR"): "the tokens are in these bytes alone",
    ("outer-sharded-weight", "V_A"): "the tokens are in these bytes alone",
    ("linear-attention-state-context", "M_kv"): "the tokens are in these bytes alone",
    ("sum-hiding-width", "f"): "the inner width is in these FLOPs alone",
    ("sequences-in-batch", "B_tok"): "tokens that are given no longer hold the sequences",
    ("summing-beats-repeating", "f"): "the inner width is in these FLOPs alone",
    ("two-axes-devices", "V_best"): "the devices are in these bytes alone",
    ("weight-gathered-tokens", "V_2D"): "the tokens are in these bytes alone",
}


def _decimals(what: Derivation) -> Iterator[dict[str, Fraction]]:
    """Points that the conditions allow, in numbers that settings can write."""
    for first, count in ((2, 24), (24, 240)):  # the second are rarely wanted
        for point in islice(what.setting.points(count), first, None):
            values = {name: rational(point[name]) for name in point}
            if all(10**6 % values[name].denominator == 0 for name in what.letters):
                yield values


def _text(value: Fraction, unit: object) -> str:
    number = f"{value.numerator}" if value.denominator == 1 else f"{float(value):.9f}"
    return number if str(unit) == "1" else f"{number} {str(unit).replace('currency', 'USD')}"


def _silent(what: Derivation) -> set[str]:
    """The used results that leave the value as it is, wherever they are set to something else."""
    left = set(what.uses)
    for point in _decimals(what):
        for name in sorted(left):
            unit = what.uses[name].derivation.unit
            if any(_changed(what, point, name, _text(given, unit)) for given in _others(point[name])):
                left.discard(name)
        if not left:
            break
    return left


def _others(value: Fraction) -> tuple[Fraction, Fraction]:
    """A larger number and a smaller one, in few decimals."""
    return Fraction(round(2 * value + 1)), Fraction(round(value * 10**6) // 2, 10**6)


def _changed(what: Derivation, point: dict[str, Fraction], name: str, given: str) -> bool:
    letters = {n: point[n] for n in what.letters}
    try:
        bound = bind(what, None, {name: given})
        after = value_of(what, {**letters, **bound.values}, bound.pinned)
        return not compare(after, "=", value_of(what, letters))
    except UserError:
        return False


def test_a_used_result_that_is_set_changes_the_value_or_says_why_it_cannot() -> None:
    """Of every eleventh derivation; the second tier tries all."""
    assert {(what.id, name) for what in catalogue.every()[::11] for name in _silent(what)} <= set(REFUSED)


@pytest.mark.slow
def test_every_used_result_that_is_set_changes_the_value_or_says_why_it_cannot() -> None:
    silent = {(what.id, name) for what in catalogue.every() for name in _silent(what)}
    assert silent == set(REFUSED)
    assert len(REFUSED) <= sum(len(what.uses) for what in catalogue.every()) / 10


def test_the_line_that_is_worked_out_is_the_one_in_which_what_was_set_still_stands() -> None:
    found = workings.value("pipeline-bubble-total", at="gpt3-512", set={"beta": "0.1"})
    assert found.value == Fraction(1, 11)
    cost = workings.value("training-cost", at="llama3-405b-16k",
                          set={"T_dev": "2788000 h", "price": "2 USD/h"})  # fmt: skip
    assert cost.value == 2 * 2788000


def test_a_condition_that_no_line_solves_is_solved_at_its_numbers() -> None:
    settings = {"T_T": "1 ms", "X": "16", "Y": "4", "D": "16384", "F": "53248", "C": "460 TFLOP/s"}
    found = workings.value("compute-bound-batch-max", at="xxl-220b", set=settings)
    tokens = found.value  # 4 B D F / (X Y C) outlasts the slower of a gather and one millisecond
    assert 4 * tokens * 16384 * 53248 / (16 * 4 * 460 * 10**12) >= Fraction(1, 1000)


def test_a_letter_below_that_means_one_thing_is_heard_and_a_name_nobody_knows_is_refused() -> None:
    what, scenario = workings.get("training-cost"), load_scenario("llama3-405b-16k")
    assert workings.value("fsdp-smallest-n", at="xxl-220b", set={"P": "1,000", "A": "0 GB"}).value == 1
    with pytest.raises(ScenarioError, match=r"^--set mtbf: it changes nothing in training-cost"):
        bind(what, load_scenario("llama3-405b-16k", {"mtbf": "1 h"}), {"mtbf": "1 h"})
    with pytest.raises(ScenarioError, match=r"^--set prices: training-cost .* did you mean"):
        bind(what, scenario, {"prices": "7"})


def test_a_result_used_at_several_arguments_is_set_at_one_of_them_or_refused() -> None:
    what = workings.get("hierarchical-all-gather")  # over 4 nodes, then over the 8 devices of each
    given = {"N": "32", "n_node": "8", "S": "64 byte"}
    with pytest.raises(ScenarioError, match=r"ring-all-gather: .* ring-all-gather\(N=4, S=8 byte\)"):
        bind(what, None, {**given, "ring-all-gather": "1 byte"})
    whole = value_of(what, bind(what, None, given).values)
    bound = bind(what, None, {**given, "ring-all-gather(N=8)": "1 byte"})
    inside = Fraction(7, 8) * 64
    assert value_of(what, bound.values, bound.pinned) == rational(whole) - inside + 1
    with pytest.raises(ScenarioError, match=r"^--set ring-all-gather\(N=5\): it changes nothing"):
        bind(what, None, {**given, "ring-all-gather(N=5)": "1 byte"})


def test_a_setting_given_twice_under_two_names_is_refused() -> None:
    with pytest.raises(ScenarioError, match=r"^--set N_fsdp: found N set too, expected one of the two"):
        bind(workings.get("fsdp-memory"), None, {"N": "8", "N_fsdp": "16"})
    with pytest.raises(ScenarioError, match=r"^--set N_fsdp: found X set too, .* both are layout\.fsdp"):
        load_scenario("xxl-220b", {"X": "8", "N_fsdp": "16"})


def test_every_key_of_a_scenario_that_is_set_moves_a_letter_that_counts_or_is_refused() -> None:
    plain = load_scenario("llama3-70b-64")
    for concept in (c for c in concepts() if c.supplied in plain.values):
        text = "2" if concept.dimension == ONE else f"7 {concept.dimension}".replace("currency", "USD")
        if parse_quantity(text) == plain.values[concept.supplied or ""]:
            continue  # it says what was so before
        for what in catalogue.every()[::27]:
            try:
                before = bind(what, plain)
                after = bind(
                    what, load_scenario("llama3-70b-64", {concept.name: text}), {concept.name: text}
                )
            except UserError:
                continue
            needed = needed_letters(what)
            changed = [n for n in needed if before.values.get(n) != after.values.get(n)]
            assert changed or after.pinned, f"{what.id}: {concept.name}"
