"""What is said of the layouts that a search looked at."""

from jobs import llama3_405b
from reviewed import files, review

from workings.planning.accuracy import MOST_CHUNKS, step_times


def test_what_bounds_the_chunks_of_a_rank_is_true_of_the_runs_known_here() -> None:
    more = [run for run in step_times() if run.values["v"] > MOST_CHUNKS]
    said = files(review(llama3_405b()), ("md",))["review.md"]
    assert more
    assert (f"at most {MOST_CHUNKS} chunks a rank, as all but {len(more)} of the {len(step_times()):,} "
            "published runs known here have,") in said  # fmt: skip


def test_a_layout_with_more_chunks_bounds_them_itself() -> None:
    v = llama3_405b(v=14, p=8).values()
    assert v["v"] > MOST_CHUNKS
    said = files(review(llama3_405b(v=14, p=8, b=4096)), ("md",))["review.md"]
    assert "have at most 14 chunks a rank, as the layout under review has," in said
