"""The lowest overlapped threshold over all meshes."""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.mesh._letters import CHOOSING
from workings.derivations.mesh._times import spread_block
from workings.derivations.mesh.best_mesh_time_max import BEST_MESH_TIME_MAX
from workings.derivations.sources import SCALING_BOOK_MIXED
from workings.simulate.search import golden_bracket
from workings.units import ONE
from workings.vocabulary.kinds import TORUS


def race_on_the_best_mesh(X: Fraction, **letters: Any) -> bool:
    """Compute against the fastest transfers that a search over all meshes finds."""

    def transfers(x: Fraction) -> Fraction:
        times = spread_block(X=x, **letters)
        return max(times.fsdp, times.tensor)

    fastest = golden_bracket(transfers, 0, Fraction(10**6), 160)[1]
    return spread_block(X=Fraction(1), **letters).compute > fastest


BEST_MESH_BATCH_MAX = derivation(
    "best-mesh-batch-max",
    title="Tokens from which the best mesh is compute-bound (overlapped)",
    unit=ONE,
    noun="tokens",
    letters=CHOOSING,
    uses={"T_best": BEST_MESH_TIME_MAX.at()},
    source=SCALING_BOOK_MIXED,
    oracle=race_on_the_best_mesh,
    holds_for={TORUS: "best-mesh-batch-sum"},
    convention="Large rings; `X` may be any positive number, `Y = n/X`; transfers overlap (max).",
    chain="""
    4[FLOP]*B*D*F/(n*C) > T_best                        -- compute outlasts the transfers
      <=> 4[FLOP]*B*D*F/(n*C) > 2*D/W*sqrt(a*w*B*F/(n*M_X*M_Y))     -- on the best mesh
      <=> B > a*w*n/(F*M_X*M_Y)*(C/(2[FLOP]*W))^2              -- square, solve for `B`
    """,
)
