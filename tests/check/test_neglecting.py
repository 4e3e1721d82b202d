"""An equals sign where the words say that something small is left out."""

import pytest
from judged_pages import statements

from workings.check.verdicts import Verdict

STEP = "$12 L d^2 + 13 d = 12 L d^2$"


def found(text: str) -> Verdict:
    return next(s.verdict for s in statements(text) if s.quote.startswith("12 L d^2 + "))


@pytest.mark.parametrize(
    "text",
    [
        f"For $L ≫ 1$, {STEP}.",
        f"For large L, {STEP}.",
        f"As L is much larger than 1, {STEP}.",
        f"We ignore norms: {STEP}.",
        f"Neglecting norms, {STEP}.",
        f"{STEP}, for the first term dominates.",
        f"{STEP}, as norms are negligible.",
        f"忽略：{STEP}。",
    ],
)
def test_a_term_said_to_be_small_may_be_left_out(text: str) -> None:
    assert found(text) == "depends"


@pytest.mark.parametrize(
    "text",
    [
        f"The count is {STEP}.",
        "Neglecting norms, $12 L d^2 + 13 d = 24 L d^2$.",
        f"We ignore norms. {'Then come many other words. ' * 6}{STEP}.",
        f"{STEP}. {'Then come many other words. ' * 3}We ignore norms.",
    ],
    ids=["nothing said", "another leading term", "said long before", "said long after"],
)
def test_other_terms_may_not(text: str) -> None:
    assert found(text) == "wrong"


def test_the_step_says_what_it_depends_on() -> None:
    (step,) = statements(f"Neglecting norms, {STEP}.")
    assert step.reason == "holds with what is small left out"
