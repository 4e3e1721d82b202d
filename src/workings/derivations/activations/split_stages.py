"""Stages whose backward is in two halves.

What a micro-batch keeps is given back in two parts, one when its input's gradient is done and the rest
when those of its weights are, which may be much later. ZB-H1 holds no more than the first stage of 1F1B
even so, ZB-H2 nearly twice as much, which is the price of a bubble that vanishes. ZB-V lets it vanish at
the memory of 1F1B, since each rank has one chunk from either end of the model. DualPipe sends
micro-batches in from both ends and holds one more than the first stage of 1F1B, on any rank.
"""

from fractions import Fraction

from workings.derivation import derivation, like, only_if
from workings.derivations.activations._sources import ZB_HANDCRAFTED, ZB_V
from workings.derivations.activations.in_flight import IN_FLIGHT_ZB_V
from workings.derivations.pipeline.zero_bubble import DUALPIPE, DUALPIPE_IN_FLIGHT
from workings.simulate.dualpipe import dualpipe
from workings.simulate.peak import Memory, peaks, zb_h1_order, zb_h2_order
from workings.simulate.zero_bubble_v import fewest_held, zb_v
from workings.units import BYTE
from workings.vocabulary.activations import KEPT_INPUT_GRADIENT, KEPT_WEIGHT_GRADIENT
from workings.vocabulary.layout import STAGES
from workings.vocabulary.ranks import PP_INDEX
from workings.vocabulary.training import MICROBATCHES

HALVES = {
    "m": MICROBATCHES,
    "p": STAGES,
    "k": PP_INDEX,
    "M_B": KEPT_INPUT_GRADIENT,
    "M_W": KEPT_WEIGHT_GRADIENT,
}


def run_zb_h1(m: int, p: int, k: int, M_B: Fraction, M_W: Fraction) -> Fraction:
    """The schedule run task by task, both halves of each backward; the most bytes the stage holds."""
    orders = [zb_h1_order(p, stage, m) for stage in range(p)]
    return peaks(orders, [Memory(forward=M_B, weights=M_W)] * p)[k]


ZB_H1_ACTIVATIONS = derivation(
    "zb-h1-activations",
    title="Activations of a stage under the zero-bubble schedule ZB-H1",
    phrases="zero bubble H1 activation memory; ZB-H1 stash; split B and W memory per stage; zero bubble "
    "same memory as 1F1B",
    unit=BYTE,
    letters=HALVES,
    given=("k < p", "M_W <= M_B", "m >= p"),
    source=ZB_HANDCRAFTED,
    oracle=run_zb_h1,
    convention="Stages are counted from 0; the paper counts from 1.",
    chain="""
    A_zb = sum(M_B, (i, 1, p - k)) + sum(M_W, (i, 1, k))
                            -- as many wait for both halves as under 1F1B, `k` more for the weights' half
      = (p - k)*M_B + k*M_W            -- equal terms
      <= p*M_B                         -- no more than the first stage of 1F1B
    """,
)


def run_zb_h2(m: int, p: int, k: int, M_B: Fraction, M_W: Fraction) -> Fraction:
    """ZB-H2 run task by task, both halves of each backward; the most bytes the stage holds."""
    orders = [zb_h2_order(p, stage, m) for stage in range(p)]
    return peaks(orders, [Memory(forward=M_B, weights=M_W)] * p)[k]


ZB_H2_ACTIVATIONS = like(
    "zb-h2-activations",
    ZB_H1_ACTIVATIONS,
    title="Activations of a stage under the zero-bubble schedule ZB-H2",
    phrases="zero bubble H2 activation memory; ZB-H2 stash; (2p-1) M_B peak; twice the memory of 1F1B "
    "for no bubble; (2p-2i+1)M_B + (2i-2)M_W; memory price of ZB-2p; more memory for zero bubble",
    given=("k < p", "M_W <= M_B", "m >= 2*p - 1"),
    oracle=run_zb_h2,
    chain="""
    A_h2 = sum(M_B, (i, 1, 2*(p - 1 - k) + 1)) + sum(M_W, (i, 1, 2*k))
                            -- two warm-up forwards for each stage that follows; twice as many put off
      = (2*p - 2*k - 1)*M_B + 2*k*M_W  -- equal terms
      <= (2*p - 1)*M_B                 -- the first stage of 1F1B holds `p` of these
    """,
)


def run_zb_v(m: int, p: int, k: int, M_B: Fraction, M_W: Fraction) -> Fraction:
    """ZB-V run so that no rank waits; chunks take and give back halves of a rank's bytes; its most."""
    only_if(p * m <= 120)
    run = zb_v(p, m, fewest_held(p, m))
    return Fraction(run.bytes_peak(k, M_B / 2, M_W / 2))


ZB_V_ACTIVATIONS = derivation(
    "zb-v-activations",
    title="Activations of a rank under the zero-bubble schedule ZB-V",
    phrases="ZB-V activation memory; ZBV stash per rank; V-shaped zero bubble memory p M_B; zero bubble "
    "with the memory of 1F1B; balanced activation memory across pipeline ranks; two chunks per rank V "
    "schedule bytes",
    unit=BYTE,
    letters=HALVES,
    uses={"n_v": IN_FLIGHT_ZB_V.at()},
    given=("k < p", "M_W <= M_B", "m >= 2*p - 1"),
    source=ZB_V,
    oracle=run_zb_v,
    convention="`M_B` and `M_W` are those of both chunks of a rank together, a `p`-th of the model. "
    "Forward and both gradients take equally long.",
    leaves_out="Embedding and head, both of which the first rank holds.",
    chain="""
    A_v = 2*n_v*(M_B/2)            -- two chunks for a micro-batch in flight, each with half of the bytes
      = p*M_B                      -- the same on every rank, as on the first stage of 1F1B
    """,
)


def run_dualpipe(m: int, p: int, M_B: Fraction, M_W: Fraction) -> Fraction:
    """DualPipe run task by task, pairs overlapped; the most bytes that any rank holds."""
    only_if(m <= 60)
    run = dualpipe(p, m, overlapped=2)
    return Fraction(max(run.bytes_peak(rank, M_B, M_W) for rank in range(p)))


DUALPIPE_ACTIVATIONS = derivation(
    "dualpipe-activations",
    title="Activations of a rank with DualPipe",
    phrases="DualPipe activation memory; PP+1 activations in bytes; bidirectional pipeline activation "
    "bytes; DeepSeek-V3 pipeline activation memory per rank; DualPipe peak activations versus 1F1B; "
    "stash bytes when micro-batches enter at both ends",
    unit=BYTE,
    letters={name: concept for name, concept in HALVES.items() if name != "k"},
    uses={"A_dual": DUALPIPE_IN_FLIGHT.at()},
    given=("2 divides p", "2 divides m", "m >= 2*p", "M_W <= M_B"),
    source=DUALPIPE,
    oracle=run_dualpipe,
    convention="`M_B` is what one stage, a `p`-th of the model, keeps for a micro-batch."
    " It goes through one of them.",
    leaves_out="Embedding and head; the second copy of the parameters.",
    chain="""
    A_dp = sum(M_B, (i, 1, A_dual))       -- micro-batches of both directions, each on one of two stages
      = A_dual*M_B                        -- equal terms
      = (p + 1)*M_B                       -- the first stage of 1F1B holds `p` of these
    """,
)
