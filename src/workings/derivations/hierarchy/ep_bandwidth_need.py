"""Bandwidth that expert parallelism needs to hide."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.experts.dispatch import DISPATCH_BYTES, route_and_count
from workings.derivations.experts.loads import RANK_TOKENS
from workings.derivations.experts.shares import MOE_TOKEN_FLOPS
from workings.derivations.hierarchy._letters import EXPERTS_TIMED, PEAK
from workings.derivations.hierarchy._sources import DEEPSEEK_OVERLAP
from workings.derivations.hierarchy.ep_interval import EP_INTERVAL, note_the_all_to_alls
from workings.derivations.hierarchy.moe_block_forward_time import MOE_BLOCK_FORWARD_TIME
from workings.units import BYTE, SECOND
from workings.vocabulary.kinds import EXPERT_BLOCKS, WITHOUT_LATENT
from workings.vocabulary.layout import EP
from workings.vocabulary.training import ACTIVATION_WIDTH


def exchange_within_the_interval(
    b_m: int, s: int, c: int, t: int, D: int, H: int, K: int, d_h: int,
    n_f: int, F_E: int, E: int, k_E: int, E_s: int, C: Fraction, e: int, a: Fraction,
) -> Fraction | None:  # fmt: skip
    """Tokens really sent to experts on ranks; bytes over the time on the clock."""
    sent = route_and_count(b_m, s, c, t, e, E, k_E, D, a)
    interval = note_the_all_to_alls(b_m, s, c, t, D, H, K, d_h, n_f, F_E, E, k_E, E_s, C)
    return None if sent is None else sent / interval


EP_BANDWIDTH_NEED = derivation(
    "ep-bandwidth-need",
    title="Bandwidth at which all-to-alls take no longer than compute",
    unit=BYTE / SECOND,
    letters={**EXPERTS_TIMED, "e": EP, "a": ACTIVATION_WIDTH},
    uses={
        "T": RANK_TOKENS.at(),
        "X_moe": MOE_TOKEN_FLOPS.at(),
        "T_m": MOE_BLOCK_FORWARD_TIME.at(),
        "T_ep": EP_INTERVAL.at(),
        "V_disp": DISPATCH_BYTES.at(),
    },
    given=("e divides E", "k_E <= E"),
    source=DEEPSEEK_OVERLAP,
    oracle=exchange_within_the_interval,
    convention=f"One way, for each rank; even load. {PEAK}",
    leaves_out="Start-up latency; sending a token to a node only once.",
    holds_for={EXPERT_BLOCKS: "", WITHOUT_LATENT: ""},
    chain="""
    W_ep = V_disp/T_ep                               -- bytes of one all-to-all over the time to the next
      = (e - 1)/e*k_E*T*D*a/(T_m/2)                  -- put both in
      = 2*(e - 1)/e*k_E*D*a*C/(4[FLOP]*D*d_h*(H + K) + 4[FLOP]*s*H*d_h + X_moe)      -- tokens cancel
    """,
)
