"""Symbolic = substituted = value: what is printed can be recomputed by hand."""

from fractions import Fraction
from functools import cache
from itertools import islice

import pytest
from looping import each

from workings import catalogue
from workings.derivation import Derivation, derivation
from workings.derivation.evaluation import DoesNotApplyError
from workings.formula import DoesNotEvaluateError, evaluate, names_in, parse_expression, plain
from workings.formula.interval import rational
from workings.scenario import load_scenario
from workings.units import BYTE, ONE, SECOND, Format, parse_unit, show
from workings.values.worked import Worked, work
from workings.vocabulary.collectives import MESSAGE, TIME
from workings.vocabulary.training import TOKENS

SETTINGS = {"group": "8", "message": "100 GB", "k": "21", "p": "6", "m": "16",
            "kept_input": "0.5 GB", "kept_block": "3 GB", "X_real": "3.5"}  # fmt: skip
SCENARIO = load_scenario("xxl-220b")
STYLES = [
    Format(),
    Format(fit=True),
    Format(units=("GiB", "ms"), digits=3),
    Format(decimals=2),
    Format(digits=6),
]


def worked(what: Derivation, style: Format) -> Worked:
    """At the scenario; where that lacks a letter or does not apply, at an awkward point."""
    known = {n: t for n, t in SETTINGS.items() if _means(what, n)}
    try:
        return work(what, SCENARIO, known, style)
    except (DoesNotEvaluateError, DoesNotApplyError):
        return work(what, None, _somewhere(what.id), style)


def _means(what: Derivation, name: str) -> bool:
    return any(name in (letter, what.letters[letter].name) for letter in what.needed)


@cache
def _somewhere(id_: str) -> dict[str, str]:
    """A point that the conditions allow, as settings of whole numbers and decimals."""
    what = catalogue.get(id_)
    for point in (point for few in (6, 96) for point in islice(what.setting.points(few), 2, None)):
        values = {name: rational(point[name]) for name in what.needed}
        if all(10**6 % v.denominator == 0 for v in values.values()):
            return {name: f"{float(v):.6f} {_unit(what, name)}" for name, v in values.items()}
    raise AssertionError(f"{what.id} has no point of plain decimals")


def _unit(what: Derivation, name: str) -> str:
    unit = str(what.letters[name].dimension).replace("currency", "USD")
    return "" if unit == "1" else unit


@each("what", catalogue.every(), ids=lambda d: d.id)
def test_the_printed_line_recomputed_by_hand_rounds_to_the_printed_result(what: Derivation) -> None:
    rounds_to_the_printed_result(what, STYLES[0])


@pytest.mark.slow
@each("style", STYLES[1:], ids=str)
@each("what", catalogue.every(), ids=lambda d: d.id)
def test_so_it_does_in_other_units_and_to_other_digits(what: Derivation, style: Format) -> None:
    rounds_to_the_printed_result(what, style)


def rounds_to_the_printed_result(what: Derivation, style: Format) -> None:
    found = worked(what, style)
    again = parse_expression(plain(found.substituted))
    assert not names_in(again)
    recomputed = rational(evaluate(again, {}))
    unit = parse_unit(found.shown.unit)
    assert show(recomputed, unit, style).value == found.shown.value


@each("what", catalogue.every(), ids=lambda d: d.id)
def test_an_equals_sign_is_claimed_only_where_every_number_is_exact(what: Derivation) -> None:
    found = worked(what, Format())
    if found.exact_inputs and found.exact:
        assert evaluate(found.substituted, {}) == found.value
    if found.exact:
        assert found.shown.value == found.value


def test_a_line_is_symbolic_then_substituted_then_a_value() -> None:
    found = work(catalogue.get("ring-all-reduce"), None, {"N": "8", "S": "100 GB"})
    assert plain(found.symbolic) == "2*(N - 1)/N*S"
    assert plain(found.substituted) == "2*(8 - 1)/8*100[GB]"
    assert (str(found.shown), found.exact, found.exact_inputs) == ("175 GB", True, True)
    assert [(i.letter, str(i.shown)) for i in found.inputs] == [("N", "8"), ("S", "100 GB")]


def test_used_results_are_put_in_as_values_with_their_title() -> None:
    found = work(catalogue.get("fsdp-memory"), SCENARIO, {"N": "156"})
    assert plain(found.substituted) == "(3,517.6[GB] + 143.75[GB]/2)/156 + 143.75[GB]/2"
    titles = {i.letter: i.meaning for i in found.inputs}
    assert titles["S"] == "Model state of a feed-forward model: weights, gradients, AdamW moments"
    assert not found.exact


def test_inputs_show_more_digits_where_the_result_needs_them() -> None:
    found = work(catalogue.get("fsdp-memory"), SCENARIO, {"N": "156"})
    coarse = parse_expression("(3,518[GB] + 143.7[GB]/2)/156 + 143.7[GB]/2")
    assert show(rational(evaluate(coarse, {})), parse_unit("GB"), Format()).number != "94.88"
    assert found.shown.number == "94.88"


def test_widths_are_shown_in_bytes_whatever_the_prefix_of_the_document() -> None:
    found = work(catalogue.get("saved-activations"), SCENARIO, {}, Format(units=("TB",)))
    width = next(i for i in found.inputs if i.letter == "a")
    assert str(width.shown) == "2 bytes"
    assert found.shown.unit == "TB"


def test_a_result_per_second_can_be_shown_too() -> None:
    what = derivation(
        "rate", title="Tokens a second", unit=ONE / SECOND, letters={"B": TOKENS, "T": TIME},
        source=catalogue.get("matmul-flops").source, oracle=lambda B, T: B / T,  # noqa: N803
        chain="r = B/T -- tokens over time",
    )  # fmt: skip
    found = work(what, None, {"B": "100", "T": "4 s"})
    assert str(found.shown) == "25 1/s"
    assert plain(found.substituted) == "100/4[s]"


def test_what_is_counted_a_second_is_said_with_the_number() -> None:
    found = work(catalogue.get("throughput-from-step-time"), None, {"B": "16777216", "T_s": "10 s"})
    assert (found.said, found.rate) == ("1,678,000 tokens/s", "tokens/s")
    assert repr(found) == "throughput-from-step-time ≈ 1,678,000 tokens/s"
    assert r"&\approx 1{,}678{,}000\,\text{tokens/s}" in found._repr_latex_()
    assert str(found.shown) == "1,678,000 1/s"  # what programs read


def test_what_is_no_rate_has_its_unit_alone() -> None:
    devices = work(catalogue.get("devices-for-state"), SCENARIO, {"M_max": "80 GB"})
    assert (devices.derivation.noun, devices.rate, devices.said) == ("devices", None, "44")
    memory = work(catalogue.get("model-state"), SCENARIO, {})
    assert (memory.rate, memory.said) == (None, "3,518 GB")


def test_every_result_a_second_says_what_is_counted() -> None:
    rates = [what for what in catalogue.every() if what.unit == ONE / SECOND]
    assert len(rates) >= 8
    assert [what.id for what in rates if not what.noun] == []


def test_what_is_missing_or_does_not_apply_is_said_and_not_guessed() -> None:
    ring = catalogue.get("ring-all-reduce")
    with pytest.raises(DoesNotEvaluateError, match=r"needs N \(ranks in the group\): set group"):
        work(ring, None, {"S": "1 GB"})
    with pytest.raises(DoesNotApplyError, match="needs L to be divisible by k"):
        work(catalogue.get("checkpoint-memory"), SCENARIO, {"k": "5"})


def test_an_irrational_result_is_never_exact() -> None:
    what = derivation(
        "root", title="A root", unit=BYTE, letters={"S": MESSAGE}, oracle=lambda S: S,  # noqa: N803
        source=catalogue.get("matmul-flops").source, chain="V = sqrt(S^2*2)",
    )  # fmt: skip
    found = work(what, None, {"S": "1 GB"})
    assert (found.shown.number, found.exact) == ("1.414", False)
    assert abs(found.value**2 / 10**18 - 2) < Fraction(1, 10**50)
    assert work(what, None, {"S": "0.5 GB"}).shown.number == "0.7071"
