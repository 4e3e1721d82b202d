"""Gradient accumulation and the compute-bound threshold."""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.mesh._letters import ALL
from workings.derivations.mesh._times import spread_block
from workings.derivations.mesh.mesh_gather_time_large import MESH_GATHER_TIME_LARGE
from workings.derivations.sources import SCALING_BOOK_FSDP
from workings.simulate.accumulate import accumulation_traffic
from workings.units import ONE
from workings.vocabulary.training import MICROBATCHES


def gather_for_every_microbatch(m: int, X: int, Y: int, **letters: Any) -> bool:
    """A step run micro-batch by micro-batch, each gathering the weights again; times added up."""
    whole = spread_block(X=Fraction(X), n=X * Y, **letters)
    return whole.compute > accumulation_traffic(m, [whole.fsdp])


ACCUMULATION_BATCH = derivation(
    "accumulation-batch",
    title="Tokens from which a step of `m` micro-batches is compute-bound",
    unit=ONE,
    noun="tokens",
    letters={**ALL, "m": MICROBATCHES},
    uses={"T_F": MESH_GATHER_TIME_LARGE.at()},
    source=SCALING_BOOK_FSDP,
    oracle=gather_for_every_microbatch,
    convention="Weights are discarded after use, so every micro-batch gathers them again.",
    leaves_out="Tensor-parallel transfers, which do not depend on how the batch is cut.",
    chain="""
    4[FLOP]*B*D*F/(X*Y*C) > m*T_F                       -- one compute, `m` gathers
      <=> 4[FLOP]*B*D*F/(X*Y*C) > m*2*w*D*F/(Y*W*M_X)   -- put the gather in
      <=> B > m*w*X*C/(2[FLOP]*W*M_X)                 -- `m` times the threshold of one batch
    """,
)
