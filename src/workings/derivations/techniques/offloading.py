"""Activations and state with the host.

The block inputs that checkpointing keeps can be moved to the host's memory while the forward goes on,
and fetched as the backward comes to their blocks. Computing a block takes far more FLOPs than its input
has bytes, the more so the wider the model is, so a link that is slow beside the device's memory hides it.
Optimizer state, and weights too, can lie with the host for good; before that every process of the host
may hold the model it has loaded, and the host needs room for the larger of the two.
"""

from fractions import Fraction
from typing import Any

from workings.derivation import Source, derivation, like, only_if
from workings.derivations.compute._model import BLOCK, model_tape
from workings.derivations.compute.dense import BLOCK_BACKWARD_FLOPS, BLOCK_FORWARD_FLOPS
from workings.derivations.sources import ZERO
from workings.simulate.block_tape import Active
from workings.simulate.stored_state import keep, total
from workings.units import BYTE, FLOP, SECOND
from workings.vocabulary.hardware import COMPUTE
from workings.vocabulary.kinds import WITH_ATTENTION, WITHOUT_LATENT
from workings.vocabulary.layout import CP, DEVICES, NODE_DEVICES, TP
from workings.vocabulary.model import BLOCKS, D_MODEL, PARAMETERS
from workings.vocabulary.planning import HOST_LINK
from workings.vocabulary.state import HOST_RESERVE
from workings.vocabulary.training import (
    ACTIVATION_WIDTH,
    GRADIENT_WIDTH,
    MASTER_WIDTH,
    MICROBATCH,
    MOMENT_WIDTH,
    SEQUENCE_LENGTH,
    WORKING_WIDTH,
)

OFFLOAD = ZERO.at("sections 4.2.1, 6.1 and 8")


def move_every_input(L: int, s: int, b_m: int, D: int, a: Fraction, t: int, N_c: int) -> Fraction:
    """Inputs of all blocks pushed to the host by a rank and popped in the backward; bytes both ways."""
    host: list[Active] = []
    moved = Fraction(0)
    for block in range(L):
        own = [position for position in range(s) if position % (t * N_c) == 0]
        host.append(Active(f"input of block {block}", (len(own), b_m, D), a))
        moved += host[-1].bytes
    while host:
        moved += host.pop().bytes
    return moved


CHECKPOINT_OFFLOAD_BYTES = derivation(
    "checkpoint-offload-bytes",
    title="Bytes moved to the host and back for checkpointed block inputs",
    phrases="activation offload traffic; activation checkpoints kept in host memory; PCIe bytes of "
    "activation offloading per step; Pa+cpu data movement; 2 × seq × hidden per layer to CPU and back; "
    "ZeRO-R offloaded checkpoints volume",
    unit=BYTE,
    letters={
        "L": BLOCKS, "s": SEQUENCE_LENGTH, "b_m": MICROBATCH, "D": D_MODEL, "a": ACTIVATION_WIDTH,
        "t": TP, "N_c": CP,
    },
    given=("t*N_c divides s",),
    source=OFFLOAD,
    oracle=move_every_input,
    convention="One micro-batch, every block's input, out in the forward and back in the backward. Each "
    "rank moves its own tokens: ZeRO shares the inputs of tensor-parallel ranks out before.",
    leaves_out="The gather of a shared input in the backward, between the ranks.",
    chain="""
    V_off = sum(a*s*b_m*D/(t*N_c), (i, 1, L)) + sum(a*s*b_m*D/(t*N_c), (i, 1, L))
                                       -- every block's input out to the host, and all of them back
      = 2*a*s*b_m*D*L/(t*N_c)          -- equal blocks
    """,
)  # fmt: skip


def run_a_block_again(a: Fraction, **letters: Any) -> Fraction:
    """A block's products run forward, forward again and back, over the bytes of its input's tensor."""
    tape = model_tape(**letters)
    tape.products = [product for product in tape.products if product.part != "logits"]
    kept = Active("block input", (letters["s"], letters["D"]), a)
    return (tape.forward() + tape.forward() + tape.backward()) / kept.bytes


_LETTERS = {**{name: concept for name, concept in BLOCK.items() if name != "b"}, "a": ACTIVATION_WIDTH}

CHECKPOINT_INTENSITY = derivation(
    "checkpoint-intensity",
    title="FLOPs for each byte of a checkpointed block input",
    phrases="arithmetic intensity of activation checkpoints; compute per byte of checkpoint; ratio of "
    "computation in an iteration to stored checkpoints; why offloading activation checkpoints is cheap; "
    "intensity above 10,000 proportional to the hidden dimension; FLOPs per checkpointed byte",
    unit=FLOP / BYTE,
    letters=_LETTERS,
    uses={"f_block": BLOCK_FORWARD_FLOPS.at(b="1"), "f_block_b": BLOCK_BACKWARD_FLOPS.at(b="1")},
    source=OFFLOAD,
    oracle=run_a_block_again,
    convention="Forward, forward again and backward of a block, over its input's bytes, kept once. In "
    "16 bits and GPT's shape it is `48*D + 8*s` FLOPs a byte. Tensor parallelism that shares the input "
    "out divides both alike.",
    holds_for={WITH_ATTENTION: "", WITHOUT_LATENT: ""},
    chain="""
    I_ck = (2*f_block + f_block_b)/(a*s*D)     -- the block twice forward and back, over its input
      = 8[FLOP]*(2*D*d_h*(H + K) + n_f*D*F + 2*s*H*d_h)/(a*D)   -- put both in: four forward passes
    """,
)


def hide_transfers_behind_blocks(a: Fraction, C: Fraction, W_h: Fraction, **letters: Any) -> bool:
    """Eight blocks run forward while their inputs leave one after the other: whether none is late."""
    tape = model_tape(**letters)
    work = sum((p.flops for p in tape.products if p.part != "logits"), 0) / C
    transfer = Active("block input", (letters["s"], letters["D"]), a).bytes / W_h
    clock = link = late = Fraction(0)
    for _ in range(8):
        link = max(link, clock) + transfer
        clock += work
        late = max(late, link - clock)
    return late == 0


CHECKPOINT_OFFLOAD_BANDWIDTH = like(
    "checkpoint-offload-bandwidth",
    CHECKPOINT_INTENSITY,
    title="Link to the host from which computing hides the offloading of block inputs",
    phrases="PCIe bandwidth needed to hide activation offloading; can checkpoint offload overlap with "
    "compute; is PCIe fast enough to offload activations; minimum CPU-GPU link speed for activation "
    "offload; host bandwidth for offloaded checkpoints; when does offloading activations cost no time",
    unit=BYTE / SECOND,
    letters={**_LETTERS, "C": COMPUTE, "W_h": HOST_LINK},
    uses={"f_block": BLOCK_FORWARD_FLOPS.at(b="1")},
    oracle=hide_transfers_behind_blocks,
    convention="An input goes out while its block runs forward, at the device's peak; in the backward "
    "there is three times as long to fetch it. A device below its peak needs less.",
    leaves_out="Start-up latency, devices that share a host's link, and the host's own memory.",
    chain="""
    a*s*D/W_h <= f_block/C            -- an input leaves no later than its block is done
      <=> W_h >= a*s*D*C/f_block      -- solve for the link
      <=> W_h >= a*D*C/(2[FLOP]*(2*D*d_h*(H + K) + n_f*D*F + 2*s*H*d_h))   -- put the block in
    """,
)


DEEPSPEED_MEMORY = Source(
    "DeepSpeed project",
    "DeepSpeed documentation",
    None,
    "Memory Requirements, “General RAM”",
    "https://github.com/deepspeedai/DeepSpeed/blob/master/docs/code-docs/source/memory.rst",
)
MOST_KEPT = 20_000  # values that the oracle keeps at one point


def fill_the_host(
    P: int, n: int, n_node: int, w_p: Fraction, w_g: Fraction, w_o: Fraction, w_c: Fraction, x_h: Fraction
) -> Fraction:
    """A copy of the weights for each process of a host; then state dealt out to hosts; the larger."""
    only_if(P * (n_node + 5) <= MOST_KEPT)
    loaded = Fraction(0)
    for process in range(n_node):
        loaded += total(keep(P, {f"weights of process {process}": w_p}))
    kinds = {"working": w_c, "gradient": w_g, "master": w_p, "first moment": w_o, "second moment": w_o}
    state = total(keep(P, kinds)) / (n // n_node)
    return sorted([loaded, state])[-1] * x_h


HOST_STATE = derivation(
    "host-state",
    title="Memory of a host that keeps the state of its devices",
    phrases="host RAM for ZeRO-Offload; params * max(4 * n_gpus, 16) * 1.5; DeepSpeed per CPU memory "
    "estimate; how much CPU memory does ZeRO-2 with offload need; zero-infinity host memory",
    unit=BYTE,
    letters={
        "P": PARAMETERS, "n": DEVICES, "n_node": NODE_DEVICES, "w_p": MASTER_WIDTH, "w_g": GRADIENT_WIDTH,
        "w_o": MOMENT_WIDTH, "w_c": WORKING_WIDTH, "x_h": HOST_RESERVE,
    },
    given=("n_node divides n", "w_p > 0"),
    source=DEEPSPEED_MEMORY,
    oracle=fill_the_host,
    convention="A process for each device of a node loads the model in the width of its master weights; "
    "then the nodes share the state out. `w_c = 0` where working weights stay on the devices. Gradients "
    "lie in the width in which the update takes them. DeepSpeed plans with `x_h = 1.5`. A model that is "
    "cut while it is loaded (zero.Init) needs the second alone: take `n_node = 1`, `n` the nodes.",
    leaves_out="Activations with the host; data loaders; pinned buffers, which are part of it.",
    chain="""
    M_host = x_h*max(sum(w_p*P, (i, 1, n_node)), (w_c*P + w_g*P + w_p*P + w_o*P + w_o*P)*n_node/n)
                                -- a loaded model for each process, or a node's share of the state
      = x_h*P*max(n_node*w_p, (w_c + w_g + w_p + 2*w_o)*n_node/n)
                                -- equal processes; all of it for every parameter
    """,
)  # fmt: skip
