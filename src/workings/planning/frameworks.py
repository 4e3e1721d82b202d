"""What a program for training refuses of a layout, where a job names the program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from workings.planning.constraint import Constraint
from workings.planning.generations import generation
from workings.planning.job import Job
from workings.planning.letters import LAYOUT


class Framework(NamedTuple):
    """A program, and the constraints that it puts on a layout beside those of any.

    What it `warns` of holds on devices of other generations than those `spared`.
    """

    name: str
    refuses: tuple[Constraint, ...]
    warns: tuple[Constraint, ...] = ()
    spared: tuple[str, ...] = ()


def _unsharded(said: str) -> Constraint:
    return Constraint(
        f"{said} sharded gradients or weights beside a pipeline",
        lambda p, z_2: (z_2 == 0) | (p == 1),
    )


# DeepSpeed asserts it (deepspeed/runtime/pipe/engine.py, PipelineEngine.__init__). Megatron-LM shards
# gradients and weights through FSDP alone: validate_args refuses --use-torch-fsdp2 beside a pipeline, and
# Megatron-FSDP is made for tensor, expert and context parallelism (issue 1455, pull request 6081). Of
# gradients without weights it held all at once until August 2026 (issue 6314, pull request 6357: nobody
# was taken to use it), and no published run did. A fork tested it on 8 devices (ISEEKYAN, request 97);
# another, of ByteDance, overlaps ZeRO-2 with interleaved stages on 12,288 (arXiv 2402.15627, 3.2).
# validate_args warns of tensor or context parallelism beside FSDP, which ask for other orders of kernels
# (CUDA_DEVICE_MAX_CONNECTIONS), before Blackwell (megatron/training/arguments.py at d98e8a64).
FRAMEWORKS: Mapping[str, Framework] = {
    "megatron": Framework("Megatron-LM", (
        _unsharded("but for MegaScale's fork no run on more than 8 devices is known of Megatron-LM with"),
        Constraint("Megatron-LM that shards gradients and keeps weights whole held all of them at once "
                   "until August 2026 (issue 6314)",
                   lambda z_2, z_3: z_2 == z_3),
    ), (
        Constraint("before Blackwell Megatron-LM warns of tensor or context parallelism beside sharded "
                   "weights",
                   lambda t, c, z_3: (z_3 == 0) | ((t == 1) & (c == 1))),
    ), ("NVIDIA Blackwell",)),
    "deepspeed": Framework("DeepSpeed", (_unsharded("DeepSpeed refuses"),)),
    "torchtitan": Framework("torchtitan", (
        Constraint("torchtitan shares sequences beside tensor parallelism unless told otherwise",
                   lambda t, z_s: (t == 1) | (z_s == 1)),
        Constraint("torchtitan's FSDP shards gradients with the optimizer state",
                   lambda z_1, z_2: (z_1 == 0) | (z_2 == 1)),
    )),
}  # fmt: skip


def refused(framework: str, devices: str) -> tuple[Constraint, ...]:
    """What the named program refuses or warns of on devices of a generation; nothing without a name."""
    if not framework:
        return ()
    found = FRAMEWORKS[framework]
    return (*found.refuses, *(found.warns if devices not in found.spared else ()))


def against(job: Job) -> tuple[str, ...]:
    """What the job's program refuses or warns of in the job's own layout, each in words."""
    layout = {name: int(job.figures[name].value) for name in LAYOUT}
    every = refused(job.framework, generation(job.device))
    return tuple(one.words for one in every if not one.allows(layout))
