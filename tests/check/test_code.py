"""Code is read as code: assignments, the results their comments state, and formulas in plain fences."""

import pytest
from judged_pages import fence, flagged, verdicts


def python(*lines: str) -> list[tuple[str, str]]:
    return verdicts(fence("python", *lines))  # type: ignore[return-value]


def test_an_assignment_gives_a_name_its_meaning() -> None:
    assert python("N = 70e9") == [("N = 70e9", "ok")]


def test_a_result_in_a_comment_is_checked() -> None:
    assert python("y = 2**10  # -> 1024") == [("y = 2**10", "ok"), ("2**10  # -> 1024", "ok")]
    assert python("y = 2**10  # = 1000000")[-1][1] == "wrong"


def test_a_result_is_checked_against_names_assigned_before() -> None:
    assert flagged(fence("python", "N = 70e9", "a = N * 2  # = 140e9", "b = N * 4  # = 140e9")) == [
        "N * 4  # = 140e9"
    ]


@pytest.mark.parametrize(
    "line",
    [
        "a = 0xFF  # = 255",
        "b = a if a else 3  # = 3",
        "c = f(3)  # = 9",
        "d = [1, 2]  # = 2",
        "e = 10 % 3  # = 1",
        "g = 1 << 20  # = 1048576",
        'h = "3 = 4"',
        "if a == 3: pass",
        "z = 7 // 2  # = 3",
        "x, y = 3, 4",
        "print(f'{3 * 4 = }')",
        "assert 2 + 2 == 4",
        "x += 3  # = 7",
        "n = len(x) * 2  # = 8",
    ],
)
def test_what_only_a_program_can_say_is_not_accused(line: str) -> None:
    assert flagged(fence("python", "a = 3", line)) == []


def test_integer_division_is_no_comment() -> None:
    assert python("z = 7 // 2")[0] == ("z = 7 // 2", "ok")


def test_chains_in_a_comment_are_checked() -> None:
    assert flagged(fence("python", "# memory: 2 * 70 = 150 GB", "x = 1")) == ["2 * 70 = 150 GB"]


def test_a_fence_without_a_language_holds_formulas() -> None:
    lines = (
        "params = 12 * 80 * 8192^2 = 64.4B",
        "memory = 64.4B * 2 bytes = 128.8 GB",
        "total = 128.8 GB + 10 GB = 150 GB",
    )
    assert flagged(fence("", *lines)) == ["128.8 GB + 10 GB = 150 GB"]


@pytest.mark.parametrize("language", ["bash", "yaml", "json", "c"])
def test_other_languages_are_left_alone(language: str) -> None:
    assert verdicts(fence(language, "N = 3 + 4 = 8")) == []
