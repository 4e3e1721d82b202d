"""Whether the program that a job names has a way to say its layout."""

from __future__ import annotations

from workings.planning.job import Job, JobError


def sayable(job: Job) -> bool:
    """Whether it has; of a job that names no program, or one that no launch is written for, it is so."""
    from workings.planning.inputs.megatron.writing import megatron_arguments  # noqa: PLC0415 - rare
    from workings.planning.inputs.torchtitan_writing import expressible  # noqa: PLC0415 - rare

    says = {"megatron": megatron_arguments, "torchtitan": expressible}.get(job.framework)
    if says is None:
        return True
    try:
        says(job)
    except JobError:
        return False
    return True
