"""All-to-all from tokens to heads and back."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives.all_to_all import ALL_TO_ALL
from workings.derivations.context_parallel._letters import ATTENTION
from workings.derivations.context_parallel._sources import ULYSSES
from workings.derivations.context_parallel._ulysses import EVEN_EXCHANGE, IN_WORDS, exchanged
from workings.units import BYTE


def send_every_head_of_every_token(
    c: int, t: int, b_m: int, s: int, H: int, d_h: int, K: int, a: Fraction
) -> Fraction | None:
    """Queries, keys, values and outputs, head by head, sent until every rank has what it needs."""
    items = exchanged(c, t, s, H, K)
    return None if items is None else sum((items for _ in range(b_m)), Fraction(0)) * d_h * a


ULYSSES_FORWARD_BYTES = derivation(
    "ulysses-forward-bytes",
    title="Bytes a rank sends in Ulysses attention's forward pass",
    unit=BYTE,
    letters=ATTENTION,
    uses={
        "V_q": ALL_TO_ALL.at(N="c", S="a*b_m*(s/c)*(H/t)*d_h"),
        "V_kv": ALL_TO_ALL.at(N="c", S="a*b_m*(s/c)*(K/t)*d_h"),
    },
    given=EVEN_EXCHANGE,
    source=ULYSSES,
    oracle=send_every_head_of_every_token,
    convention=f"{IN_WORDS} Backward sends as much again.",
    chain="""
    V_uly = V_q + 2*V_kv + V_q                      -- queries, keys and values; the output comes back
      = 2*(c - 1)/c*(a*b_m*(s/c)*(H + K)/t*d_h)     -- all but a rank's own heads
      = 2*(c - 1)/c^2*(a*b_m*s*(H + K)/t*d_h)       -- falls with `c`: about `4*a*b_m*s*D/c` if `K = H`
    """,
)
