"""The letters of the peak, and the simulation that all its derivations are checked against."""

from fractions import Fraction

from workings.derivations.activations._head import head_tape
from workings.simulate.block_tape import Tape
from workings.simulate.peak import Memory, one_f_one_b_order, peaks
from workings.simulate.stage_placement import stage_parts
from workings.vocabulary.activations import BACKWARD_BUFFERS, KEPT_BY_BLOCK, STEP_BUFFERS
from workings.vocabulary.layout import CP, STAGES, TP
from workings.vocabulary.model import D_MODEL, VOCAB
from workings.vocabulary.pipeline import LAYER_PARAMETERS
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
_RANK = {"P_l": LAYER_PARAMETERS, "t": TP, "p": STAGES, "m": MICROBATCHES, **BUFFERS}
_KEPT = {"A": KEPT_BY_BLOCK, "w_s": STATE_WIDTH}
FIRST = {**_RANK, "L_first": FIRST_BLOCKS, "V": VOCAB, "D": D_MODEL, **_KEPT}
MIDDLE = {**_RANK, "L_mid": MIDDLE_BLOCKS, **_KEPT}
LAST = {**_RANK, "L_last": LAST_BLOCKS, **HEAD, **_KEPT}
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
    t: int,
    p: int,
    m: int,
    A: Fraction,
    M_back: Fraction,
    M_step: Fraction,
    head: Tape | None = None,
) -> list[Fraction]:
    """Run the schedule on every stage with what it holds at each moment; the peak of every stage.

    Parameters are listed tensor by tensor; the head's tape adds to the last stage.
    """  # fmt: skip
    first, middle, last = blocks
    counts = [first, *[middle] * (p - 2), last]
    ranks: list[Memory] = []
    for stage, parts in enumerate(stage_parts(counts, P_l, V, D)):
        split = [Fraction(part.values, 1 if part.name == "final norm" else t) for part in parts]
        kept = sum((A for _ in range(counts[stage])), Fraction(0))
        on_top = head if head is not None and stage == p - 1 else Tape()
        gradients = on_top.saved[-1].bytes if on_top.saved else 0
        ranks.append(
            Memory(sum(split, Fraction(0)) * w_s, kept + on_top.bytes, 0, M_back + gradients, M_step)
        )
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
