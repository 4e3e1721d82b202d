"""What the model leaves out, of what this job has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from workings.document.blocks import Block, Items, Prose, Text
from workings.planning.exact import exactly
from workings.planning.precision import EIGHT
from workings.planning.working import shown
from workings.review.alternatives import Alternatives
from workings.review.desk import Desk
from workings.review.front_page import heading
from workings.review.numbers import percent
from workings.units import SECOND

LONG = {"alpha_1": Fraction(34, 10**7), "alpha_2": Fraction(14, 10**6)}  # of NCCL's Simple protocol
SLIGHT = Fraction(1, 1000)  # of a step, below which a delay is not spoken of
MODELS = "presets/models/"
NEXT = b"without the multi-token prediction module"  # in the notes of a preset
ALWAYS = (
    "Stragglers, jitter, clocks lowered for heat or power, input pipeline, evaluation and logging.",
    "Failures, checkpoints and restarts one by one: the goodput stands for all of them.",
)


def left_out(desk: Desk, found: Alternatives | None = None) -> Iterator[Block]:
    """The list, of this layout and of the one that is proposed beside it."""
    yield heading("What the model leaves out")
    beside = found.proposed if found and found.proposed else desk.base
    said = (
        *_of_job(desk),
        *_starts(desk),
        *_of({**desk.base, "c": max(desk.base["c"], beside["c"])}),
        *ALWAYS,
    )
    yield Items(tuple((Prose((Text(text),)),) for text in said))


def _of_job(desk: Desk) -> Iterator[str]:
    """What the job's device and the notes of its model's preset tell."""
    if desk.device[1] == EIGHT:
        yield "Casts to 8 bits and their scales: they cost neither time nor memory in the model."
    if any(NEXT in data for name, data in desk.job.files.items() if name.startswith(MODELS)):
        yield "The module that predicts a second token: neither its memory nor its time is planned."


def _starts(desk: Desk) -> Iterator[str]:
    """How much longer a step takes if a ring's messages start as NCCL's long ones, where presets tell.

    Messages to experts go to everybody at once, mostly by other libraries; they stay as they are. All in
    all the published runs are predicted no better so, which is why it is told and not reckoned with.
    """
    figures, v = [desk.job.figures[letter] for letter in LONG], desk.base
    if any(one.kind != "preset" or "NCCL" not in one.source for one in figures):
        return
    given = {**desk.job.values(), **LONG, "T_ea": v["T_ea"], "T_et": v["T_et"]}
    longer = exactly(desk.plan, given, ["T_step"])["T_step"] / v["T_step"] - 1
    if longer < SLIGHT:
        return
    inside, between = (shown(one.value, SECOND) for one in figures)
    long = " and ".join(f"{float(value * 10**6):g}" for value in LONG.values()) + " us"
    yield (
        f"Long messages of rings start later than short ones, whose {inside} a hop inside a node and "
        f"{between} between are taken: by NCCL's Simple protocol, {long} (src/graph/tuning.cc), "
        f"a step takes {percent(longer)} longer."
    )


def _of(v: Mapping[str, Fraction]) -> Iterator[str]:
    """Only what this model, cluster and layout give an occasion for."""
    if 0 < v["L_E"] < v["L"]:
        yield "Blocks that differ: those with experts and those without are taken in the mean."
    if v["E"]:
        yield "Routers whose balance changes from step to step, and tokens that are dropped."
        yield (
            "Memory of CUDA graphs (beside a pipeline more than 10 GB, by Megatron Bridge's guide) and "
            "of libraries that send tokens to experts (workspace of the job, where it gives one)."
        )
    if v["z_h"]:
        ranks = " and, as they leave ranks of a sequence unequal shares, make these wait for the slowest"
        yield ("Masks between the documents of a sequence, which leave attention less to compute"
               f"{ranks if v['c'] > 1 else ''}.")  # fmt: skip
    if v["z_h"] and v["d_h"] and v["t"] > v["K"]:
        yield "Copies of key and value heads, of which there are fewer than tensor-parallel ranks."
    if v["V"]:
        tied = ", and its gradients summed between first and last stage"
        yield f"Activations of the embedding{tied if v['p'] > 1 and v['n_emb'] == 1 else ''}."
    if v["x_off"] or v["x_host"]:
        what = " and the activations" if v["x_off"] and v["x_host"] else ""
        what = f"the optimizer state{what}" if v["x_off"] else "the activations"
        yield f"The memory of the hosts: whether it holds {what} that it is given."
    axes = sum(bool(v[f"q_{axis}"]) for axis in ("t", "c", "d", "p")) + bool(v["E"] and v["q_e"])
    if axes > 1:
        yield "Contention between axes that use the network at once, and congestion inside it."
    elif axes:
        yield "Congestion inside the network."
    if v["c"] > 1:
        yield "Start-up times of the messages that carry keys and values between context-parallel ranks."
