"""What must hold of any schedule that was really run."""

from itertools import pairwise

from workings.simulate.schedule import Schedule, Task


def assert_it_could_have_run(schedule: Schedule) -> None:
    """No rank does two things at once (but overlapped pairs), and each task has what it needs."""
    for rank in range(schedule.ranks):
        spans = sorted({(task.start, task.end) for task in schedule.of(rank)})
        assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    for microbatch in range(schedule.microbatches):
        assert_in_order([task for task in schedule.tasks if task.microbatch == microbatch])


def assert_in_order(tasks: list[Task]) -> None:
    """Forward stage by stage, backward the same way back, gradients of weights after those of inputs.

    The stages are taken in the order in which the forwards ran.
    """
    forwards = sorted((t for t in tasks if t.kind == "forward"), key=lambda t: (t.start, t.end))
    stages = [(t.rank, t.chunk) for t in forwards]
    assert len(set(stages)) == len(stages)
    back = {(t.rank, t.chunk): t for t in tasks if t.kind in ("backward", "input gradient")}
    assert len(back) == len(stages)
    way = [*forwards, *(back[stage] for stage in reversed(stages))]
    assert all(one.end <= following.start for one, following in pairwise(way))
    weights = {(t.rank, t.chunk): t for t in tasks if t.kind == "weight gradient"}
    split = {stage for stage, task in back.items() if task.kind == "input gradient"}
    assert set(weights) == split
    assert all(back[stage].end <= task.start for stage, task in weights.items())
    assert len(tasks) == len(way) + len(weights)
