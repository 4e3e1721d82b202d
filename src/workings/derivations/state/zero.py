"""ZeRO and FSDP.

Ranks that hold the same parameters need not all keep the same state. Stage by stage ZeRO shares the
optimizer's part, the gradients, and at last the weights, so that a device's state falls with the group
where stage 3 is used and has a floor where it is not. The four stages read one account four ways. Then
come shares to the last value of a padded buffer, the condition for stage 3 to fit and the smallest
group that does, hybrid sharding, whose copies save no memory, a second copy of the weights in every
node, which costs some, and a whole FSDP device with the activations of its blocks, its own or its share
of a batch's. The parameters are always those that a rank holds after tensor, pipeline and
expert parallelism.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from workings.derivation import Source, derivation, like, only_if
from workings.derivation.chain import Row, under
from workings.derivations.sources import ZERO, scaling_book
from workings.derivations.state.recipes import RECIPE, TRAINING_STATE, values
from workings.simulate.placement import place_fsdp
from workings.simulate.stored_state import flat_shard, mean, place
from workings.simulate.tensors import Tensor, total_bytes
from workings.units import BYTE, ONE
from workings.vocabulary.activations import KEPT_BY_BLOCKS, SAVED_WIDE
from workings.vocabulary.concept import Concept
from workings.vocabulary.layout import FSDP_DEGREE, NODE_DEVICES, STATE_COPIES, STATE_RANKS
from workings.vocabulary.memory import DEVICE_MEMORY
from workings.vocabulary.model import BLOCKS, D_MODEL
from workings.vocabulary.state import (
    HELD,
    HELD_1,
    HELD_2,
    HELD_3,
    STATE_RANKS_1,
    STATE_RANKS_2,
    STATE_RANKS_3,
)
from workings.vocabulary.training import ACTIVATION_WIDTH, TOKENS

CONVENTION = (
    "`P` counts the parameters a rank holds after tensor, pipeline and expert parallelism, `N` the "
    "ranks that hold the same ones: `d*c`, or those of one copy under hybrid sharding. "
    "The master weights count as optimizer state, so a recipe without a working copy has none to keep "
    "whole. Shards are even; parameters that do not divide by `N` are counted as their mean."
)

LEAVES_OUT = "Buffers of weights gathered or gradients reduced for the layer at work."


# What a device holds, and the stage from which the group shares it.
_HELD = (
    ("working weights", "w_c", 3),
    ("gradients", "w_g", 2),
    ("master weights", "w_p", 1),
    ("first moments", "w_o", 1),
    ("second moments", "w_o", 1),
)

ROWS = tuple(
    Row(name, f"{width}*P",
        f"shared by `N` from stage {first}" if stage >= first else "whole on each device",
        "N" if stage >= first else "1", when=(("stage", stage),))
    for stage in range(4) for name, width, first in _HELD
)  # fmt: skip

ZERO_STAGES = ZERO.at("figure 1, section 5 and table 1")

_PARAMETERS = (HELD, HELD_1, HELD_2, HELD_3)
_RANKS = (STATE_RANKS, STATE_RANKS_1, STATE_RANKS_2, STATE_RANKS_3)


def letters(stage: int) -> Mapping[str, Concept]:
    """The letters at a stage: a scenario gives those of the rank that keeps most there."""
    return {**RECIPE, "P": _PARAMETERS[stage], "N": _RANKS[stage]}


_SHARDED = {
    0: (),
    1: ("master", "first moment", "second moment"),
    2: ("master", "first moment", "second moment", "gradient"),
    3: ("master", "first moment", "second moment", "gradient", "working"),
}


def mean_device(N: int, *, stage: int, copies: int = 1, **letters: Any) -> Fraction:
    """Every value laid on the devices that hold it at this stage; the mean of all devices."""
    return mean(place(values(**letters), N, _SHARDED[stage], copies))


def lay_on_every_device(**letters: Any) -> Fraction:
    """Every value laid on every device of the group; the mean of all devices."""
    return mean_device(**letters, stage=0)


ZERO_0_STATE = derivation(
    "zero-0-state",
    title="Model state of a device under plain data parallelism (ZeRO stage 0)",
    phrases="DDP model states; replicated memory per GPU; no sharding baseline; why does DDP run out of "
    "memory on 7B; unsharded weights grads optimizer on every GPU; 16 bytes times params per GPU DDP; "
    "every card keeps full copy, memory; DistributedDataParallel replicates everything; data parallel "
    "does not save memory",
    unit=BYTE,
    letters=letters(0),
    given=("w_c > 0[byte]",),
    source=ZERO_STAGES,
    oracle=lay_on_every_device,
    convention=CONVENTION,
    leaves_out=LEAVES_OUT,
    ledger=under(ROWS, stage=0),
    chain="""
    S_0 = rows                                              -- add the rows
      = (w_c + w_g + w_p + 2*w_o)*P                      -- nothing is shared: `N` does not appear
    """,
)


def deal_the_optimizer_out(**letters: Any) -> Fraction:
    """Optimizer values dealt out, the rest laid on all devices; the mean of all devices."""
    return mean_device(**letters, stage=1)


ZERO_1_STATE = like(
    "zero-1-state",
    ZERO_0_STATE,
    title="Model state of a device under ZeRO stage 1",
    phrases="optimizer states partitioned over data-parallel ranks; "
    "only optimizer state partitioned; "
    "P_os memory; optimizer state sharding per GPU; ZeRO-1 4Ψ + 12Ψ/N; only optimizer states "
    "divided among cards; DeepSpeed zero_optimization stage 1 footprint; 4 Psi plus 12 Psi over N; "
    "ZeroRedundancyOptimizer memory per GPU; DeepSpeed stage one memory",
    letters=letters(1),
    oracle=deal_the_optimizer_out,
    ledger=under(ROWS, stage=1),
    chain="""
    S_1 = rows                                              -- add the rows
      = (w_c + w_g)*P + (w_p + 2*w_o)*P/N                -- only the optimizer state is shared
      >= (w_c + w_g)*P                                   -- what no group, however large, can save
    """,
)


def deal_gradients_out_too(**letters: Any) -> Fraction:
    """Optimizer values and gradients dealt out, weights laid on all devices; the mean of all devices."""
    return mean_device(**letters, stage=2)


ZERO_2_STATE = like(
    "zero-2-state",
    ZERO_0_STATE,
    title="Model state of a device under ZeRO stage 2",
    phrases="optimizer states and gradients partitioned; "
    "optimizer state and gradient sharding per rank; "
    "P_os+g memory; gradient sharding per GPU; ZeRO-2 2Ψ + 14Ψ/N; DeepSpeed zero_optimization "
    "stage 2 footprint; SHARD_GRAD_OP per GPU memory; 2 Psi plus 14 Psi over N; DeepSpeed stage two "
    "memory",
    letters=letters(2),
    oracle=deal_gradients_out_too,
    ledger=under(ROWS, stage=2),
    chain="""
    S_2 = rows                                              -- add the rows
      = w_c*P + (w_g + w_p + 2*w_o)*P/N                  -- gradients are shared too
      >= w_c*P                                           -- what no group, however large, can save
    """,
)


def deal_everything_out(**letters: Any) -> Fraction:
    """Every value dealt to one device of the group; the mean of all devices."""
    return mean_device(**letters, stage=3)


ZERO_3_STATE = like(
    "zero-3-state",
    ZERO_0_STATE,
    title="Model state of a device under ZeRO stage 3 (FSDP)",
    phrases="P_os+g+p memory; full sharding per GPU; ZeRO-3 16Ψ/N; FSDP model states; weights gradients "
    "optimizer sliced over all cards; everything divided among cards; DeepSpeed stage three memory; how "
    "much does each GPU hold with FSDP; 16 Psi over N",
    letters=letters(3),
    oracle=deal_everything_out,
    ledger=under(ROWS, stage=3),
    chain="""
    S_3 = rows                                              -- add the rows
      = (w_c + w_g + w_p + 2*w_o)*P/N                    -- everything is shared
    """,
)


TORCHTITAN_FSDP = Source(
    "Meta",
    "torchtitan",
    None,
    "docs/fsdp.md, the table of FSDP1's and FSDP2's sharding strategies",
    "https://github.com/pytorch/torchtitan/blob/main/docs/fsdp.md",
)


def cut_flat_buffers(N: int, P: int, **widths: Fraction) -> Fraction:
    """Each flat buffer padded and cut into equal pieces; one piece of each, value by value."""
    kept = [widths["w_c"], widths["w_g"], widths["w_p"], widths["w_o"], widths["w_o"]]
    return sum((width for width in kept for _ in range(flat_shard(P, N))), Fraction(0))


FULLEST_SHARD_STATE = derivation(
    "fullest-shard-state",
    title="Model state of a device under ZeRO stage 3, to the last value",
    phrases="ZeRO-3 padding; largest shard exact ceil(P/N); shard memory when sizes do not divide; "
    "dim-0 sharding remainder in FSDP2; rank with biggest FSDP shard; exact fully sharded memory with "
    "rounding up; uneven ZeRO-3 shards, the largest",
    unit=BYTE,
    letters=letters(3),
    source=TORCHTITAN_FSDP,
    oracle=cut_flat_buffers,
    convention="All parameters lie in one flat buffer, as in FSDP1 with a single unit; with several "
    "units each pads its own, FSDP2 pads the first dimension of each parameter.",
    ledger=tuple(
        Row(name, f"{width}*ceil(P/N)", "one of `N` equal pieces of a padded buffer")
        for name, width, _ in _HELD
    ),
    chain="""
    S_pad = rows                                           -- add the rows
      = (w_c + w_g + w_p + 2*w_o)*ceil(P/N)                -- no device holds more than `ceil(P/N)`
    """,
)


def lay_and_compare(N: int, M_max: Any, **letters: Any) -> bool:
    """Every value dealt to one device of the group; the mean of all devices against the memory."""
    return bool(mean_device(N, stage=3, **letters) <= M_max)


ZERO_3_FITS = derivation(
    "zero-3-fits",
    title="Devices from which model state fits under ZeRO stage 3",
    phrases="GPU bound for ZeRO-3; N ≥ S/M; how many cards until sharded model fits; GPU count so "
    "sharded states fit in 80 GB; can FSDP on 8 GPUs hold a 70B; enough GPUs for full sharding; largest "
    "model ZeRO-3 can train on N GPUs",
    unit=ONE,
    noun="devices",
    letters={**RECIPE, "P": HELD_3, "N": STATE_RANKS_3, "M_max": DEVICE_MEMORY},
    uses={"S_any": TRAINING_STATE.at()},
    source=ZERO_STAGES,
    oracle=lay_and_compare,
    leaves_out="Activations, gathered weights and other buffers: `M_max` is what they leave.",
    chain="""
    S_any/N <= M_max                     -- a device's share must fit its memory
      <=> S_any <= N*M_max               -- the memories of all devices together
      <=> N >= S_any/M_max               -- solve for the devices
    """,
)


def add_devices(M_max: Any, **letters: Any) -> int | None:
    """Devices added one at a time until a device's share of all values fits its memory."""
    for devices in range(1, 41):
        if lay_and_compare(devices, M_max, **letters):
            return devices
    return None


ZERO_3_SMALLEST_GROUP = like(
    "zero-3-smallest-group",
    ZERO_3_FITS,
    title="Smallest group that holds model state under ZeRO stage 3",
    phrases="minimum GPUs for ZeRO-3; smallest FSDP group for state; smallest integer number of GPUs "
    "for full sharding; least whole FSDP shard degree in memory; minimum dp_shard, rounded up; least "
    "devices for FSDP to fit weights and optimizer",
    letters={**RECIPE, "P": HELD_3, "M_max": DEVICE_MEMORY},
    given=("S_any > 0 -- there is nothing to hold",),
    oracle=add_devices,
    convention="The bound at which ZeRO stage 3 fits, rounded up to a whole number.",
    chain="""
    N_min = ceil(S_any/M_max)            -- the smallest whole `N` that is at least `S_any/M_max`
    """,
)


def lay_on_groups(n_r: int, **letters: Any) -> Fraction:
    """Every value dealt to one device of each group, group after group; the mean of all devices."""
    return mean_device(**letters, stage=3, copies=n_r)


HSDP_STATE = like(
    "hsdp-state",
    ZERO_3_STATE,
    title="Model state of a device under hybrid sharding (HSDP)",
    phrases="HSDP memory; hybrid shard model state; state per GPU with shard groups and replicas; shard "
    "within node, replicate across nodes, footprint; num_distributed_optimizer_instances footprint; "
    "MiCS memory per GPU; ZeRO++ hpZ style state per GPU; memory when sharding inside node, copying "
    "across nodes; dp_shard with dp_replicate memory",
    letters={**letters(3), "n_r": STATE_COPIES},
    source=TORCHTITAN_FSDP,
    oracle=lay_on_groups,
    convention="As much as zero-3-state, whose `N` are then the ranks that share one copy.",
    ledger=(
        Row("working weights", "n_r*w_c*P", "`n_r` groups hold a copy each", "(n_r*N)"),
        Row("gradients", "n_r*w_g*P", "reduced inside a group, then across groups", "(n_r*N)"),
        Row("master weights", "n_r*w_p*P", "every group updates its own copy", "(n_r*N)"),
        Row("first moments", "n_r*w_o*P", "every group updates its own copy", "(n_r*N)"),
        Row("second moments", "n_r*w_o*P", "every group updates its own copy", "(n_r*N)"),
    ),
    chain="""
    S_h = rows                                               -- add the rows
      = n_r*(w_c + w_g + w_p + 2*w_o)*P/(n_r*N)              -- all copies, over all devices
      = (w_c + w_g + w_p + 2*w_o)*P/N                        -- more groups save no memory
    """,
)


def lay_a_copy_in_each_node(N: int, n_node: int, P: int, **widths: Any) -> Fraction:
    """Every value dealt to one device of the group; working weights once more in each node."""
    only_if(N % n_node == 0)
    state = mean_device(N, stage=3, P=P, **widths)
    node = [Fraction(0)] * n_node
    for value in range(P):
        node[value % n_node] += widths["w_c"]
    return state + sum(node, Fraction(0)) / n_node


ZERO_PLUS_PLUS_STATE = like(
    "zero-plus-plus-state",
    ZERO_3_STATE,
    title="Model state of a device under ZeRO++, with a second copy of the weights in every node",
    phrases="hpZ memory; secondary partition of the weights within a node; ZeRO++ memory per GPU; "
    "zero_hpz_partition_size footprint; full copy of the weights in each node; memory price of "
    "hierarchical partitioning; how much more memory than ZeRO-3 does ZeRO++ need",
    letters={**letters(3), "n_node": NODE_DEVICES},
    source=Source(
        "Wang et al.",
        "ZeRO++: Extremely Efficient Collective Communication for Giant Model Training",
        2023,
        "its section on hpZ: hierarchical partitioning, a secondary copy of the weights in each node",
        "https://arxiv.org/abs/2306.10209",
    ),
    oracle=lay_a_copy_in_each_node,
    convention="As zero-3-state, whose `N` may be any number of nodes; the devices of a node share the "
    "second copy (hpZ), which has the width of the working weights.",
    ledger=(
        *under(ROWS, stage=3),
        Row("second copy of the weights", "w_c*P", "shared by the devices of a node", "n_node"),
    ),
    chain="""
    S_pp = rows                                             -- add the rows
      = (w_c + w_g + w_p + 2*w_o)*P/N + w_c*P/n_node        -- that of ZeRO-3, and the copy
    """,
)


def deal_out_the_state(N: int, A_L: Fraction, **letters: Any) -> Fraction:
    """Every tensor of the state dealt to the devices, every block's activations kept on each."""
    state = [value.bytes for value in values(**letters)]
    return max(place_fsdp(state, [], N)) + A_L


FSDP_DEVICE_MEMORY = derivation(
    "fsdp-device-memory",
    title="Memory of one FSDP device: its share of the state, and what all blocks save",
    phrases="FSDP GPU memory state plus activations any model; S/N + A; will FSDP training fit in 80 "
    "GB; OOM estimate for FSDP training; state shard plus saved activations per GPU; GPU memory under "
    "full sharding with activations; how much memory does each FSDP GPU use; per-GPU budget of "
    "fully_shard with batch and sequence; FSDP total with activations",
    unit=BYTE,
    letters={**RECIPE, "N": FSDP_DEGREE, "A_L": KEPT_BY_BLOCKS},
    uses={"S_any": TRAINING_STATE.at()},
    source=ZERO,
    oracle=deal_out_the_state,
    convention="FSDP alone divides the state; one micro-batch's activations stay whole.",
    leaves_out="The gathered weights of the block being computed, and gradients being reduced.",
    ledger=(
        Row("model state", "S_any", "weights, gradients and moments, all sharded", split="N"),
        Row("activations", "A_L", "of every block"),
    ),
    chain="""
    M_dev = rows                    -- add the rows
      = S_any/N + A_L               -- the state shared, the activations whole
    """,
)


def deal_out_state_and_tokens(
    N: int, B: int, L: int, c_D: int, D: int, a: Fraction, **letters: Any
) -> Fraction:
    """The state dealt to the devices, the batch's tokens one after the other; the fullest device."""
    only_if(B * L * c_D <= 50_000)
    state = [value.bytes for value in values(**letters)]
    tokens = [0] * N
    for token in range(B):
        tokens[token % N] += 1
    points = [Tensor("point", (max(tokens), D), a) for _block in range(L) for _point in range(c_D)]
    return max(place_fsdp(state, [], N)) + total_bytes(points)


FSDP_BATCH_MEMORY = like(
    "fsdp-batch-memory",
    FSDP_DEVICE_MEMORY,
    title="Memory of one FSDP device that shares a batch and checkpoints its activations",
    phrases="memory a chip when everything is sharded; total training memory over the chips; checkpoints "
    "of a global batch under FSDP; bytes per chip of weights, moments and gradient checkpoints; fully "
    "sharded memory per TPU with a batch of 4M tokens; does strong scaling shrink activations per chip",
    letters={
        **RECIPE, "N": FSDP_DEGREE, "B": TOKENS, "L": BLOCKS, "c_D": SAVED_WIDE, "D": D_MODEL,
        "a": ACTIVATION_WIDTH,
    },
    given=("N divides B -- devices get unlike shares",),
    source=scaling_book("applied-training", "part 6, “Counting parameters and FLOPs”, last question"),
    oracle=deal_out_state_and_tokens,
    convention="FSDP alone: the devices share the state and the tokens of one batch. Each block keeps "
    "`c_D` activations as wide as the model, and everything else is computed again.",
    ledger=(
        Row("model state", "S_any", "weights, gradients and moments, all sharded", split="N"),
        Row("checkpoints", "sum(c_D*a*B*D, (i, 1, L))", "of every block, each for all tokens", split="N"),
    ),
    chain="""
    M_bat = rows                              -- add the rows
      = (S_any + L*c_D*a*B*D)/N              -- equal blocks; state and tokens are both shared
    """,
)  # fmt: skip
