"""What the embedding keeps on the first stage."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.activations._sources import ENDS
from workings.derivations.activations.in_flight_1f1b import IN_FLIGHT_1F1B
from workings.simulate.block_tape import Active, Tape, mine
from workings.simulate.peak import Memory, one_f_one_b_order, peaks
from workings.units import BYTE
from workings.vocabulary.kinds import WITH_ATTENTION
from workings.vocabulary.layout import STAGES, TP
from workings.vocabulary.model import D_MODEL
from workings.vocabulary.training import MICROBATCH, MICROBATCHES, SEQUENCE_LENGTH


def tape_and_run(s: int, b_m: int, D: int, t: int, p: int, m: int) -> Fraction:
    """The dropout's tape on a rank's tokens, kept while the schedule runs; the first stage's peak."""
    tape = Tape()
    embedded = Active("embedded", (len(mine(s, t, 0)), b_m, D), Fraction(2))
    tape.dropout(embedded, "dropped", on=True)
    orders = [one_f_one_b_order(p, stage, m) for stage in range(p)]
    return peaks(orders, [Memory(forward=tape.bytes)] * p)[0]


EMBEDDING_ACTIVATIONS = derivation(
    "embedding-activations",
    title="Activations of the embedding on the first stage",
    unit=BYTE,
    letters={
        "s": SEQUENCE_LENGTH, "b_m": MICROBATCH, "D": D_MODEL, "t": TP, "p": STAGES, "m": MICROBATCHES,
    },
    uses={"n_f": IN_FLIGHT_1F1B.at(k="0")},
    given=("t divides s",),
    source=ENDS,
    oracle=tape_and_run,
    convention="Dropout after the embedding, under sequence parallelism; without dropout nothing is "
    "kept.",
    leaves_out="The tokens' numbers, 8 bytes a token and the same on every rank.",
    holds_for={WITH_ATTENTION: ""},
    chain="""
    A_emb = sum(1[byte]*s*b_m*D/t, (i, 1, n_f))       -- a mask of one byte a value, for each in flight
      = min(m, p)*1[byte]*s*b_m*D/t                   -- `p` of them once the pipeline is full
    """,
)  # fmt: skip
