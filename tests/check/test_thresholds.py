"""Claims of a least or greatest number, beside the condition that they follow from."""

import pytest
from judged_pages import flagged, statements, verdict

from workings.check.verdicts import Statement, Verdict

MEMORY = (
    "Memory per device: `(3,520 + A/2) / N_FSDP + A/2` GB, for training with A ≈ 144 GB.\n\n"
    "Need N_FSDP {} devices to stay under 95 GB.\n"
)
SHARE = "Memory per device: `208/N` GB. "


def last_step(text: str) -> Statement:
    return [s for s in statements(text) if s.relation][-1]


@pytest.mark.parametrize(
    ("condition", "claims"),
    [
        ("$2·7·B ≥ 243$", {"B ≥ 16": "wrong", "B ≥ 17": "wrong", "B ≥ 18": "ok", "B > 17": "ok"}),
        ("$2·7·B ≥ 238$", {"B ≥ 16": "wrong", "B ≥ 17": "ok", "B > 16": "ok"}),
        ("$2·7·B > 238$", {"B ≥ 17": "wrong", "B ≥ 18": "ok", "B > 16": "wrong", "B > 17": "ok"}),
        ("$2·7·B ≤ 243$", {"B ≤ 17": "ok", "B < 18": "ok", "B ≤ 18": "wrong", "B ≤ 15": "wrong"}),
        ("$2·7·B ≤ 238$", {"B ≤ 17": "ok", "B ≤ 18": "wrong"}),
        ("$2·7·B < 238$", {"B ≤ 16": "ok", "B < 17": "ok", "B ≤ 17": "wrong", "B < 18": "wrong"}),
    ],
)
def test_a_bound_is_the_first_or_last_number_at_which_the_condition_holds(
    condition: str, claims: dict[str, Verdict]
) -> None:
    found = {claim: verdict(f"{condition} so ${claim}$.", claim) for claim in claims}
    assert found == claims


@pytest.mark.parametrize(("claimed", "first"), [(18, 2), (700, 701), (3, 700), (1, 2)])
def test_the_bound_is_found_however_far_from_the_claim(claimed: int, first: int) -> None:
    step = last_step(f"$3 B ≥ {3 * first - 1}$ so $B ≥ {claimed}$.")
    assert (step.verdict, step.expected) == ("wrong", f"B >= {first}")


def test_a_bound_says_which_condition_it_was_compared_with() -> None:
    step = last_step("Since\n\n$2·7·B ≥ 243$,\n\nwe have $B ≥ 17$.")
    assert step.read_as == "2*7*B >= 243 (line 3)"
    assert (step.reason, step.expected) == ("the condition gives 18", "B >= 18")


def test_the_nearest_condition_counts() -> None:
    text = "$7 B ≥ 70$ and then $8 B ≥ 243$, so $B ≥ {}$."
    assert verdict(text.format(31), "B ≥ 31") == "ok"
    assert verdict(text.format(10), "B ≥ 10") == "wrong"


@pytest.mark.parametrize(
    "text",
    [
        "# One\n\n$2·7·B ≥ 243$.\n\n# Two\n\nThus $B ≥ 17$.",
        "So $B ≥ 17$, since $2·7·B ≥ 243$.",
        "$14 C ≥ 243$ so $B ≥ 17$.",
        "$14 B = 243$ so $B ≥ 17$.",
        "$B ≥ 18$ and $B ≥ 17$.",
        "$14 B ≥ 140 + B$ so $B ≥ 17$.",
        "$C ≥ 2 B$ and $B ≥ 17$.",
        "$14 B ≥ M$ so $B ≥ 17$.",
        "$14 B ≥ 243$ so $B ≥ 17.3$.",
        "$14 k B ≥ 243$ so $B ≥ 17$.",
        "$14 B ≤ 243$ so $B ≥ 17$.",
    ],
    ids=[
        "in another section", "behind it", "of another letter", "that is none", "that is a bound itself",
        "with the letter on both sides",
        "of a bare letter", "with an unknown limit", "for no whole number", "with an unknown letter",
        "that bounds it from the other side",
    ],
)  # fmt: skip
def test_nothing_is_said_beside_a_condition(text: str) -> None:
    (step,) = [s for s in statements(text) if s.quote.startswith("B ≥ 17")]
    assert (step.verdict, step.reason) == ("undecided", "a condition on B")


def test_a_letter_of_the_condition_has_its_value() -> None:
    text = "We have $k = 7.0$. As $2·k·B ≥ 243$, we get $B ≥ {}$."
    assert verdict(text.format(18), "B ≥ 18") == "ok"
    step = last_step(text.format(16))
    assert step.verdict == "wrong"
    assert step.read_as == "2*7.0*B >= 243 (line 1); k = 7.0 (line 1)"


def test_three_letters_are_filled_in_and_four_are_too_many() -> None:
    three, four = "$a = 2$, $b = 3$, $c = 5$. ", "$a = 2$, $b = 3$, $c = 5$, $d = 7$. "
    assert verdict(three + "$a b c B ≥ 2000$ so $B ≥ 9$.", "B ≥ 9") == "wrong"
    assert verdict(four + "$a b c d B ≥ 2000$ so $B ≥ 1$.", "B ≥ 1") == "undecided"


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("≥ 154", "wrong"),
        ("≥ 155", "depends"),
        ("≥ 156", "depends"),
        ("≥ 157", "ok"),
        ("> 156", "ok"),
        ("≥ 158", "depends"),
        ("≥ 200", "wrong"),
    ],
)
def test_a_printed_value_may_be_rounded_from_any_that_prints_so(claim: str, expected: Verdict) -> None:
    assert verdict(MEMORY.format(claim), "N_FSDP") == expected


def test_the_remark_tells_unrounded_values_from_a_round_number() -> None:
    for claim in ("≥ 156", "≥ 158"):
        assert last_step(MEMORY.format(claim)).reason == (
            "follows from unrounded values; with the values as printed it is 157"
        )
    assert last_step(MEMORY.format("≥ 170")).reason == "enough, but the condition gives 157"
    assert last_step(MEMORY.format("≥ 170")).verdict == "depends"


@pytest.mark.parametrize(("claim", "expected"), [(101, "depends"), (110, "depends"), (111, "wrong")])
def test_a_round_number_is_at_most_a_tenth_above_the_least(claim: int, expected: Verdict) -> None:
    assert verdict(f"$7 B ≥ 700$ so $B ≥ {claim}$.", "B ≥") == expected


def test_a_bound_of_nothing_is_not_compared() -> None:
    assert flagged("$7 B ≥ 140$ so $B ≥ 0$.") == []


def test_a_greatest_number_is_rounded_down_and_not_up() -> None:
    assert verdict("$7 B ≤ 140$ so $B ≤ 19$.", "B ≤") == "depends"
    assert verdict("$7 B ≤ 140$ so $B ≤ 21$.", "B ≤") == "wrong"


@pytest.mark.parametrize(
    "words",
    [
        "To stay under 3 GB, N ≥ {}.",
        "With at most 3 GB each, N ≥ {}.",
        "To fit into 3 GB, N ≥ {}.",
        "It must be **below** 3 GB: N ≥ {}.",
        "每设备不超过 3 GB，N ≥ {}。",
    ],
)
def test_words_give_the_limit_of_a_formula(words: str) -> None:
    assert verdict(SHARE + words.format(70), "N ≥") == "ok"
    assert verdict(SHARE + words.format(69), "N ≥") == "wrong"
    assert verdict(SHARE + words.format(1), "N ≥") == "wrong"


def test_under_a_limit_is_not_at_the_limit() -> None:
    text = "Memory per device: `210/N` GB. To stay under 3 GB, N ≥ {}."
    assert verdict(text.format(71), "N ≥") == "ok"
    assert verdict(text.format(70), "N ≥") == "wrong"


@pytest.mark.parametrize(
    "text",
    [
        SHARE + "Each has 3 GB, N ≥ 69.",
        SHARE + "\n\n# Next\n\nTo fit into 3 GB, N ≥ 69.",
        SHARE + "To fit into 3 GB.\n\nN ≥ 69.",
        "To fit into 3 GB, N ≥ 69, for memory per device is `208/N` GB.",
        "Memory per device: `208/M` GB. To fit into 3 GB, N ≥ 69.",
    ],
    ids=["without a limit", "in another section", "limit elsewhere", "formula behind", "other letter"],
)
def test_a_formula_or_a_limit_from_elsewhere_says_nothing(text: str) -> None:
    assert verdict(text, "N ≥") == "undecided"


def test_a_bound_in_letters_solves_the_condition() -> None:
    text = "$4sh > 6hf$ and so $s > {}$."
    assert last_step(text.format("3f/2")).reason == "solves 4*s*h > 6*h*f (line 1)"
    assert verdict(text.format("3f/2"), "s >") == "ok"
    wrong = last_step(text.format("2f/3"))
    assert wrong.verdict == "wrong"
    assert wrong.reason.startswith("does not solve 4*s*h > 6*h*f (line 1): at ")


@pytest.mark.parametrize("bound", ["3f/2 + g", "3s/2", "f^s", "h"])
def test_a_bound_in_other_letters_than_the_condition_is_not_judged(bound: str) -> None:
    assert verdict(f"$4sh > 6hf$ and so $s > {bound}$.", "s >") == "undecided"


def test_a_condition_on_other_letters_is_not_solved() -> None:
    assert verdict("$h f^2 > 2hf$ and so $s > 3f/2$.", "s >") == "undecided"
