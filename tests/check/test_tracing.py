"""A figure is traced to a value met before, or to two of them; else it may be an input."""

from fractions import Fraction

import pytest
from judged_pages import statements

from workings.check.tracing import Tracer, known_value, last_digit, value_of
from workings.formula import Num, parse_expression


@pytest.mark.parametrize(
    ("written", "worth"),
    [
        ("1,500", 100),
        ("3.35", Fraction(1, 100)),
        ("140", 10),
        ("7", 1),
        ("1.5e3", 100),
        ("70", 10),
        ("0.05", Fraction(1, 100)),
    ],
)
def test_the_last_printed_digit_has_its_worth(written: str, worth: Fraction) -> None:
    number = Num(Fraction(written.replace(",", "")), None, written)
    assert last_digit(number) == worth


def test_the_last_digit_counts_suffix_and_unit() -> None:
    assert last_digit(Num(Fraction(7 * 10**10), None, "70B")) == 10**10
    assert last_digit(Num(Fraction(2), "GB", "2")) == 10**9


def test_only_what_has_no_letters_has_a_value() -> None:
    assert value_of(parse_expression("2*N")) is None
    assert value_of(parse_expression("1/0")) is None
    found = value_of(parse_expression("6*7"))
    assert found is not None
    assert found[0] == 42


def test_values_before_a_place_come_nearest_first() -> None:
    tracer = Tracer()
    for offset, section, group in ((10, 0, 0), (20, 1, 1), (30, 1, 2)):
        tracer.meet(known_value(parse_expression(f"{offset}"), "", 1, offset, section, group))
    assert [k.offset for k in tracer.before(99, 1, 1, 9)] == [20, 30, 10]
    assert [k.offset for k in tracer.before(25, 0, 0, 9)] == [10, 20]
    assert [k.offset for k in tracer.before(99, 1, 1, 1)] == [20]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("The weights take 140 GB. So 140 GB it is.", "restates 140 GB (line 1)"),
        ("With 80 GB on each of 8 GPUs we have 640 GB.", "follows from "),
        ("We were told 123 GB.", "nothing near it in the document gives this figure"),
    ],
)
def test_a_figure_says_where_it_comes_from(text: str, reason: str) -> None:
    last = statements(text)[-1]
    assert last.reason.startswith(reason)
    assert last.verdict == ("undecided" if "nothing" in reason else "ok")


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("Each GPU holds 17.5 GB, and the step takes 0.435 s at 50 GB/s.", "nothing"),
        (
            "Each GPU holds 17.5 GB, and the step takes 0.435 s at 40 GB/s.",
            "follows from 17.5 GB / 0.435 s",
        ),
        ("The weights take 46 GB. So 50 GB it is.", "nothing"),
        ("The weights take 139.6 GB. So 140 GB it is.", "restates 139.6 GB"),
    ],
)
def test_a_figure_of_one_digit_follows_only_from_what_nearly_gives_it(text: str, origin: str) -> None:
    assert statements(text)[-1].reason.startswith(origin)


def test_a_count_does_not_follow_from_gib_over_gb() -> None:
    text = "The state is 194 GiB and each device takes 26 GB. We need 8 GPUs."
    assert statements(text)[-1].reason.startswith("nothing")
    text = "The state is 208 GB and each device takes 26 GB. We need 8 GPUs."
    assert statements(text)[-1].reason.startswith("follows from 208 GB / 26 GB")


def test_a_rate_does_not_restate_a_product_of_bytes() -> None:
    text = "The ring sends $2 * 26.03\\text{ GB} = 52.06$ GB. At 52 GB/s it ends."
    assert "26.03" not in statements(text)[-1].reason
