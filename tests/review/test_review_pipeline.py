"""The pipeline is drawn so that it can be read, from the schedule that is run; what is not, is said."""

from fractions import Fraction
from itertools import pairwise

import pytest
from jobs import gpt3_175b, llama3_8b, llama3_405b

from workings.document.blocks import Block, Gantt, Heading, Number, Prose, Text
from workings.planning.cost import plan
from workings.planning.job import Job
from workings.review.desk import Desk
from workings.review.pipeline import pipeline, runs
from workings.simulate.interleaved import interleaved


def drawn(job: Job) -> list[Block]:
    """What stands below the heading, which nothing stands without."""
    heading, *found = list(pipeline(Desk(job, plan()))) or [Heading(2, ())]
    assert isinstance(heading, Heading)
    return found


def chart(job: Job) -> tuple[Gantt, str]:
    """The chart and its caption."""
    (found,) = drawn(job)
    assert isinstance(found, Gantt)
    return found, "".join(
        f"{piece.number} {piece.unit}" if isinstance(piece, Number) else piece.text
        for piece in found.caption if isinstance(piece, Text | Number)
    )  # fmt: skip


def test_many_chunks_are_drawn_as_runs_of_all_micro_batches() -> None:
    found, caption = chart(llama3_405b())
    assert len(found.lanes) == 16
    assert "all 16 micro-batches of a step" in caption
    assert max(len(lane.boxes) for lane in found.lanes) < 60


def test_no_work_is_lost_or_doubled_by_taking_tasks_together() -> None:
    schedule = interleaved(4, 4, 6, Fraction(1, 6), Fraction(1, 3))
    for rank in range(4):
        found = list(runs(schedule.of(rank)))
        assert sum(run.last.end - run.first.start for run in found) == schedule.busy(rank)
        for one, other in pairwise(found):
            apart = one.last.end < other.first.start
            assert apart or (one.first.kind, one.first.chunk) != (other.first.kind, other.first.chunk)


def test_a_part_of_the_micro_batches_is_said_to_be_one() -> None:
    _, caption = chart(gpt3_175b())
    assert "the first 24 of a step's 128 micro-batches, as if there were no more" in caption


def test_stages_of_unequal_blocks_are_said_to_be_drawn_alike() -> None:
    _, caption = chart(llama3_405b())
    assert "drawn alike, though they have 7, 8, …, 8, 7 blocks and the last computes" in caption
    _, caption = chart(gpt3_175b())
    assert "drawn alike, though the last computes the logits;" in caption


def test_the_waiting_that_is_drawn_stands_beside_that_of_the_whole_step() -> None:
    _, caption = chart(gpt3_175b())
    work, bubble = 24 * 3, Fraction((8 - 1) * 3, 2)  # in ticks, of 24 micro-batches and two chunks
    v = Desk(gpt3_175b(), plan()).base
    drawn, whole = bubble / (work + bubble), v["T_idle"] / (v["T_work"] + v["T_idle"])
    assert drawn > 4 * whole
    said = f"waits {float(drawn):.1%} of the time drawn, in the whole step {float(whole):.1%} of work and"
    assert said.replace("%", " %") in caption


def test_times_are_said_as_decimals() -> None:
    found, _ = chart(gpt3_175b())
    assert "takes 82.5 ticks" in found.alternative
    assert found.axis[-1] == (1.0, "82.5")


def test_of_many_stages_the_first_and_the_last_are_drawn() -> None:
    found, caption = chart(llama3_405b(p=32, v=4))
    assert [lane.name for lane in found.lanes][7:9] == ["rank 7", "rank 24"]
    assert "on ranks 0 to 7 and 24 to 31" in caption


@pytest.mark.parametrize("v", [5, 7, 10])
@pytest.mark.parametrize("p", [2, 4, 8, 16])
def test_many_chunks_on_few_stages_are_drawn_too(p: int, v: int) -> None:
    found, caption = chart(llama3_8b(n=p, t=1, t_e=1, p=p, v=v, L=p * v, b=4 * p, b_m=1, z_s=0))
    assert len(found.lanes) == p
    assert f"{v} chunks a rank" in caption
    assert " on ranks " not in caption


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"p": 128, "v": 1}, "128 stages are too many"),
        ({"b": 1024}, "fewer micro-batches than stages"),
        ({"p": 64, "v": 128, "n": 8192, "L": 8192}, "128 chunks on each of 64 stages are too many"),
        ({"p": 2, "v": 63}, "63 chunks on each of 2 stages are too many"),
    ],
)
def test_what_cannot_be_drawn_is_said_to_be_left_out(changed: dict[str, int], why: str) -> None:
    (found,) = drawn(llama3_405b(**changed))
    assert isinstance(found, Prose)
    assert isinstance(found.line[0], Text)
    assert why in found.line[0].text


def test_without_a_pipeline_there_is_no_chart() -> None:
    assert not list(pipeline(Desk(llama3_8b(), plan())))
