"""Advice of the five texts that no number of a job can show kept: listed, not checked."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Practice:
    """A piece of advice, where it stands, and how to see to it."""

    advice: str
    text: str
    instead: str


UNCHECKED: tuple[Practice, ...] = (
    Practice(
        "one connection a device, so that transfers start in the order of the program",
        "001, tensor parallelism overlap 1",
        "look for CUDA_DEVICE_MAX_CONNECTIONS=1 in the environment (before Blackwell, no FSDP)",
    ),
    Practice(
        "gradients are added where they are kept, not in a pass of their own",
        "001, tensor parallelism overlap 3",
        "look for gradient accumulation fusion in the launch arguments",
    ),
    Practice(
        "the size of gradient buckets is tuned",
        "001, data parallelism efficiency 3",
        "measure a step at several bucket sizes; the model takes a block or a chunk for one",
    ),
    Practice(
        "gradients are synchronised while the pipeline drains",
        "001, data parallelism efficiency 4",
        "see derivation cooldown-hidden-sync for the most it can hide",
    ),
    Practice(
        "outputs of a stage are given back once they are sent",
        "001, complete configuration",
        "look for deallocate_pipeline_outputs; derivation output-deallocation says what it saves",
    ),
    Practice(
        "transfers do overlap",
        "001, best practice 8",
        "read a trace of one step; the shares h_t, h_e, h_p and h_d are assumptions until then",
    ),
)
