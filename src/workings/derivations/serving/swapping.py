"""Swapping.

A server that runs out of pages stops a sequence and takes its cache away. It may send keys and values to
the host's memory and bring them back, or forget them and compute them again as a prompt. The first takes
room on the host, no more than all pages of the device, and waits for the link; the second waits for
arithmetic. Room and time are counted here, and the two are weighed.
"""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation, like, only_if
from workings.derivations.compute._model import ATTENTION, FEED_FORWARD
from workings.derivations.serving._sources import PAGED_ATTENTION
from workings.derivations.serving._step import MOST_SCORES, PEAK
from workings.derivations.serving.devices import (
    CACHE_TOKENS,
    OF_THE_MEMORY,
    RANK_CACHE,
    TP_KV_TOKEN_BYTES,
    numbers_on_a_rank,
)
from workings.derivations.serving.pages import PAGES_THAT_FIT, take_pages_until_full
from workings.derivations.tensor_parallel.shares import EVEN
from workings.simulate.clock import Clock, Link
from workings.simulate.kv_cache import stored
from workings.simulate.products import Tape, write_attention, write_ffn
from workings.units import BYTE, SECOND
from workings.vocabulary.kinds import WITH_ATTENTION, WITHOUT_LATENT, Kind
from workings.vocabulary.planning import HOST_LINK
from workings.vocabulary.training import SEQUENCE_LENGTH

SWAPPED = {"s": SEQUENCE_LENGTH, **RANK_CACHE, "W_h": HOST_LINK}
CACHED: dict[Kind | str, str] = {WITH_ATTENTION: "", WITHOUT_LATENT: ""}
FULL_SPEED = (
    "Large messages: blocks of a few tokens, each sent by itself, do not reach the bandwidth of the link."
)


def bring_back(s: int, w_kv: Fraction, W_h: Fraction, **sizes: int) -> Fraction:
    """Token after token of a cache sent from the host to the fullest rank, by the clock."""
    only_if(s <= 500)
    token, clock = stored(numbers_on_a_rank(1, 1, **sizes), w_kv), Clock()
    for _ in range(s):
        clock.send(Link(0, W_h), 0, 1, token)
    return clock.finish


CACHE_SWAP_TIME = derivation(
    "cache-swap-time",
    title="Time to bring a sequence's KV cache back from the host",
    phrases="swap-in latency of a preempted request; KV cache offloading to CPU memory, seconds over "
    "PCIe; how long does swapping a sequence out take; restore keys and values from host RAM; PCIe time "
    "of a kv cache; reload time of an offloaded cache",
    unit=SECOND,
    letters=SWAPPED,
    uses={"m_t": TP_KV_TOKEN_BYTES.at()},
    given=EVEN,
    source=PAGED_ATTENTION.at("section 4.5, “Swapping”, and section 7.3"),
    oracle=bring_back,
    convention="One way; every device of the group over a link of its own, all at once. Sending it out "
    f"takes as long once more. {FULL_SPEED}",
    leaves_out="Start-up of the copies.",
    holds_for=CACHED,
    chain="""
    T_swap = sum(m_t, (i, 1, s))/W_h                  -- what a device keeps of all tokens, over its link
      = s*m_t/W_h                                       -- equal tokens
      = 2*s*L*max(K/t, 1)*d_h*w_kv/W_h                  -- a token's bytes on a rank put in
    """,
)


def swap_everything_out(
    M_max: Fraction, P: int, w: Fraction, p: int, w_kv: Fraction, **sizes: int
) -> int:
    """Pages taken on the device until it is full, then sent out one by one; the most on the host."""
    on_device = take_pages_until_full(M_max, P, w, p, w_kv, **sizes)
    on_host = most = 0
    while on_device:
        on_device, on_host = on_device - 1, on_host + 1
        most = max(most, on_host)
    return most


SWAP_PAGES = like(
    "swap-pages",
    PAGES_THAT_FIT,
    title="Pages of the host's memory that swapping needs at most",
    phrases="CPU blocks never exceed GPU blocks; num_cpu_blocks bound; how large must the swap space of "
    "vLLM be; swap space limited by the KV cache pool; host pages for preempted sequences",
    source=PAGED_ATTENTION.at("section 4.5, “Swapping”"),
    oracle=swap_everything_out,
    convention=OF_THE_MEMORY + "Every page that is swapped out was on the device, and while one sequence "
    "is out no other is begun: at most all pages are out at once.",
    uses={"n_fit": PAGES_THAT_FIT.at(), "n_tok": CACHE_TOKENS.at()},
    chain="""
    n_swap = n_fit             -- all pages of the device
      = floor(n_tok/p)         -- whole pages, of all the tokens that fit on it
    """,
)


def swap_out_byte_by_byte(
    M_max: Fraction, P: int, w: Fraction, p: int, w_kv: Fraction, **sizes: int
) -> Fraction:
    """Pages taken until a device is full, then sent out one by one; bytes of the fullest rank.

    All pages hold as many tokens, so one is filled and its numbers are counted.
    """
    pages = swap_everything_out(M_max, P, w, p, w_kv, **sizes)
    page = stored(numbers_on_a_rank(1, p, **sizes), w_kv)
    return sum((page for _ in range(pages)), Fraction(0))


SWAP_SPACE = like(
    "swap-space",
    PAGES_THAT_FIT,
    title="Bytes of the host's memory that swapping needs at most for a device",
    phrases="swap_space size of vLLM; CPU RAM for swapped KV cache; host memory for preempted requests, "
    "gigabytes; kv cache swap space per GPU; how much host RAM does KV swapping take",
    unit=BYTE,
    noun=None,
    uses={"n_fit": PAGES_THAT_FIT.at(), "m_t": TP_KV_TOKEN_BYTES.at()},
    source=PAGED_ATTENTION.at("section 4.5, “Swapping”"),
    oracle=swap_out_byte_by_byte,
    convention=OF_THE_MEMORY + "Of one device of the group; all of its pages are out at once.",
    chain="""
    M_swap = sum(p*m_t, (i, 1, n_fit))      -- each page that fits on the device, `p` tokens of its heads
      = p*n_fit*m_t                         -- equal pages
      = 2*p*n_fit*L*max(K/t, 1)*d_h*w_kv    -- a token's bytes on a rank put in
    """,
)


def compute_again(s: int, L: int, D: int, H: int, K: int, d_h: int, F: int, n_f: int) -> int:
    """FLOPs of the products that make a sequence's keys and values again, written down block by block."""
    only_if(L * H * s <= MOST_SCORES)
    tape = Tape()
    for _ in range(L):
        write_attention(tape, s, D, (H, K, d_h), causal=True)
        write_ffn(tape, s, D, F, n_f)
    return tape.forward()


def race_the_link_against_the_products(
    C: Fraction, W_h: Fraction, w_kv: Fraction, D: int, F: int, n_f: int, **sizes: Any
) -> bool:
    """A cache sent by the clock, and its products over the group's peak; whether sending is no slower."""
    t = sizes["t"]
    held = {key: n for key, n in sizes.items() if key != "t"}
    sent = bring_back(w_kv=w_kv, W_h=W_h, **sizes)
    return sent <= Fraction(compute_again(D=D, F=F, n_f=n_f, **held), t) / C


SWAP_BEATS_RECOMPUTE = derivation(
    "swap-beats-recompute",
    title="Host bandwidth from which swapping a KV cache is no slower than computing it again",
    phrases="swap or recompute a preempted sequence; recomputation versus swapping in vLLM; when is CPU "
    "offloading of the kv cache faster than prefilling again; PCIe bandwidth for kv offload to pay; "
    "offloading a cache against prefilling again; preemption mode swap or recompute",
    unit=HOST_LINK.dimension,
    letters={**SWAPPED, **ATTENTION, **FEED_FORWARD, "C": PEAK["C"]},
    given=("t divides K", "K divides H"),
    source=PAGED_ATTENTION.at("section 4.5, “Recomputation”, and section 7.3"),
    oracle=race_the_link_against_the_products,
    convention="One way over the link, against one causal pass over all `s` tokens, the generated ones "
    f"too, at the devices' peak. {FULL_SPEED}",
    leaves_out="Reading the weights once more; scoring the last token; waiting for a step with room.",
    holds_for=CACHED,
    chain="""
    2*s*L*(K/t)*d_h*w_kv/W_h <= 2[FLOP]*s*L*(2*D*d_h*(H + K) + n_f*D*F + (s + 1)*H*d_h)/(t*C)
                     -- sending a device's keys and values, and its part of the products that make them
      <=> W_h >= K*d_h*w_kv*C/(1[FLOP]*(2*D*d_h*(H + K) + n_f*D*F + (s + 1)*H*d_h))
                     -- solve for the link: blocks and devices cancel
    """,
)
