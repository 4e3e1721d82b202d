"""Published figures beside ours: agrees, agrees after rounding, depends, wrong."""

from fractions import Fraction
from pathlib import Path

import pytest
from auditing.claims import AGREES, DEPENDS, ROUNDED, WRONG, verdict
from audits import FIRST, markdown_of, refusal

from workings.units import BYTE, ONE, SECOND, Dimension, parse_quantity
from workings.values.desk import Measured


def judge(claim: str, ours: Fraction | int | str, dimension: Dimension = BYTE, *others: int) -> str:
    mine = Measured(Fraction(ours), dimension)
    readings = [Measured(Fraction(other), dimension) for other in others]
    return verdict(parse_quantity(claim), claim, mine, readings)


@pytest.mark.parametrize(
    ("claim", "ours", "found"),
    [
        ("880 GB", 880 * 10**9, AGREES),
        ("880 GB", 885 * 10**9, ROUNDED),  # read to the nearest ten: half a unit, both ways
        ("880 GB", 875 * 10**9, ROUNDED),
        ("880 GB", 885 * 10**9 + 1, WRONG),
        ("880 GB", 875 * 10**9 - 1, WRONG),
        ("880.0 GB", 880 * 10**9 + 5 * 10**7, ROUNDED),  # a decimal says that the zero counts
        ("880.0 GB", 880 * 10**9 + 5 * 10**7 + 1, WRONG),
        ("881 GB", 881 * 10**9 + 5 * 10**8, ROUNDED),
        ("881 GB", 881 * 10**9 + 5 * 10**8 + 1, WRONG),
        ("3,520 GB", "3517578218215424", WRONG),  # not in units of 10^12
        ("3,520 GB", 16 * 219_848_638_464, ROUNDED),
        ("3,518 GB", 16 * 219_848_638_464, ROUNDED),
        ("3,517 GB", 16 * 219_848_638_464, WRONG),
        ("3,276 GiB", 16 * 219_848_638_464, AGREES),
        ("3,276 GB", 16 * 219_848_638_464, WRONG),  # the same number in other units
        ("1 GiB", 2**30, AGREES),
        ("1 GiB", 10**9, ROUNDED),  # 0.93 GiB, to the nearest whole
        ("1.0 GiB", 10**9, WRONG),
        ("1.07 GB", 2**30, ROUNDED),
        ("0 GB", 4 * 10**8, ROUNDED),
        ("0 GB", 6 * 10**8, WRONG),
        ("1e9 byte", 14 * 10**8, ROUNDED),
        ("1e9 byte", 16 * 10**8, WRONG),
        ("1.0e9 byte", 104 * 10**7, ROUNDED),
        ("1.0e9 byte", 106 * 10**7, WRONG),
        ("15e8 byte", 154 * 10**7, ROUNDED),
        ("15e8 byte", 156 * 10**7, WRONG),
    ],
)
def test_a_claim_is_held_to_half_a_unit_of_its_last_digit(
    claim: str, ours: int | str, found: str
) -> None:
    assert judge(claim, ours) == found


@pytest.mark.parametrize(
    ("claim", "ours", "found"),
    [
        ("156", 156, AGREES),
        ("220e9", 219_848_638_464, ROUNDED),
        ("1.33", Fraction(4, 3), ROUNDED),
        ("1.34", Fraction(4, 3), WRONG),
        ("0.1", Fraction(15, 100), ROUNDED),
        ("0.10", Fraction(15, 100), WRONG),
        ("2.5e-1", Fraction(1, 4), AGREES),
        ("2.5e-1", Fraction(255, 1000), ROUNDED),
        ("2.5e-1", Fraction(256, 1000), WRONG),
    ],
)
def test_counts_and_ratios_are_held_to_the_same(claim: str, ours: int, found: str) -> None:
    assert judge(claim, ours, ONE) == found


def test_another_reading_that_gives_the_claim_makes_it_depend() -> None:
    assert judge("440 GB", 143_746_000_000, BYTE, 7, 439_697_276_928) == DEPENDS
    assert judge("440 GB", 143_746_000_000, BYTE, 7) == WRONG


def test_a_reading_is_not_needed_where_ours_agrees() -> None:
    assert judge("440 GB", 440 * 10**9, BYTE, 440 * 10**9) == AGREES


def test_another_dimension_is_wrong_whatever_the_number() -> None:
    assert judge("3 s", 3, BYTE) == WRONG
    assert judge("3", 3, BYTE) == WRONG
    seconds = Measured(Fraction(3), SECOND)
    claim = parse_quantity("3 byte")
    assert verdict(claim, "3 byte", Measured(Fraction(9), BYTE), [seconds]) == WRONG


FILE = """
[[claim]]
what = "state | *all*"
claimed = "3,520 GB"
ours = "model-state"
why = "{math}`16*P`"

[[claim]]
what = "saved"
claimed = "440 GB"
ours = "saved-activations"
why = "Two readings"
[[claim.reading]]
name = "Something else"
ours = "model-state"
[[claim.reading]]
name = "Economised"
ours = "bf16-gradient-saving"

[[claim]]
what = "time"
claimed = "1,956 s"
ours = "forward-compute-time batch=16"
"""
TEXT = "x\n\n```{claims} figures.toml\n```\n"


def test_a_row_for_each_claim_says_verdict_and_reading(tmp_path: Path) -> None:
    (tmp_path / "figures.toml").write_text(FILE)
    rows = [line for line in markdown_of(tmp_path, TEXT).splitlines() if line.startswith("| ")]
    assert rows == [
        "| figure | published | ours | verdict | why |",
        r"| state \| *all* | 3,520 GB | 3,518 GB | agrees after rounding | $`16 P`$ |",
        "| saved | 440 GB | 143.7 GB | depends on a convention | Economised. Two readings |",
        "| time | 1,956 s | 0.4894 s | **wrong** |  |",
    ]


@pytest.mark.parametrize(
    "name", ["nope.toml", "../figures.toml", "/etc/passwd", "a/figures.toml", "figures.md", "", ".."]
)
def test_only_a_toml_file_beside_the_source_is_read(tmp_path: Path, name: str) -> None:
    (tmp_path.parent / "figures.toml").write_text(FILE)
    (tmp_path / "figures.md").write_text(FILE)
    sentence = refusal(tmp_path, f"```{{claims}} {name}\n```\n")
    assert sentence == (
        f"page.md:{FIRST}: {{claims}}: found {name!r}, expected a TOML file beside the source"
    )


@pytest.mark.parametrize(
    ("file", "problem"),
    [
        ("x =", "figures.toml:1: not valid TOML: Invalid value"),
        ("x = 1", "figures.toml: found key 'x', expected one of scenario, claim"),
        ("", "figures.toml: found no [[claim]], expected one or more"),
        ("claim = 3", "claim: found 3, expected [[claim]] tables"),
        (f"claim = {'9' * 5000}", "not valid TOML: Exceeds the limit"),
        (FILE + 'wy = "x"', "figures.toml, claim 3: found key 'wy', expected one of what"),
        (FILE.replace("name =", "nam =", 1), "claim 2, reading: found key 'nam', expected one of"),
        (FILE.replace("1,956 s", "soon"), "claim 3: found 'soon', expected a number"),
        (FILE.replace('"model-state"', '"model-sate"', 1), "claim 1: no derivation 'model-sate'"),
        (FILE.replace('"1,956 s"', "1956"), "claimed: found 1956, expected text"),
        (FILE.replace("16*P", "16**P"), "{math}`16**P`: line 1, column 4"),
    ],
)
def test_what_is_wrong_in_the_file_is_said_with_the_claim(
    tmp_path: Path, file: str, problem: str
) -> None:
    (tmp_path / "figures.toml").write_text(file)
    sentence = refusal(tmp_path, TEXT)
    assert sentence.startswith(f"page.md:{FIRST + 2}: ")
    assert problem in sentence


def test_a_file_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    (tmp_path / "figures.toml").write_bytes(b"\xff\xfe")
    assert "figures.toml:1: not valid TOML" in refusal(tmp_path, TEXT)
