"""Bandwidth that context parallelism needs to hide."""

from fractions import Fraction

from workings.derivation import derivation
from workings.derivations.collectives.ring import RING_ALL_GATHER
from workings.derivations.hierarchy._letters import PEAK, TIMED
from workings.derivations.hierarchy._sources import LLAMA3_CONTEXT
from workings.derivations.hierarchy.block_forward_time import BLOCK_FORWARD_TIME
from workings.derivations.hierarchy.block_token_flops import BLOCK_TOKEN_FLOPS
from workings.derivations.hierarchy.cp_interval import CP_INTERVAL, note_the_gathers
from workings.derivations.hierarchy.cp_message import CP_MESSAGE, list_keys_and_values
from workings.simulate.ring import all_gather
from workings.units import BYTE, SECOND
from workings.vocabulary.kinds import WITHOUT_LATENT
from workings.vocabulary.training import ACTIVATION_WIDTH


def gather_within_the_interval(
    b_m: int, s: int, c: int, t: int, D: int, F: int, H: int, K: int, d_h: int, n_f: int,
    C: Fraction, a: Fraction,
) -> Fraction:  # fmt: skip
    """Keys and values gathered on a ring hop by hop; bytes sent over the time on the clock."""
    sent = all_gather(c, list_keys_and_values(b_m, s, K, d_h, a, t)).sent[0]
    return sent / note_the_gathers(b_m, s, c, t, D, F, H, K, d_h, n_f, C)


CP_BANDWIDTH_NEED = derivation(
    "cp-bandwidth-need",
    title="Bandwidth at which context-parallel gathers take no longer than compute",
    unit=BYTE / SECOND,
    letters={**TIMED, "a": ACTIVATION_WIDTH},
    uses={
        "X_b": BLOCK_TOKEN_FLOPS.at(),
        "T_f": BLOCK_FORWARD_TIME.at(),
        "T_cp": CP_INTERVAL.at(),
        "S_cp": CP_MESSAGE.at(),
        "V_AG": RING_ALL_GATHER.at(N="c", S="2*b_m*s*K*d_h*a/t"),
    },
    source=LLAMA3_CONTEXT,
    oracle=gather_within_the_interval,
    convention=f"One way, for each rank, on a ring. {PEAK}",
    leaves_out="Start-up latency; a gather hides only behind work that does not wait for it.",
    holds_for={WITHOUT_LATENT: ""},
    chain="""
    W_cp = V_AG/T_cp                           -- bytes of one gather over the time to the next
      = (c - 1)/c*S_cp/T_f                     -- the ring, and a block
      = 2*(c - 1)*K*d_h*a*C/X_b                -- tokens cancel
    """,
)
