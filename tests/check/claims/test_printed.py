"""What code says it prints, and what a notebook printed."""

import json

import pytest
from claims_cases import claims, right, wrong

from workings.check.claims.printed import printed

SETUP = "batch = 8\nwidth = 4096\nsize = (batch * 2048 * width *\n        32 * 2) / 1024**3\n"


@pytest.mark.parametrize(
    "line",
    [
        'print(f"memory: {size:.1f}GB")  # ~4.0GB',
        'print(f"memory: {size:.1f} GB")  # -> 4.0',
        "print(size)  # = 4",
        "size * 2  # -> 8",
    ],
)
def test_a_comment_that_says_what_is_printed_is_explained(line: str) -> None:
    assert len(right(printed, f"```python\n{SETUP}{line}\n```\n")) == 1


def test_a_comment_that_says_another_number_is_wrong() -> None:
    page = f'```python\n{SETUP}print(f"memory: {{size:.1f}}GB")  # ~16.8GB\n```\n'
    assert wrong(printed, page) == ["16.8"]


@pytest.mark.parametrize(
    "code",
    [
        "size = load()\nprint(size)  # -> 16.8",
        "size = 4\nsize = 5\nprint(size)  # -> 4",  # which one ran last is not known
        "size = 4\nfor i in range(3):\n    size = size * 2\nprint(size)  # -> 32",
        "size = 4\nprint(size)  # 16 layers",
    ],
)
def test_names_of_no_single_value_prove_nothing(code: str) -> None:
    assert not wrong(printed, f"```python\n{code}\n```\n")


def notebook(source: str, *output: str) -> str:
    cell = {
        "cell_type": "code",
        "source": source,
        "outputs": [{"output_type": "stream", "text": line + "\n"} for line in output],
    }
    return json.dumps({"cells": [cell], "nbformat": 4, "metadata": {}})


def test_an_output_is_found_by_the_words_around_it() -> None:
    source = 'a = 3\nb = 7\nprint(f"sum: {a + b}, share: {a / b:.1%}")'
    page = notebook(source, "sum: 10, share: 42.9%")
    assert claims(printed, page, "n.ipynb") == [("10", "ok"), ("42.9", "ok")]
    assert wrong(printed, notebook(source, "sum: 11, share: 42.9%"), "n.ipynb") == ["11"]


def test_a_last_expression_is_what_the_cell_shows() -> None:
    page = notebook("a = 3.0e9\na / 1e9, a / 1e6", "(3.0, 3500.0)")
    assert claims(printed, page, "n.ipynb") == [("3.0", "ok"), ("3500.0", "wrong")]


def test_code_that_would_grow_without_bound_is_not_worked_out() -> None:
    lines = [
        "a = 9**999",
        *["a = a*a"] * 40,
        "b = 10",
        "c = b**b**b**b",
        "print(a)  # -> 1",
        "print(c)  # -> 1",
    ]
    assert not claims(printed, "```python\n" + "\n".join(lines) + "\n```\n")
