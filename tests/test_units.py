"""Dimensions, quantities as text, and how numbers are written."""

import operator
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from looping import each

from workings.units import (
    BYTE,
    CURRENCY,
    FLOP,
    ONE,
    SECOND,
    UNITS,
    Dimension,
    Format,
    Quantity,
    Unit,
    UnitError,
    parse_number,
    parse_quantity,
    parse_unit,
    round_decimals,
    round_significant,
    show,
    show_beside,
)

COUNT = Unit("1", ONE, Fraction(1))
dimensions = st.builds(Dimension, *(st.fractions(-3, 3, max_denominator=2) for _ in range(4)))


# --- dimensions ---------------------------------------------------------------------------------


@given(dimensions, dimensions, dimensions)
def test_dimensions_multiply_like_exponents_add(a: Dimension, b: Dimension, c: Dimension) -> None:
    assert a * b == b * a
    assert a * (b * c) == (a * b) * c
    assert a / a == ONE
    assert a * b / b == a
    assert (a * b) ** 2 == a * a * b * b
    assert a ** Fraction(1, 2) * a ** Fraction(1, 2) == a
    assert a**-1 == ONE / a


@pytest.mark.parametrize(
    ("dimension", "text"),
    [
        (ONE, "1"),
        (BYTE, "byte"),
        (BYTE / SECOND, "byte/s"),
        (ONE / SECOND, "1/s"),
        (FLOP / SECOND**2, "FLOP/s^2"),
        (BYTE**2 * FLOP, "byte^2*FLOP"),
        (CURRENCY ** Fraction(1, 2), "currency^1/2"),
    ],
)
def test_dimensions_print_as_a_fraction_of_units(dimension: Dimension, text: str) -> None:
    assert str(dimension) == text


# --- units and quantities -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "dimension", "scale"),
    [
        ("GB", BYTE, 10**9),
        ("GiB", BYTE, 2**30),
        ("kB", BYTE, 1000),
        ("KiB", BYTE, 1024),
        ("bit", BYTE, Fraction(1, 8)),
        ("Gbit/s", BYTE / SECOND, Fraction(10**9, 8)),
        ("TFLOP/s", FLOP / SECOND, 10**12),
        ("ms", SECOND, Fraction(1, 1000)),
        ("µs", SECOND, Fraction(1, 10**6)),
        ("h", SECOND, 3600),
        ("USD", CURRENCY, 1),
        ("1", ONE, 1),
        ("1/s", ONE / SECOND, 1),
        ("FLOP/byte", FLOP / BYTE, 1),
    ],
)
def test_units_know_dimension_and_scale(text: str, dimension: Dimension, scale: int | Fraction) -> None:
    unit = parse_unit(text)
    assert (unit.text, unit.dimension, unit.scale) == (text, dimension, scale)


@pytest.mark.parametrize(
    "text", ["", "gb", "gigs", "GBs", "GB/s/s", "GB/", "/s", "byte^2", "GB GB", "B/1"]
)
def test_unknown_units_are_refused_by_name(text: str) -> None:
    with pytest.raises(UnitError) as caught:
        parse_unit(text)
    expected = "a unit such as GB, GiB, GB/s, Gbit/s, TFLOP/s, USD/h"
    assert str(caught.value) == f"found {text!r}, expected {expected}"


@pytest.mark.parametrize(
    ("text", "bits", "bytes_"),
    [
        ("400 Gb/s", "Gbit/s", "GB/s"),
        ("400 Gbps", "Gbit/s", "GB/s"),
        ("80 Gb", "Gbit", "GB"),
        ("80 Gib", "Gibit", "GiB"),
        ("8 b", "bit", "B"),
    ],
)
def test_a_b_that_may_be_a_bit_or_a_byte_is_refused_with_both(text: str, bits: str, bytes_: str) -> None:
    unit = text.partition(" ")[2]
    with pytest.raises(UnitError) as caught:
        parse_quantity(text)
    assert str(caught.value) == f"found {unit!r}, expected {bits} for bits or {bytes_} for bytes"
    parse_unit(bits), parse_unit(bytes_)  # what is suggested is a unit


def test_decimal_and_binary_gigabytes_are_never_the_same() -> None:
    for prefix in "KMGTP":
        decimal = UNITS[f"{prefix if prefix != 'K' else 'k'}B"]
        assert UNITS[f"{prefix}iB"].scale > decimal.scale
    assert parse_quantity("95 GiB").value - parse_quantity("95 GB").value == 7_005_473_280


@pytest.mark.parametrize(
    ("text", "value", "dimension"),
    [
        ("95 GB", 95 * 10**9, BYTE),
        ("  95GB ", 95 * 10**9, BYTE),
        ("3,520 GB", 3520 * 10**9, BYTE),
        ("1.8e11 byte/s", 18 * 10**10, BYTE / SECOND),
        ("0.1 s", Fraction(1, 10), SECOND),
        ("-5 GB", -5 * 10**9, BYTE),
        ("64", 64, ONE),
        ("1,234,567.25", Fraction(4938269, 4), ONE),
        ("2.5E-3", Fraction(1, 400), ONE),
        ("1e400", 10**400, ONE),
        ("1e0000000000000001", 10, ONE),
    ],
)
def test_quantities_are_read_exactly(text: str, value: int | Fraction, dimension: Dimension) -> None:
    quantity = parse_quantity(text)
    assert (quantity.value, quantity.dimension) == (value, dimension)


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "GB", "GB 95", "95 GB GB", "95 parsec", "95.", "9_5 GB", "0x5F", "1,0 GB",
        "1_00 GB", "5_ GB", ". GB", "5 m", "15 t",
        "1,000,00", "12,34 GB", "+5 GB", "--5 GB", "٩٥ GB", "９５ GB", "½ GB", "inf", "nan", "1/3",
        "5 1/", "95\0GB", "1e401 GB", "1e-401", "1" * 81, "1" * 5_000, "1e00000000000009999999",
        "1e" + "9" * 5_000, "95 G\u200bB",
    ],
)  # fmt: skip
def test_what_is_no_quantity_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(UnitError) as caught:
        parse_quantity(text)
    assert len(str(caught.value)) < 160
    assert "\n" not in str(caught.value)


def test_a_number_has_no_sign_and_no_unit() -> None:
    assert parse_number("3,520.5e1") == 35205
    for text in ("-1", "+1", "1 GB", "", "e5"):
        with pytest.raises(UnitError, match="is not a number"):
            parse_number(text)


# --- rounding -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "decimals", "rounded"),
    [
        ("2.5", 0, "3"),
        ("3.5", 0, "4"),
        ("-2.5", 0, "-3"),
        ("2.4999", 0, "2"),
        ("0.125", 2, "0.13"),
        ("0.135", 2, "0.14"),
        ("-0.125", 2, "-0.13"),
        ("1250", -2, "1300"),
        ("1249.99", -2, "1200"),
        ("0.5", 0, "1"),
        ("-0.4", 0, "0"),
    ],
)
def test_halves_are_rounded_away_from_zero(value: str, decimals: int, rounded: str) -> None:
    assert round_decimals(Fraction(value), decimals) == Fraction(rounded)


@given(st.fractions(Fraction(1, 10**8), 10**15), st.integers(1, 8))
def test_significant_figures_are_off_by_half_a_unit_of_the_last_at_most(
    value: Fraction, digits: int
) -> None:
    rounded, decimals = round_significant(value, digits)
    assert abs(rounded - value) <= Fraction(1, 2) / Fraction(10) ** decimals
    last = rounded * Fraction(10) ** decimals
    assert last.denominator == 1
    assert len(str(last.numerator)) == digits


# --- how numbers are written --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("0", "0"),
        ("156", "156"),
        ("219848638464", "219,848,638,464"),
        ("-1234567", "-1,234,567"),
        ("999999999999999999", "999,999,999,999,999,999"),
        ("20444.4444", "20,444.4"),
        ("20444.96", "20,445.0"),
        ("999.96", "1,000.0"),
        ("155.2132", "155.2"),
        ("1.60279", "1.603"),
        ("0.99996", "1.000"),
        ("0.5", "0.5"),
        ("2/3", "0.6667"),
        ("0.000123456", "0.0001235"),
        ("0.0000123456", "1.235 × 10^-5"),
        ("1234567890123.5", "1.235 × 10^12"),
        ("1234567890123456789", "1.235 × 10^18"),
    ],
)
def test_counts_are_written_whole_and_others_with_a_decimal(value: str, text: str) -> None:
    assert str(show(Fraction(value), COUNT, Format())) == text


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        ("95e9", "GB", "95 GB"),
        ("94882899810", "GB", "94.88 GB"),
        ("94999999999", "GB", "95.00 GB"),
        ("3517578215424", "GB", "3,518 GB"),
        ("3517578215424", "GiB", "3,276 GiB"),
        ("999950000000", "GB", "1,000 GB"),
        ("5e6", "GB", "0.005 GB"),
        ("1", "GB", "1 × 10^-9 GB"),
        ("12345678901234567", "FLOP", "1.235 × 10^16 FLOP"),
        ("4.6e14", "TFLOP/s", "460 TFLOP/s"),
        ("1", "byte", "1 byte"),
        ("2", "byte", "2 bytes"),
        ("0.30534", "s", "0.3053 s"),
        ("0", "GB", "0 GB"),
        ("-5e8", "GB", "-0.5 GB"),
    ],
)
def test_quantities_are_written_in_four_figures_and_exact_ones_without_zeros(
    value: str, unit: str, text: str
) -> None:
    assert str(show(Fraction(value), parse_unit(unit), Format())) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("5e9", "5.00 GB"),
        ("4.985e9", "4.99 GB"),
        ("4.984e9", "4.98 GB"),
        ("1234567.891e9", "1,234,567.89 GB"),
        ("1e3", "0.00 GB"),
        ("1234567890123e9", "1.235 × 10^12 GB"),
    ],
)
def test_fixed_decimals_line_up_in_a_column(value: str, text: str) -> None:
    assert str(show(Fraction(value), parse_unit("GB"), Format(decimals=2))) == text


values = st.fractions(-(10**22), 10**22) | st.fractions(-1, 1) | st.integers(-(10**22), 10**22)


@given(
    values.map(Fraction),
    st.sampled_from([COUNT, parse_unit("GB"), parse_unit("byte"), parse_unit("TFLOP/s")]),
    st.builds(Format, digits=st.integers(1, 7), decimals=st.none() | st.integers(0, 3)),
)
def test_what_is_shown_has_the_value_its_digits_say_and_is_exact_only_if_they_are_all(
    value: Fraction, unit: Unit, style: Format
) -> None:
    shown = show(value, unit, style)
    said = Fraction(shown.number.replace(",", "")) * unit.scale
    assert shown.value == said
    assert shown.exact == (said == value)
    assert parse_unit(shown.unit).scale == unit.scale


def test_a_document_chooses_one_unit_a_dimension() -> None:
    style = Format(units=("GiB", "ms", "byte"))
    assert style.unit_for(BYTE).text == "GiB"
    assert style.unit_for(SECOND).text == "ms"
    assert style.unit_for(ONE).text == "1"
    assert style.unit_for(BYTE / SECOND).text == "byte/s"
    assert style.unit_for(ONE / SECOND).scale == 1


@pytest.mark.parametrize(
    ("value", "dimension", "text"),
    [
        ("163840", BYTE, "163.8 kB"),
        ("1000", BYTE, "1 kB"),
        ("999", BYTE, "999 bytes"),
        ("0.5", BYTE, "0.5 bytes"),
        ("38830080", BYTE, "38.83 MB"),
        ("99999999", BYTE, "100.0 MB"),
        ("1e8", BYTE, "0.1 GB"),
        ("-163840", BYTE, "-163.8 kB"),
        ("3.5e12", BYTE, "3,500 GB"),
        ("0", BYTE, "0 GB"),
        ("0.0116756", SECOND, "11.68 ms"),
        ("0.000971", SECOND, "971 µs"),
        ("3e-9", SECOND, "0.003 µs"),
        ("0.1528", SECOND, "0.1528 s"),
        ("0.001", BYTE / SECOND, "1 × 10^-12 GB/s"),  # no smaller one is known to read better
        ("0.0001", ONE, "0.0001"),
    ],
)
def test_an_answer_by_itself_takes_a_smaller_unit_where_it_would_begin_with_noughts(
    value: str, dimension: Dimension, text: str
) -> None:
    number, style = Fraction(value), Format(fit=True)
    assert str(show(number, style.unit_for(dimension, number), style)) == text


def test_a_document_keeps_to_its_unit_however_small_the_number() -> None:
    for style in (Format(), Format(("MB", *Format().units))):
        assert style.unit_for(BYTE, Fraction(7)) == style.unit_for(BYTE)
        assert style.unit_for(SECOND, Fraction(1, 10**6)).text == "s"


def test_a_number_beside_a_limit_is_printed_on_its_own_side_of_it() -> None:
    gigabytes = parse_unit("GB")
    limit = Fraction(95 * 10**9)
    just_below = limit - 1000
    assert show(just_below, gigabytes, Format(digits=4)).number == "95.00"
    shown = show_beside(just_below, limit, gigabytes, Format(digits=4))
    assert shown.number == "94.999999"
    assert shown.value < limit
    assert show_beside(limit, limit, gigabytes, Format(digits=4)).number == "95"


@pytest.mark.parametrize("operation", [operator.lt, operator.le, operator.gt, operator.ge, operator.add])
def test_quantities_of_other_units_are_neither_ordered_nor_joined(
    operation: Callable[..., object],
) -> None:
    with pytest.raises(TypeError):
        operation(parse_quantity("1 byte"), parse_quantity("2 s"))


@each("text", ["2 USD/h", "2USD/h", "$2/h", "$2/hour", "$ 2/h", "2 $/h", "2$/hour", "$2.00/h", "2 EUR/h"])
def test_a_price_is_read_as_people_write_it(text: str) -> None:
    assert parse_quantity(text, CURRENCY / SECOND) == Quantity(Fraction(2, 3600), CURRENCY / SECOND)


def test_a_currency_before_its_amount_takes_suffixes_and_signs() -> None:
    assert parse_quantity("$5M") == parse_quantity("5 M USD") == Quantity(Fraction(5 * 10**6), CURRENCY)
    assert parse_quantity("$1,250/day") == parse_quantity("1_250 USD/day")
    assert parse_quantity("-$3") == Quantity(Fraction(-3), CURRENCY)
    for text in ("$", "$$2/h", "$2 USD/h", "$2//h", "2 USD$", "$/h", "$1,25/h"):
        with pytest.raises(UnitError):
            parse_quantity(text)
