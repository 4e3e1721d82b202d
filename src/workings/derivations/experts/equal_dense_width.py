"""The dense feed-forward that computes as much."""

from workings.derivation import derivation
from workings.derivations.experts._letters import EXPERT
from workings.derivations.experts._matmuls import token_flops
from workings.derivations.experts._sources import DEEPSEEK_MOE
from workings.units import ONE
from workings.vocabulary.model import ACTIVE_EXPERTS, D_FF, SHARED_EXPERTS


def widen_until_equal(D: int, F: int, F_E: int, n_f: int, k_E: int, E_s: int) -> int:
    """A dense feed-forward widened, one column at a time, until a token costs as much."""
    experts = sum(token_flops(n_f, D, F_E) for _ in range(k_E + E_s))
    column, width = token_flops(n_f, D, 1), 0
    while width * column < experts:
        width += 1
    return width


EQUAL_DENSE_WIDTH = derivation(
    "equal-dense-width",
    title="Width of the dense feed-forward with the FLOPs of the experts a token meets",
    unit=ONE,
    noun="values",
    letters={**EXPERT, "F": D_FF, "k_E": ACTIVE_EXPERTS, "E_s": SHARED_EXPERTS},
    source=DEEPSEEK_MOE,
    oracle=widen_until_equal,
    leaves_out="The router.",
    chain="""
    2[FLOP]*n_f*D*F = k_E*(2[FLOP]*n_f*D*F_E) + E_s*(2[FLOP]*n_f*D*F_E)     -- equal FLOPs a token
      <=> F = k_E*F_E + E_s*F_E                  -- divide by `2*n_f*D`
      <=> F = (k_E + E_s)*F_E                    -- routed and shared experts alike
    """,
)
