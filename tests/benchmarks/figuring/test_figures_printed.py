"""Printed figures are read strictly: digits, units as they stand, and how exactly they are meant."""

from fractions import Fraction

import pytest
from figuring.printed import read
from looping import each

from workings.errors import UserError


@each(
    "text, value",
    [
        ("1.07 GB", Fraction(107 * 10**7)),
        ("524,288 bytes", Fraction(524_288)),
        ("17_157_252_600 bytes", Fraction(17_157_252_600)),
        ("114,688 B", Fraction(114_688)),
        ("121.8B", Fraction(1218 * 10**8)),
        ("~134MB", Fraction(134 * 10**6)),
        ("300KiB", Fraction(300 * 1024)),
        ("0,021 s", Fraction(21, 1000)),
        ("$0.82/M tokens", Fraction(82, 100)),
        ("12.24M tokens/hr", Fraction(12_240_000)),
        ("19.3*10^9", Fraction(193 * 10**8)),
        ("5.9 × 10²³ FLOPs", Fraction(59 * 10**22)),
        ("9.15E+11", Fraction(915 * 10**9)),
        ("0.33%", Fraction(33, 10_000)),
        ("~90 Gbps", Fraction(90 * 10**9, 8)),
        ("105.82 days", Fraction(10582 * 864)),
        ("27 sequences", Fraction(27)),
        ("-16.75", Fraction(-1675, 100)),
    ],
)
def test_a_figure_is_read_in_the_unit_that_stands_there(text: str, value: Fraction) -> None:
    assert read(text).value == value


def test_a_unit_may_be_said_and_digits_must_be_there() -> None:
    assert read("0.125 GB", "GiB").value == 2**27
    assert read("143 MB", "1024000 byte").value == 143 * 1024 * 1000
    with pytest.raises(UserError, match="no digits"):
        read("almost one third")


def test_a_figure_fits_as_exactly_as_it_is_meant() -> None:
    assert read("203 GB").fits(Fraction(2025 * 10**8), "rounded")
    assert not read("203 GB").fits(Fraction(2024 * 10**8), "rounded")
    assert not read("203 GB").fits(Fraction(2029 * 10**8), "exact")
    assert read("~210 tokens/s").fits(Fraction(2094, 10), "about")  # the zero at its end is no digit
    assert not read("210 tokens/s").fits(Fraction(2094, 10), "rounded")
    assert not read("200 GB").fits(Fraction(212 * 10**9), "about")  # but no more than 2 %
    assert read("3 to 4").fits(Fraction(7, 2), "about")
    assert not read("3 to 4").fits(Fraction(9), "about")


def test_a_bound_fits_all_beyond_it() -> None:
    assert read("less than 400 MB").fits(Fraction(327 * 10**6), "bound")
    assert not read("less than 400 MB").fits(Fraction(402 * 10**6), "bound")
    assert read(">23 GB").fits(Fraction(90 * 10**9), "bound")
    assert not read(">23 GB").fits(Fraction(20 * 10**9), "bound")
