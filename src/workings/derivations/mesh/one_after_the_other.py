"""Batches where transfers add up.

On a switch both transfers leave a device through one port, so their sum must hide behind compute. The
tokens stand on both sides of that condition, since tensor-parallel transfers grow with them; solved for
them the threshold is the one of the gathers alone times a factor that grows without limit as the
feed-forward comes down to the width below which no batch is large enough.
"""

from typing import Any

from workings.derivation import derivation
from workings.derivations.mesh._letters import ALL
from workings.derivations.mesh._times import first_batch, run_block
from workings.derivations.mesh.times import (
    EXACT_RINGS,
    LARGE_RINGS,
    LEAVES_OUT,
    WIDE_ENOUGH,
    WIDE_ENOUGH_EXACT,
)
from workings.derivations.sources import SCALING_BOOK_MIXED
from workings.units import ONE


def race_in_turn(**letters: Any) -> bool:
    """A block really multiplied on the mesh; its compute time against its transfer times."""
    times = run_block(**letters, large=True)
    return times.compute > times.both


COMPUTE_BOUND_BATCH_SUM = derivation(
    "compute-bound-batch-sum",
    title="Tokens from which the forward pass is compute-bound (not overlapped)",
    phrases="critical token batch for given mesh, serial comms; roofline batch FSDP+TP sum",
    unit=ONE,
    noun="tokens",
    letters=ALL,
    uses=LARGE_RINGS,
    given=WIDE_ENOUGH,
    source=SCALING_BOOK_MIXED,
    oracle=race_in_turn,
    convention="Large rings; the two transfers take turns and must both hide behind compute (sum).",
    leaves_out=LEAVES_OUT,
    chain="""
    T_math > T_F + T_T                      -- both transfers, one after the other
      <=> 4[FLOP]*B*D*F/(X*Y*C) > 2*w*D*F/(Y*W*M_X) + 2*a*B*D/(X*W*M_Y)   -- put the times in
      <=> B*(4[FLOP]*F/(Y*C) - 2*a/(W*M_Y)) > 2*w*F*X/(Y*W*M_X)           -- collect the tokens
      <=> B > w*X*C/(2[FLOP]*W*M_X)*(1/(1 - a*Y*C/(2[FLOP]*F*W*M_Y)))       -- solve for them
    """,
)


def race_in_turn_exact(**letters: Any) -> bool:
    """A block really multiplied on the mesh; its compute time against its transfer times."""
    times = run_block(**letters, large=False)
    return times.compute > times.both


COMPUTE_BOUND_BATCH_SUM_EXACT = derivation(
    "compute-bound-batch-sum-exact",
    title="Tokens from which the forward pass is compute-bound (not overlapped, exact rings)",
    phrases="critical token batch serial with exact rings; X-1 and Y-1 ring roofline batch sum",
    unit=ONE,
    noun="tokens",
    letters=ALL,
    uses=EXACT_RINGS,
    given=WIDE_ENOUGH_EXACT,
    source=SCALING_BOOK_MIXED,
    oracle=race_in_turn_exact,
    convention="Exact rings; the two transfers take turns and must both hide behind compute (sum).",
    leaves_out=LEAVES_OUT,
    chain="""
    T_math > T_F_ring + T_T_ring            -- both transfers, one after the other
      <=> B*(4[FLOP]*F/(Y*C) - (Y - 1)/Y*(2*a/(W*M_Y))) > 2*w*(X - 1)*F/(Y*W*M_X)
                                            -- put the times in, collect the tokens
      <=> B > w*(X - 1)*C/(2[FLOP]*W*M_X)*(1/(1 - a*(Y - 1)*C/(2[FLOP]*F*W*M_Y)))
                                            -- solve for them
    """,
)


def add_tokens_in_turn(**letters: Any) -> int | None:
    """Tokens added one by one until compute outlasts both transfers."""
    return first_batch(1, lambda t: t.both, **letters)


SMALLEST_BATCH_SUM = derivation(
    "smallest-batch-sum",
    title="Smallest compute-bound batch (not overlapped)",
    phrases="integer token batch above roofline, serial; minimum whole batch sum",
    unit=ONE,
    noun="tokens",
    letters=ALL,
    uses={"B_star": COMPUTE_BOUND_BATCH_SUM.at()},
    source=SCALING_BOOK_MIXED,
    oracle=add_tokens_in_turn,
    convention="Large rings; the two transfers take turns (sum).",
    chain="""
    B_min = floor(B_star) + 1      -- the smallest whole number above the threshold
    """,
)
