"""Which peaks of memory tell the odds of reviews."""

import pytest
from heldouts.evidence import says_what_is_kept

STATED = {"recompute": "full", "unknown": ["network"]}


@pytest.mark.parametrize(
    ("row", "says"),
    [
        (STATED, True),
        ({**STATED, "recompute": "selective (option not seen)"}, False),
        ({**STATED, "recompute": "not stated"}, False),
        ({"unknown": []}, False),
        ({**STATED, "unknown": ["recomputation in this very run"]}, False),
        ({**STATED, "unknown": ["micro-batch (4 sequences a replica)"]}, False),
    ],
)
def test_a_peak_counts_where_its_page_says_what_is_kept(row: dict[str, object], says: bool) -> None:
    assert says_what_is_kept(row) is says
