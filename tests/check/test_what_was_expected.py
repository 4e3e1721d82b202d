"""What a wrong step should have said, as it is shown."""

import pytest
from judged_pages import statements


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (r"S \text{ bytes} + 2 S \text{ bytes} = 4 S \text{ bytes}", "3*S B"),
        (r"2 S \text{ GB} = 3 S \text{ GB}", "2*S GB"),
        (r"\frac{BFD}{DF} = 2 B", "B"),
    ],
)
def test_what_was_expected_is_written_without_ones(formula: str, expected: str) -> None:
    (found,) = statements(f"Of $B$, $D$ and $F$: ${formula}$")
    assert found.expected == expected
