"""What to measure first: the assumptions whose range moves the results most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import log

from workings.planning.elasticity import Elasticity
from workings.planning.job import Figure


@dataclass(frozen=True, slots=True)
class Check:
    """How to measure an assumption: a command, and the letters whose product it should print."""

    name: str
    command: str
    reads: str
    letters: tuple[str, ...]


CHECKS: Mapping[str, Check] = {
    c.name: c
    for c in (
        Check("matmul_efficiency", "python -m torch.utils.benchmark on x @ w, BF16, the block's shapes",
              "FLOP/s of the matrix product", ("eta", "C")),
        Check("attention_efficiency", "FlashAttention's own benchmark at this length and head width",
              "FLOP/s of forward and backward", ("eta_a", "C")),
        Check("memory_efficiency", "nvbandwidth -t device_local_copy", "bytes per second",
              ("eta_m", "W_m")),
        Check("network_efficiency", "all_reduce_perf -b 1G -e 8G -f 2 -g 8 (nccl-tests)", "busbw",
              ("eta_w", "W_1")),
        Check("tp_hidden", "a profile of one step: tensor-parallel kernels without compute beside them",
              "share hidden", ("h_t",)),
        Check("pp_hidden", "a profile of one step: waits for receives", "share hidden", ("h_p",)),
        Check("dp_hidden", "a profile of one step: gradient kernels without compute beside them",
              "share of the backward they may hide behind", ("h_d",)),
        Check("core_computed", "a profile of one step: FLOPs of the attention kernel over 4 b s^2 H d_h",
              "share computed", ("kappa",)),
        Check("imbalance", "tokens of each expert over 100 steps of the router", "most over mean",
              ("lambda",)),
        Check("device_context", "nvidia-smi after torch.cuda.init()", "bytes in use", ("M_ctx",)),
        Check("communicators", "nvidia-smi before and after the first collective of every group",
              "bytes added", ("M_comm",)),
        Check("workspace", "bytes allocated around the first matrix product (torch.cuda)",
              "bytes added", ("M_work",)),
        Check("fragments", "torch.cuda's statistics of a step: peak reserved over peak active",
              "ratio, less 1", ("x_frag",)),
        Check("optimizer_temporary", "peak bytes allocated around the optimizer's step (torch.cuda)",
              "bytes a parameter", ("w_t",)),
        Check("loss_width", "bytes allocated before and after the loss's backward (torch.cuda)",
              "bytes a logit",
              ("w_d",)),
        Check("goodput", "productive time over wall time of the last long job", "share", ("gamma",)),
    )
}  # fmt: skip


@dataclass(frozen=True)
class Measurement:
    """A check that is worth making: its figure, what it may move, and by how much."""

    check: Check
    figure: Figure
    result: str
    weight: float  # |elasticity| times the logarithm of high over low


def first_to_measure(
    figures: Mapping[str, Figure], slopes: Mapping[str, Sequence[Elasticity]], most: int = 6
) -> tuple[Measurement, ...]:
    """The assumptions with the largest elasticity times range, the weightiest first."""
    best: dict[str, Measurement] = {}
    for result, found in slopes.items():
        for slope in found:
            figure = figures[slope.letter]
            check = CHECKS.get(figure.concept.name)
            if check is None or figure.sure:
                continue
            weight = abs(float(slope.value)) * _spread(figure)
            known = best.get(slope.letter)
            if weight and (known is None or weight > known.weight):
                best[slope.letter] = Measurement(check, figure, result, weight)
    return tuple(sorted(best.values(), key=lambda m: (-m.weight, m.figure.letter))[:most])


def _spread(figure: Figure) -> float:
    """How far apart the ends of its range lie, as a logarithm; a range from 0 counts as one of e."""
    ends = sorted(end for end in (figure.low, figure.high, figure.value) if end is not None)
    if not ends[0] or not ends[-1]:
        return 1.0 if ends[-1] else 0.0
    return log(ends[-1] / ends[0])


def predicted(check: Check, values: Mapping[str, Fraction]) -> Fraction:
    """What the check should print."""
    product = Fraction(1)
    for letter in check.letters:
        product *= values[letter]
    return product
