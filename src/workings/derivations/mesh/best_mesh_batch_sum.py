"""The lowest threshold over all meshes when transfers take turns."""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.mesh._letters import CHOOSING
from workings.derivations.mesh._times import spread_block
from workings.derivations.mesh.best_mesh_time_sum import BEST_MESH_TIME_SUM
from workings.derivations.sources import SCALING_BOOK_MIXED
from workings.simulate.search import golden_bracket
from workings.units import ONE


def race_in_turn_on_the_best_mesh(X: Fraction, **letters: Any) -> bool:
    """Compute against the fastest transfers that a search over all meshes finds."""

    def transfers(x: Fraction) -> Fraction:
        times = spread_block(X=x, **letters)
        return times.fsdp + times.tensor

    fastest = golden_bracket(transfers, 0, Fraction(10**6), 160)[1]
    return spread_block(X=Fraction(1), **letters).compute > fastest


BEST_MESH_BATCH_SUM = derivation(
    "best-mesh-batch-sum",
    title="Tokens from which the best mesh is compute-bound (not overlapped)",
    unit=ONE,
    noun="tokens",
    letters=CHOOSING,
    uses={"T_turn": BEST_MESH_TIME_SUM.at()},
    source=SCALING_BOOK_MIXED,
    oracle=race_in_turn_on_the_best_mesh,
    convention="Large rings; `X` may be any positive number, `Y = n/X`; transfers take turns (sum).",
    chain="""
    4[FLOP]*B*D*F/(n*C) > T_turn                        -- compute outlasts both transfers
      <=> 4[FLOP]*B*D*F/(n*C) > 4*D/W*sqrt(a*w*B*F/(n*M_X*M_Y))     -- on the best mesh
      <=> B > 4*a*w*n/(F*M_X*M_Y)*(C/(2[FLOP]*W))^2            -- square, solve for `B`
    """,
)
