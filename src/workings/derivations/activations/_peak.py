"""The letters of the peak, and the simulation that all its derivations are checked against."""

from fractions import Fraction

from workings.derivations.activations._head import head_tape
from workings.simulate.block_tape import Tape
from workings.simulate.peak import Memory, one_f_one_b_order, peaks
from workings.simulate.stage_placement import held_by_stage, stage_parts
from workings.vocabulary.activations import BACKWARD_BUFFERS, KEPT_BY_BLOCK, STEP_BUFFERS
from workings.vocabulary.layout import CP, STAGES, TP
from workings.vocabulary.model import D_MODEL, NORM_BIAS, POSITIONS, VOCAB
from workings.vocabulary.pipeline import LAYER_COPIED, LAYER_PARAMETERS
from workings.vocabulary.state import FIRST_BLOCKS, LAST_BLOCKS, MIDDLE_BLOCKS, STATE_WIDTH
from workings.vocabulary.training import (
    ACTIVATION_WIDTH,
    LOGIT_WIDTH,
    MICROBATCH,
    MICROBATCHES,
    SEQUENCE_LENGTH,
)

BUFFERS = {"M_back": BACKWARD_BUFFERS, "M_step": STEP_BUFFERS}
HEAD = {
    "V": VOCAB, "D": D_MODEL, "s": SEQUENCE_LENGTH, "b_m": MICROBATCH, "a": ACTIVATION_WIDTH,
    "w_l": LOGIT_WIDTH, "c": CP,
}  # fmt: skip
_RANK = {"P_l": LAYER_PARAMETERS, "R_l": LAYER_COPIED, "t": TP, "p": STAGES, "m": MICROBATCHES, **BUFFERS}
_KEPT = {"A": KEPT_BY_BLOCK, "w_s": STATE_WIDTH}
FIRST = {**_RANK, "L_first": FIRST_BLOCKS, "V": VOCAB, "D": D_MODEL, "n_pos": POSITIONS, **_KEPT}
MIDDLE = {**_RANK, "L_mid": MIDDLE_BLOCKS, **_KEPT}
LAST = {**BUFFERS, "L_last": LAST_BLOCKS, **HEAD, "beta_n": NORM_BIAS, **_KEPT, **_RANK}
SPLIT = ("R_l <= P_l",)
CONVENTION = (
    "1F1B, outputs given back once sent. `A` is the reading of the block's ledger that applies, `w_s` "
    "what one rank holds of a parameter's state, such as `6[byte] + 12[byte]/d`."
)
LEAVES_OUT = (
    "Fragments, communication buffers, what the driver takes, and the embedding's dropout; weights "
    "gathered for the layer at work belong to `M_back`."
)


def stage_peaks(
    blocks: tuple[int, int, int],
    V: int,
    D: int,
    w_s: Fraction,
    P_l: int,
    R_l: int,
    t: int,
    p: int,
    m: int,
    A: Fraction,
    M_back: Fraction,
    M_step: Fraction,
    n_pos: int = 0,
    beta_n: int = 0,
    head: Tape | None = None,
) -> list[Fraction]:
    """Run the schedule on every stage with what it holds at each moment; the peak of every stage.

    Parameters are listed tensor by tensor; the head's tape adds to the last stage.
    """  # fmt: skip
    first, middle, last = blocks
    counts = [first, *[middle] * (p - 2), last]
    ranks: list[Memory] = []
    parts = stage_parts(counts, P_l, V, D, copied=R_l, positions=n_pos, shifts=beta_n)
    for stage, parameters in enumerate(held_by_stage(parts, t)):
        kept = sum((A for _ in range(counts[stage])), Fraction(0))
        on_top = head if head is not None and stage == p - 1 else Tape()
        gradients = on_top.saved[-1].bytes if on_top.saved else 0
        ranks.append(Memory(parameters * w_s, kept + on_top.bytes, 0, M_back + gradients, M_step))
    return peaks([one_f_one_b_order(p, stage, m) for stage in range(p)], ranks)


def with_head(
    blocks: tuple[int, int, int],
    V: int,
    D: int,
    s: int,
    b_m: int,
    a: Fraction,
    w_l: Fraction,
    t: int,
    c: int,
    **others: Fraction | int,
) -> list[Fraction] | None:
    """Run the schedule with the head on the last stage. None where its shapes are uneven."""  # fmt: skip
    head = head_tape(s, b_m, D, V, a, w_l, t, c)
    if head is None:
        return None
    return stage_peaks(blocks, V, D, t=t, head=head, **others)  # type: ignore[arg-type]
