"""A loop over cases fails with every case that fails, and only then."""

import pytest
from looping import each


def test_every_case_that_fails_is_named_with_its_reason() -> None:
    seen = []

    @each("one, other", [(1, 1), (2, 3), (4, 4), (5, 6)])
    def equal(one: int, other: int) -> None:
        seen.append(one)
        assert one == other, f"{one} is not {other}"

    with pytest.raises(AssertionError, match="2 of 4 cases fail") as caught:
        equal()
    assert "case 1, one=2 other=3: AssertionError: 2 is not 3" in str(caught.value)
    assert "case 3, one=5 other=6: AssertionError: 5 is not 6" in str(caught.value)
    assert seen == [1, 2, 4, 5]


def test_an_error_is_a_failure_too_and_loops_may_lie_in_each_other() -> None:
    @each("x", [1, 0], ids=lambda x: f"x is {x}")
    @each("y", [0, 2])
    def divided(x: int, y: int) -> None:
        assert y / x >= 0

    with pytest.raises(
        AssertionError, match=r"1 of 2 cases fail\ncase 1, x is 0: .*2 of 2 cases fail"
    ) as caught:
        divided()
    assert "ZeroDivisionError" in str(caught.value)


def test_no_cases_are_no_test() -> None:
    with pytest.raises(AssertionError, match="no cases of x"):
        each("x", [])


@each("number", range(3))
def test_fixtures_are_shared_by_the_cases(number: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert tmp_path_factory.getbasetemp().exists()
    assert 0 <= number < 3
