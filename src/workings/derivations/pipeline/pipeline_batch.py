"""Pipeline stages and the compute-bound threshold."""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.mesh._letters import ALL
from workings.derivations.mesh._times import spread_block
from workings.derivations.sources import SCALING_BOOK_MIXED
from workings.units import ONE
from workings.vocabulary.layout import DEVICES, STAGES
from workings.vocabulary.training import MICROBATCHES


def race_in_every_stage(n: int, Y: int, p: int, m: int, B: Fraction | int, **letters: Any) -> bool | None:
    """One micro-batch on one stage's share of the devices: counted compute against its gather."""
    if not isinstance(B, int) or B % m:
        return None  # only whole micro-batches can be run
    stage = Fraction(n, p)
    one = spread_block(X=stage / Y, n=stage, B=B // m, **letters)
    return one.compute > one.fsdp


PIPELINE_BATCH = derivation(
    "pipeline-batch",
    title="Tokens from which a pipeline of `p` stages is compute-bound",
    unit=ONE,
    noun="tokens",
    letters={
        **{name: concept for name, concept in ALL.items() if name != "X"},
        "n": DEVICES,
        "p": STAGES,
        "m": MICROBATCHES,
    },
    source=SCALING_BOOK_MIXED,
    oracle=race_in_every_stage,
    convention="`n` devices in `p` stages, `n/(p*Y)` to a stage's weights; gathered per micro-batch.",
    leaves_out="The bubble, and sending activations between stages.",
    chain="""
    4[FLOP]*(B/m)*D*F/((n/p)*C) > 2*w*D*F/(Y*W*M_X)     -- one micro-batch in one stage
      <=> B/m > w*(n/(p*Y))*C/(2[FLOP]*W*M_X)       -- its FSDP group is `p` times smaller
      <=> B > m/p*(w*n*C/(2[FLOP]*Y*W*M_X))         -- but `m` micro-batches fill the pipeline
    """,
)
