"""What the terminal shows: numbers with their units, in brackets where they would be misread."""

import pytest

import workings
from workings.formula import parse_expression
from workings.render.text import _numbers, worked_text


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        ("100[GB]/2 + 3[GB]", "100 GB/2 + 3 GB"),  # half of 100 GB, whichever way it is read
        ("64/11.7[ms]", "64/(11.7 ms)"),  # not 64/11.7, in milliseconds
        ("2*3[GB]", "2*3 GB"),
        ("989.4[TFLOP/s]/3350[GB/s]", "(989.4 TFLOP/s)/(3,350 GB/s)"),
        ("2*180[GB/s]*3", "2*(180 GB/s)*3"),
        ("5[GB] - 180[GB/s]", "5 GB - 180 GB/s"),
        ("1000000*2[USD/h]/685.2[1/s]", "1000000*(2 USD/h)/(685.2 1/s)"),
        ("max(1.3[ms], 11.7[ms])", "max(1.3 ms, 11.7 ms)"),
        ("ceil(95[GB]/80[GB])", "ceil(95 GB/(80 GB))"),
        ("8/2 + 7", "8/2 + 7"),
    ],
)
def test_a_measured_number_stands_in_brackets_in_a_quotient(formula: str, text: str) -> None:
    shown = _numbers(parse_expression(formula))
    assert shown.replace(",", "") == text.replace(",", "")


def test_an_answer_is_in_units_that_fit_and_a_rate_says_what_is_counted() -> None:
    served = {"model": "llama3-70b", "hardware": "h100-sxm", "tp": 8, "batch": 64,
              "sequence_length": 8192, "served_width": "2 byte", "cache_width": "2 byte"}  # fmt: skip
    lines = worked_text(workings.value("decode-throughput", set=served)).splitlines()
    assert lines[1:3] == ["      ≈ min(64/(1.29758 ms), 64/(11.6756 ms))", "      ≈ 5,481.5 tokens/s"]
    assert "    T_mem = 11.6756 ms  Memory time of a decode step" in lines
    token = workings.value("kv-token-bytes", at="llama3-70b", set={"cache_width": "2 byte"})
    assert worked_text(token).splitlines()[2] == "      = 327.68 kB"


def test_units_that_are_asked_for_are_kept() -> None:
    given = {"cache_width": "2 byte"}
    token = workings.value("kv-token-bytes", at="llama3-70b", set=given, units="GB")
    assert worked_text(token).splitlines()[2] == "      = 0.00032768 GB"
