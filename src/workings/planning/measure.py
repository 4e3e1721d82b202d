"""What to measure first: the assumptions whose range moves the results most.

That is elasticity times uncertainty where a result follows its input smoothly; where it does not,
as with traffic that hides until it no longer can, only both ends of the range show it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import log

from workings.planning.exact import exactly
from workings.planning.job import Figure
from workings.planning.precision import EIGHT, SIXTEEN, THIRTY_TWO
from workings.planning.statement import Plan

LEAST = 0.005  # effect below which nothing need be measured
# Where assumed, they are fitted to whole runs and stand for clocks, shapes and all that those lose: a
# product or a gap that is timed alone is another thing.
OF_WHOLE_RUNS = ("matmul_efficiency", "block_gaps", "expert_gaps", "shard_gaps")
ALIKE = 9  # decimals in which effects are compared: days move as step time does


@dataclass(frozen=True, slots=True)
class Check:
    """How to measure an assumption: a command, and the letters whose product it should print.

    `in_jax` is the command where there is no CUDA, as on TPUs.
    """

    name: str
    command: str
    reads: str
    letters: tuple[str, ...]
    in_jax: str = ""


_PROFILE = "a profile of one step: "
_IDLE = _PROFILE + "time in which no kernel runs, of a block "
_BITS = {EIGHT: "FP8", SIXTEEN: "BF16", THIRTY_TWO: "FP32"}
_MEMORY = "memory_stats() of a JAX device "
CHECKS: Mapping[str, Check] = {
    c.name: c
    for c in (
        Check("matmul_efficiency", "x @ w in {bits}, as in the block, timed by PyTorch's benchmark Timer",
              "FLOP/s of the matrix product", ("eta", "C"), "jnp.matmul in {bits}, timed"),
        Check("attention_efficiency", "FlashAttention's own benchmark at this length and head width",
              "FLOP/s of forward and backward", ("eta_a", "C"), "its kernel, timed at this length"),
        Check("memory_efficiency", "nvbandwidth -t device_local_copy", "bytes per second",
              ("eta_m", "W_m"), "jnp.copy of 1 GB, timed"),
        # Without a ring, NVLink SHARP sums in the switch, and busbw is not what went over a link.
        Check("link_efficiency",
              "NCCL_ALGO=Ring all_reduce_perf -b 1G -e 8G -f 2 -g {node} (nccl-tests, one node; of a "
              "rack by mpirun)",
              "busbw", ("eta_1", "W_1"), "jax.lax.psum of 1 GB along one axis, timed"),
        # One rank a node shows what a port of it carries.
        Check("network_efficiency",
              "NCCL_ALGO=Ring all_reduce_perf -b 1G -e 8G -f 2 -g 1 (nccl-tests, one rank a node)",
              "busbw", ("eta_2", "W_2"), "jax.lax.psum of 1 GB between hosts, timed"),
        Check("tp_hidden", _PROFILE + "tensor-parallel kernels without compute beside them",
              "share hidden", ("h_t",)),
        Check("block_gaps", _IDLE + "without experts", "seconds", ("T_gap",)),
        Check("expert_gaps", _IDLE + "with experts, less block_gaps", "seconds", ("T_gap_x",)),
        Check("shard_gaps", _IDLE + "under ZeRO-3, less block_gaps", "seconds", ("T_gap_z",)),
        Check("ep_hidden", _PROFILE + "kernels that send tokens to experts, without compute beside them",
              "share hidden", ("h_e",)),
        Check("pp_hidden", _PROFILE + "waits for receives", "share hidden", ("h_p",)),
        Check("dp_hidden", _PROFILE + "gradient kernels without compute beside them",
              "share of the compute (from ZeRO 2 on, of all micro-batches) they hide behind", ("h_d",)),
        Check("core_computed", _PROFILE + "FLOPs of the attention kernel over those of all scores",
              "share computed", ("kappa",)),
        Check("imbalance", "tokens of each rank of experts in each micro-batch of 100 steps, of a router "
              "that has learned",
              "most over mean, on average", ("lambda",)),
        Check("device_context", "nvidia-smi after torch.cuda.init()", "bytes in use", ("M_ctx",),
              _MEMORY + "before the first array"),
        Check("communicator", "nvidia-smi before and after the first collective of every group",
              "bytes added, over the number of groups", ("M_grp",),
              _MEMORY + "before and after the first collectives, over the number of groups"),
        Check("workspace", "bytes allocated around the first matrix product (torch.cuda)",
              "bytes added", ("M_work",), _MEMORY + "around the first matrix product"),
        Check("fragments", "torch.cuda's statistics of a step: peak reserved over peak active",
              "ratio, less 1", ("x_frag",), _MEMORY + "of a step: peak over what is live"),
        Check("optimizer_temporary", "peak bytes allocated in the optimizer's step (torch.cuda)",
              "bytes a parameter", ("w_t",), _MEMORY + "of the optimizer's step: peak"),
        Check("loss_width", "bytes allocated before and after the loss's backward (torch.cuda)",
              "bytes a logit", ("w_d",), _MEMORY + "around the loss's backward"),
        Check("host_link", "nvbandwidth -t host_to_device_memcpy_ce", "bytes per second", ("W_h",),
              "jax.device_put of 1 GB, timed"),
        Check("host_memory", "the host optimizer's step, timed on every device of a node at once",
              "bytes of state read and written per second, a device", ("W_hm",)),
        # Results that no assumption settles alone.
        Check("peak_memory", "{some}, nvidia-smi's memory.used on every rank",
              "the most", ("M",), "{some}, memory_stats() of each device: peak"),
        Check("step_time", "{some}, the first ones left out", "time of a step",
              ("T_step",)),
        Check("goodput", "productive time over wall time of the last long job", "share", ("gamma",)),
    )
}  # fmt: skip


def check_of(
    name: str, values: Mapping[str, Fraction], *, cuda: bool, bits: str = SIXTEEN
) -> Check | None:
    """The check of an assumption as this job, at its precision, can make it; None where there is none."""
    found = CHECKS.get(name)
    if found is None:
        return None
    command = found.in_jax if found.in_jax and not cuda else found.command
    node = int(min(values["n_node"], values["n"]))
    some = "a few steps of this layout"
    some += " from trained weights" if values["E"] else ""  # first steps do not show how routers balance
    return replace(found, command=command.format(node=node, bits=_BITS[bits], some=some))


@dataclass(frozen=True)
class Measurement:
    """A check that is worth making: its figure, the result it moves most, and by how much.

    `effect` is the logarithm of the result at one end of the figure's range over that at the other.
    """

    check: Check
    figure: Figure
    result: str
    effect: float


def effects(
    plan: Plan, figures: Mapping[str, Figure], results: Sequence[str]
) -> dict[str, dict[str, float]]:
    """By letter and result, how far a figure's range moves the result, all others where they are."""
    given = {name: figure.value for name, figure in figures.items()}
    found: dict[str, dict[str, float]] = {}
    for name, figure in figures.items():
        if figure.sure:
            continue
        ends = [figure.value if end is None else end for end in (figure.low, figure.high)]
        cases = [exactly(plan, {**given, name: end}, results) for end in ends]
        found[name] = {r: abs(log(cases[1][r] / cases[0][r])) for r in results if cases[0][r] > 0}
    return found


def of_whole_runs(figure: Figure) -> bool:
    """Whether only whole runs tell of an assumption, as it was fitted to them."""
    return figure.kind == "assumed" and figure.concept.name in OF_WHOLE_RUNS


def first_to_measure(
    figures: Mapping[str, Figure],
    moved: Mapping[str, Mapping[str, float]],
    values: Mapping[str, Fraction],
    *,
    cuda: bool = True,
    bits: str = SIXTEEN,
    most: int = 6,
    decides: Callable[[Measurement], bool] = lambda _: False,
) -> tuple[Measurement, ...]:
    """The figures whose range moves a result most, of those that can be measured one by one.

    `values` are those of every statement; without `cuda` commands are JAX's. What `decides` comes
    before what does not.
    """
    found = []
    for name, by_result in moved.items():
        check = check_of(figures[name].concept.name, values, cuda=cuda, bits=bits)
        result = max(by_result, key=lambda r: round(by_result[r], ALIKE), default="")
        alone = check is not None and not of_whole_runs(figures[name])
        if check is not None and alone and result and by_result[result] >= LEAST:
            found.append(Measurement(check, figures[name], result, by_result[result]))
    return tuple(sorted(found, key=lambda m: (not decides(m), -m.effect, m.figure.letter))[:most])


def predicted(check: Check, values: Mapping[str, Fraction]) -> Fraction:
    """What the check should print."""
    product = Fraction(1)
    for letter in check.letters:
        product *= values[letter]
    return product
