"""The work of a block with experts, as stretches of time."""

from fractions import Fraction

from workings.derivations.hierarchy._work import attention_matmuls, ffn_matmuls, flops
from workings.simulate.rhythm import Stretch
from workings.simulate.routing import even_routes


def expert_block(
    b_m: int, s: int, c: int, t: int, D: int, H: int, K: int, d_h: int,
    n_f: int, F_E: int, E: int, k_E: int, E_s: int, C: Fraction,
) -> list[Stretch]:  # fmt: skip
    """Forward of one block on one of `c*t` ranks: attention and router, then experts.

    Every token of a sequence is given its route; each expert on it is walked through for that token.
    """
    before = flops(attention_matmuls(s, D, H, K, d_h)) + flops([(s, D, E)])
    (route,) = even_routes(1, E, k_E)
    met = [*route, *range(E_s)]
    experts = sum(flops(ffn_matmuls(s, D, F_E, n_f)) for _ in met)
    return [Stretch(Fraction(b_m * part, c * t) / C, "ep") for part in (before, experts)]
