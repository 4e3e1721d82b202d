"""Solving for a letter: the first whole number that will do, or exact ranges, or none and why."""

from fractions import Fraction

import pytest

import workings
from workings import catalogue
from workings.derivation.evaluation import DoesNotApplyError
from workings.formula import FormulaError, plain
from workings.scenario import ScenarioError, load_scenario, scenario_named
from workings.units import parse_quantity
from workings.values.solved import Solution
from workings.values.solving import closed_forms, solve
from workings.values.trying import crossing
from workings.values.worked import work

XXL = load_scenario("xxl-220b")


def at_xxl(id_: str, condition: str, letter: str, **settings: str) -> Solution:
    return solve(catalogue.get(id_), condition, letter, XXL, settings)


def keeps(id_: str, condition: str, letter: str, value: int, **settings: str) -> bool:
    """Asked of `work`, one number at a time."""
    relation, limit = condition.split(" ", 1)
    try:
        there = work(catalogue.get(id_), XXL, {**settings, letter: str(value)}).value
    except DoesNotApplyError:
        return False
    bound = parse_quantity(limit).value
    return {"<": there < bound, "<=": there <= bound, ">": there > bound, ">=": there >= bound}[relation]


def applies(id_: str, letter: str, value: int, **settings: str) -> bool:
    try:
        work(catalogue.get(id_), XXL, {**settings, letter: str(value)})
    except DoesNotApplyError:
        return False
    return True


@pytest.mark.parametrize(
    ("id_", "condition", "letter"),
    [
        ("fsdp-memory", "< 95 GB", "N"),
        ("fsdp-memory", "<= 95 GB", "N"),
        ("fsdp-memory", "< 95 GB", "L"),
        ("fsdp-memory", "> 95 GB", "L"),
        ("accumulation-activations", "< 10 GB", "m"),
        ("accumulation-activations", "< 7 GB", "m"),
        ("accumulation-activations", "< 1 GB", "m"),
        ("checkpoint-memory", "< 12.6 GB", "k"),
        ("checkpoint-memory", "< 13 GB", "k"),
        ("checkpoint-memory", "< 12 GB", "k"),
        ("checkpoint-memory", "> 33 GB", "k"),
        ("ring-all-reduce", "> 1.9 GB", "N"),
        ("ring-all-reduce", ">= 1.75 GB", "N"),
        ("ring-all-reduce", "< 1 GB", "N"),
        ("pipeline-bubble", "< 0.1", "m"),
        ("compute-bound-batch-max", "> 10000", "X"),
    ],
)
def test_the_number_found_is_the_first_that_keeps_the_condition_or_the_last_where_small_ones_do(
    id_: str, condition: str, letter: str
) -> None:
    """Asked of every number up to 2,100: the last one where all that keep it come before all others."""
    settings = {"S": "1 GB"} if id_ == "ring-all-reduce" else {}
    settings |= {"p": "8"} if id_ == "pipeline-bubble" else {}
    found = at_xxl(id_, condition, letter, **settings).at
    asked = [n for n in range(1, 2100) if applies(id_, letter, n, **settings)]
    kept = [n for n in asked if keeps(id_, condition, letter, n, **settings)]
    from_below = 0 < len(kept) < len(asked) and kept == asked[: len(kept)]
    assert found == (kept[-1] if from_below else kept[0] if kept else None)


def test_the_value_there_and_one_before_are_given() -> None:
    found = at_xxl("fsdp-memory", "< 95 GB", "N_fsdp")
    assert (found.letter, found.relation) == ("N", "<")
    assert found.limit == 95 * 10**9
    assert found.at == 156
    assert found.value_at == work(catalogue.get("fsdp-memory"), XXL, {"N": "156"}).value
    assert found.value_before == work(catalogue.get("fsdp-memory"), XXL, {"N": "155"}).value


def test_both_sides_of_a_limit_are_in_its_unit() -> None:
    given = {"model": "llama3-8b", "batch": "1", "cache_width": "2 byte"}
    short = workings.solve("kv-cache-bytes", "< 500 kB", letter="s", set=given)
    assert short.at == 3  # 131,072 bytes a token
    assert short.limit_shown == "500 kB"
    assert repr(short).endswith(": s = 3 gives 393.216 kB, 4 gives 524.288 kB")
    long = workings.solve("kv-cache-bytes", ">= 0.1 GB", letter="s", set=given)
    assert repr(long).endswith("s = 763 gives 0.100008 GB, 762 gives 0.0998769 GB")


def test_none_names_the_term_that_stays_too_large() -> None:
    found = at_xxl("fsdp-memory", "< 70 GB", "N")
    assert found.at is None
    assert found.why == "A/2 stays whatever N is"
    bound = at_xxl("checkpoint-memory", "< 1 GB", "k")
    kept = {k: work(catalogue.get("checkpoint-memory"), XXL, {"k": str(k)}).value
            for k in range(1, 127) if 126 % k == 0}  # fmt: skip
    least = min(kept, key=lambda k: kept[k])
    assert bound.at is None
    assert bound.why.startswith(
        "no value of k keeps the condition: only k with which k divides L was tried"
    )
    assert bound.why.endswith(f"{float(kept[least] / 10**9):.4f} GB, at k = {least}")


def test_a_letter_that_must_divide_says_what_was_tried() -> None:
    found = solve(
        catalogue.get("block-activations-llama-mesh"), "< 1 MB", "t", load_scenario("llama3-8b-8")
    )
    assert found.why == (
        "no value of t keeps the condition: only t with which t divides H and t divides F and t "
        "divides s was tried, and the least reached is 38.8301 MB, at t = 32"
    )


def test_a_count_that_is_bounded_from_above_gets_the_largest_and_the_first_that_is_too_large() -> None:
    given = {"price": "2 USD/h", "u": "0.4", "gamma": "0.9"}
    cost, scenario = catalogue.get("training-cost-goodput"), load_scenario("gpt3-512", given)
    found = solve(cost, "<= 3000000 USD", "T_tok", scenario, given)
    assert found.at is not None
    for tokens, dear in ((found.at, False), (found.at + 1, True)):
        there = work(cost, scenario, {**given, "T_tok": str(tokens)}).value
        assert (there > 3_000_000) == dear
    blocks = at_xxl("fsdp-memory", "< 95 GB", "L")
    assert [blocks.at, blocks.after] == [40, 42]  # every second block is sharded: 41 is none
    both = at_xxl("checkpoint-memory", "> 33 GB", "k")  # few segments and many
    assert both.after is None
    assert "and from" in both.notices[0]


def test_a_concept_or_a_key_is_solved_for_and_what_it_is_as_a_setting_is_said() -> None:
    zero, scenario = catalogue.get("zero-3-state"), load_scenario("gpt3-512")
    plain_answer = solve(zero, "< 3 GB", "N", scenario)
    for name in ("N_fsdp", "fsdp", "layout.fsdp", "zero_3_state_ranks"):
        found = solve(zero, "< 3 GB", name, scenario)
        assert (found.letter, found.at) == ("N", plain_answer.at), name
    found = solve(zero, "< 3 GB", "N_fsdp", scenario)
    assert found.notices[0].startswith("N_fsdp is N here: ranks that share the state of a parameter")
    assert "N alone is found; N_fsdp=17 in the scenario is refused" in found.notices[1]


def test_a_letter_that_is_no_count_gets_exact_ranges() -> None:
    found = at_xxl("ring-all-reduce", "< 3 GB", "S", N="8")
    assert found.ranges == ((Fraction(0), Fraction(3 * 10**9) / Fraction(7, 4)),)
    above = at_xxl("ring-all-reduce", "> 3 GB", "S", N="8")
    assert above.ranges == ((Fraction(3 * 10**9) / Fraction(7, 4), None),)
    least = at_xxl("compute-to-transfer", "> 1", "W")
    ((low, high),) = least.ranges
    assert high is None
    ratio = catalogue.get("compute-to-transfer")
    assert work(ratio, XXL, {"W": f"{int(low) + 1} byte/s"}).value > 1
    assert work(ratio, XXL, {"W": f"{int(low)} byte/s"}).value <= 1


@pytest.mark.parametrize(
    ("condition", "letter", "message"),
    [
        ("95 GB", "N", "condition: found '95 GB', expected one such as '< 95 GB'"),
        ("= 95 GB", "N", "condition: found '= 95 GB', expected one such as"),
        ("< 95", "N", "condition: found '95', expected a quantity in byte"),
        ("< GB", "N", "condition: found 'GB', expected a number"),
        ("< 95 GB/s", "N", "condition: found '95 GB/s', expected a quantity in byte"),
        ("", "N", "condition: found '', expected one such as"),
        ("< 95 GB", "Q", r"--for Q: fsdp-memory does not depend on it: it takes .*N \(N_fsdp: devices"),
        ("< 95 GB", "S", r"--for S: fsdp-memory does not depend on it: it takes .*N \(N_fsdp: devices"),
    ],
)
def test_what_cannot_be_asked_is_one_sentence(condition: str, letter: str, message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        at_xxl("fsdp-memory", condition, letter)


def test_a_letter_without_a_value_is_named() -> None:
    with pytest.raises(ScenarioError, match=r"ring-all-reduce needs N .*: set group"):
        solve(catalogue.get("ring-all-reduce"), "< 3 GB", "S", None)


@pytest.mark.parametrize(
    ("id_", "letter", "forms"),
    [
        ("fsdp-memory", "N", ["(2*S + A)/(2*M - A)"]),
        ("ring-all-reduce", "N", ["2*S/(2*S - V)"]),
        ("checkpoint-optimum", "L", ["(A_best + c)^2/(4*c*e)"]),
    ],
)
def test_a_result_is_solved_for_any_letter_in_closed_form(
    id_: str, letter: str, forms: list[str]
) -> None:
    assert [plain(form) for form in closed_forms(catalogue.get(id_), letter)] == forms


@pytest.mark.parametrize(
    ("id_", "letter", "message"),
    [
        ("fsdp-fits", "N", "fsdp-fits is a condition, already solved for N"),
        ("recompute-overhead", "k", "recompute-overhead: no positive solution for k"),
        ("devices-for-state", "M_max", "devices-for-state: SymPy cannot solve it for M_max"),
        ("fsdp-memory", "Q", "Q is not a letter here"),
    ],
)
def test_what_has_no_closed_form_says_why(id_: str, letter: str, message: str) -> None:
    with pytest.raises(FormulaError, match=f"^{message}"):
        closed_forms(catalogue.get(id_), letter)


def test_a_ceiling_is_not_solved_through() -> None:
    with pytest.raises(
        FormulaError, match=r"^devices-for-state: cannot be solved through ceil.*, expected"
    ):
        at_xxl("devices-for-state", "< 44", "M_max")


MIXTURE = {"model": "mixtral-8x7b", "hardware": "h200-sxm", "tp": "2", "sequence_length": "8192",
           "served_width": "bf16", "cache_width": "bf16"}  # fmt: skip


def step_time(batch: int) -> Fraction:
    what, settings = catalogue.get("moe-decode-step-time"), {**MIXTURE, "batch": str(batch)}
    return work(what, scenario_named(None, settings), settings).value


@pytest.mark.parametrize("limit", ["5 ms", "20 ms", "200 ms"])
def test_where_no_closed_form_says_it_whole_numbers_are_tried(limit: str) -> None:
    what = catalogue.get("moe-decode-step-time")
    found = solve(what, f"< {limit}", "batch", scenario_named(None, MIXTURE), MIXTURE)
    seconds = Fraction(int(limit.split(maxsplit=1)[0]), 1000)
    assert found.at is not None
    assert step_time(int(found.at)) < seconds <= step_time(int(found.at) + 1)
    assert any("Found by trying: the result rises" in said for said in found.notices)


def test_a_result_that_neither_rises_nor_falls_throughout_is_not_tried_out() -> None:
    values = {at: Fraction(at % 7 + at // 8) for at in map(Fraction, range(1, 300))}
    assert crossing(values.get, lambda value: value < 9) is None


def test_a_limit_that_is_crossed_nowhere_in_reach_is_said_to_be_so() -> None:
    what = catalogue.get("moe-decode-step-time")
    found = solve(what, "< 1 h", "batch", scenario_named(None, MIXTURE), MIXTURE)
    assert any("crosses the limit nowhere up to" in said for said in found.notices)
    assert not any("is taken to do so" in said for said in found.notices)


def test_what_is_solved_by_trying_says_too_that_it_does_not_fit() -> None:
    what = catalogue.get("moe-decode-step-time")
    found = solve(what, "< 200 ms", "batch", scenario_named(None, MIXTURE), MIXTURE)
    assert any("sequences do not fit" in said for said in found.notices)
