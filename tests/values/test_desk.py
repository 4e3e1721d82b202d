"""Quantities as a source writes them: settings, formulas in braces, unit= and digits=."""

from fractions import Fraction
from pathlib import Path

import pytest

from workings.errors import UserError
from workings.formula import parse_expression
from workings.units import BYTE, ONE, SECOND, Format
from workings.values.desk import Desk


@pytest.fixture(scope="module")
def desk() -> Desk:
    return Desk("xxl-220b")


P = 2 * 126 * 16_384 * 53_248
STATE = Fraction(16 * P)


def shown(desk: Desk, text: str) -> str:
    return str(desk.measure(text).shown(Format()))


def test_an_id_is_its_value_at_the_scenario(desk: Desk) -> None:
    measured = desk.measure("model-state")
    assert (measured.value, measured.dimension) == (STATE, BYTE)


def test_settings_name_letters_concepts_and_used_results(desk: Desk) -> None:
    by_letter = desk.measure("fsdp-memory N=156").value
    assert by_letter == desk.measure("fsdp-memory N_fsdp=156").value
    assert desk.measure("fsdp-memory N=156 A='0 GB' S='156 GB'").value == 10**9


@pytest.mark.parametrize("quote", ["'", '"'])
def test_quotes_keep_the_space_before_a_unit(desk: Desk, quote: str) -> None:
    text = f"devices-for-state memory={quote}80 GB{quote}"
    assert desk.measure(text).value == -(-STATE // (80 * 10**9)) == 44


def test_a_setting_in_braces_is_worked_out_first(desk: Desk) -> None:
    assert (
        desk.measure("fsdp-memory N={fsdp-smallest-n}").value == desk.measure("fsdp-memory N=156").value
    )
    assert desk.settings_of("N={fsdp-smallest-n} c={block-input}") == {
        "N": "156", "c": f"{2 * 8192 * 16_384} byte",
    }  # fmt: skip


def test_a_setting_in_braces_must_come_out_whole(desk: Desk) -> None:
    with pytest.raises(UserError, match=r"^N=\{fsdp-fits\}: found 155\.\d+, expected a whole"):
        desk.measure("fsdp-memory N={fsdp-fits}")


def test_braces_hold_values_of_a_formula(desk: Desk) -> None:
    assert desk.measure("{model-state}/2 + {model-state} / 2").value == STATE
    assert desk.measure("{model-state}/1[GB]").dimension == ONE
    assert desk.measure("4[byte]*{ffn-parameters}").value == 4 * P
    assert desk.measure("{forward-compute-time batch=16}").dimension == SECOND


def test_braces_keep_their_own_settings(desk: Desk) -> None:
    both = desk.measure("{fsdp-memory N=2} - {fsdp-memory N=3}").value
    apart = desk.measure("fsdp-memory N=2").value - desk.measure("fsdp-memory N=3").value
    assert both == apart


def test_a_setting_in_braces_may_be_a_value_in_braces(desk: Desk) -> None:
    nested = desk.measure("{memory} - {fsdp-memory N={fsdp-smallest-n}}").value
    assert nested == desk.measure("95[GB] - {fsdp-memory N=156}").value


def test_units_digits_and_decimals_choose_how_it_is_shown(desk: Desk) -> None:
    assert shown(desk, "model-state") == "3,518 GB"
    assert shown(desk, "model-state unit=TB digits=2") == "3.5 TB"
    assert shown(desk, "model-state unit=GiB") == "3,276 GiB"
    assert shown(desk, "model-state decimals=3") == "3,517.578 GB"
    assert shown(desk, "saved-activations tokens=1 unit=byte digits=8") == "17,547,264 bytes"
    assert shown(desk, "model-state decimals=0") == "3,518 GB"


def test_showing_does_not_change_the_value(desk: Desk) -> None:
    assert desk.measure("model-state unit=TB digits=1").value == STATE


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "found nothing, expected a derivation's id or a formula"),
        ("   ", "found nothing"),
        ("digits=3", "found nothing"),
        ("model-stat", "no derivation 'model-stat', did you mean model-state or"),
        ("model-state N", "found 'N', expected NAME=VALUE"),
        ("model-state Z=1", "--set Z: model-state knows no such name"),
        ("model-state unit=s", "unit=s: the value is in byte"),
        ("model-state unit=furlong", "found 'furlong', expected a unit such as GB"),
        ("model-state digits=0", "digits: found '0', expected 1 to 30"),
        ("model-state digits=31", "digits: found '31', expected 1 to 30"),
        ("model-state decimals=x", "decimals: found 'x', expected 0 to 30"),
        ("model-state digits=²", "digits: found '²', expected 1 to 30"),
        ("{model-state", "expected quotes and braces in pairs"),
        ("model-state}", "expected quotes and braces in pairs"),
        ("{fsdp-memory N={{fsdp-smallest-n}}}", "expected quotes and braces in pairs"),
        ('model-state L="3', "expected quotes and braces in pairs"),
        ("{model-state} +", "found"),
        ("{model-state} + 3", "{model-state} is in byte but 3 is in 1"),
        ("{model-state} + {forward-compute-time}", "is in byte but {forward-compute-time} is in s"),
        ("{model-state}/0", "division by zero"),
        ("{model-state}*N", "no value for the letter N"),
        ("{model-state} + __import__", "expected a number, letter or operator"),
        ("compute-bound-batch-max X=1 Y=64", "compute-bound-batch-max does not apply: it needs"),
        ("{compute-bound-batch-max X=1 Y=64}/2", "does not apply"),
    ],
)
def test_what_cannot_be_worked_out_is_said_in_one_sentence(desk: Desk, text: str, problem: str) -> None:
    with pytest.raises(UserError) as caught:
        desk.measure(text).shown(Format())
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "q_0" not in str(caught.value)  # our own name for what stands in braces


def test_without_a_scenario_every_letter_must_be_set() -> None:
    desk = Desk(None)
    with pytest.raises(UserError, match="set blocks"):
        desk.measure("ffn-parameters D=2 F=3")
    assert desk.measure("ffn-parameters D=2 F=3 L=5").value == 60


def test_at_names_another_scenario_for_one_quantity(desk: Desk) -> None:
    assert desk.measure("world-size at=gpt3-512").value == 512
    assert desk.measure("{world-size at=gpt3-512} + {world-size at=moe-1024}").value == 1536
    assert desk.measure("world-size at=gpt3-512 p=4").value == 256
    assert desk.measure("world-size", {"at": "gpt3-512"}).value == 512


def test_at_works_without_a_scenario_and_beside_a_document(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(
        '[model]\npreset = "xxl-ffn"\n[hardware]\npreset = "h100-sxm"\n[layout]\ntp = 4\n'
        "[training]\nbatch = 1\nsequence_length = 8\n"
    )
    desk = Desk(None, str(tmp_path))
    assert desk.measure("world-size at=mine.toml").value == 4
    with pytest.raises(UserError, match="no-such"):
        desk.measure("world-size at=no-such")


@pytest.mark.parametrize(
    ("text", "worked"),
    [
        ("devices-for-state memory='80 GB'", "ceil(3518[GB]/80[GB])"),
        ("4[byte]*{ffn-parameters} unit=TB", "4[byte]*219848638464"),
        ("{model-state}/{saved-activations}", "3518[GB]/143.7[GB]"),
    ],
)
def test_the_numbers_behind_a_quantity_are_one_formula(desk: Desk, text: str, worked: str) -> None:
    assert desk.workings_of(text, Format()) == parse_expression(worked)
