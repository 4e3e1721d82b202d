"""Which words and letters of a page are units, nouns or names, judged by what is said of its steps."""

import pytest
from judged_pages import fence, flagged, statements, verdict, verdicts


def test_a_name_of_code_is_divided_by_whatever_it_is_called() -> None:
    code = fence("python", "gpus = 64", "share = 208 / gpus * 2  # 6.5 GB")
    assert flagged(code) == []
    assert flagged(code.replace("6.5", "7.5")) == ["208 / gpus * 2  # 7.5 GB"]


def test_a_noun_with_a_value_in_prose_is_divided_by() -> None:
    text = "Steps = 300 / tokens * 2 = 75 with tokens = 8."
    assert verdict(text, "300 / tokens * 2 = 75") == "ok"
    assert verdict(text.replace("75", "85"), "300 / tokens * 2 = 85") == "wrong"


def test_what_a_figure_counts_is_given_no_meaning() -> None:
    text = "In bf16, 13B params = 26 GB. With Adam, 13B params × 16 bytes = 208 GB."
    assert [v for _, v in verdicts(text)] == ["ok", "ok"]
    assert not any("meaning" in s.reason for s in statements(text))


LETTER = "With $s = 4096$ tokens and $h = 64$: "


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a step takes 1.025 s = 1250 ms.", "wrong"),
        ("a step takes 1.25 s = 1250 ms.", "ok"),
        ("it takes 3 h = 180 min.", "ok"),
        ("it takes 2.5 s * 1000 = 2500 s.", "ok"),
    ],
)
def test_a_second_of_prose_stays_one_where_s_is_a_letter_of_formulas(text: str, said: str) -> None:
    assert [v for _, v in verdicts(LETTER + text)][2:] == [said]


def test_a_second_of_prose_gives_its_letter_no_other_meaning() -> None:
    found = statements(LETTER + "a step takes 1.25 s = 1250 ms, the next 2 s.")
    assert [s.read_as for s in found if s.reason.startswith("gives")] == ["s = 4096", "h = 64"]


def test_a_formula_begins_behind_a_rate_of_prose() -> None:
    assert flagged("At 50 GB/s this takes 51.25 / 50 = 10.25 s.") == ["51.25 / 50 = 10.25 s"]
    assert statements("At 50 GB/s this takes 51.25 / 50 = 1.025 s.")[0].quote == "50 GB/s"


def test_microseconds_are_converted() -> None:
    assert verdict(r"It takes $5\,\mu\mathrm{s} = 5000$ ns.", "5") == "ok"
    assert verdict(r"It takes $5\,\mu\mathrm{s} = 500$ ns.", "5") == "wrong"


def test_so_many_steps_of_a_second_are_not_said_to_be_one_second() -> None:
    assert flagged("That is 71526 steps of 8.19 s, i.e. 585,800 s.") == []
    assert flagged("It takes 8.19 h, i.e. 585,800 s.") == ["585,800 s"]
