"""What a request waits for.

A user sees two waits: until the first token, and from each token to the next. Benchmarks report both and
their sum over the answer, which any two of them give. While a sequence is decoded its cache grows, and
with it what every step reads, so that the mean over an answer is that of the step in its middle.
"""

from fractions import Fraction
from itertools import accumulate, pairwise

from workings.derivation import derivation, only_if
from workings.derivations.serving._step import (
    LEAST,
    MOST_VECTORS,
    PEAK,
    READ,
    cache_bytes,
    serving_group,
    weight_bytes,
)
from workings.derivations.serving._time_sources import (
    READING_SPEEDS,
    SCALING_BOOK_ESTIMATES,
    VLLM_BENCHMARK,
)
from workings.derivations.tensor_parallel.shares import EVEN, TP_KV_HEADS
from workings.simulate.serving import fill_caches
from workings.units import ONE, SECOND
from workings.vocabulary.kinds import WITH_ATTENTION, WITHOUT_EXPERTS, WITHOUT_LATENT
from workings.vocabulary.serving_time import (
    FIRST_TOKEN_TIME,
    OUTPUT_TOKENS,
    READING_SPEED,
    REQUEST_TIME,
    TOKEN_TIME,
    TOKENS_PER_WORD,
)

SOME_WORDS = 30


def answer(o: int, T_1: Fraction, T_o: Fraction) -> list[Fraction]:
    """When each token of an answer comes: later gaps are longer, as caches grow; their mean is `T_o`."""
    gaps = [T_o * 2 * place / o for place in range(1, o)]
    return list(accumulate(gaps, initial=T_1))


def wait_for_the_last_token(o: int, T_1: Fraction, T_o: Fraction) -> Fraction:
    """Tokens that come at uneven times, one after the other; when the last is there."""
    return answer(o, T_1, T_o)[-1]


REQUEST_LATENCY = derivation(
    "request-latency",
    title="Time of a request from end to end",
    phrases="normalized latency per output token; serving latency of a request; "
    "E2E latency of a request; TTFT plus TPOT times output tokens; total response time of a "
    "chat answer; how long until a 500 token answer is complete; end-to-end latency of inference",
    unit=SECOND,
    letters={"o": OUTPUT_TOKENS, "T_1": FIRST_TOKEN_TIME, "T_o": TOKEN_TIME},
    source=VLLM_BENCHMARK,
    oracle=wait_for_the_last_token,
    convention="`T_o` is the mean over the tokens after the first, as benchmarks count it: the first "
    "token's time is that of the prefill and of waiting.",
    leaves_out="The network to the user, unless the measured times hold it.",
    chain="""
    T_req = T_1 + sum(T_o, (i, 1, o - 1))     -- the first token, then each of the others
      = T_1 + (o - 1)*T_o                     -- gaps of one mean
    """,
)


def measure_every_gap(o: int, T_r: Fraction, T_1: Fraction) -> Fraction:
    """An answer that takes that long, its tokens at uneven times; the mean of the gaps between them."""
    tokens = answer(o, T_1, (T_r - T_1) / (o - 1))
    gaps = [later - earlier for earlier, later in pairwise(tokens)]
    return sum(gaps, Fraction(0)) / len(gaps)


TIME_PER_OUTPUT_TOKEN = derivation(
    "time-per-output-token",
    title="Time per output token of a request that was measured",
    phrases="TPOT; mean inter-token latency from a benchmark; (E2E - TTFT)/(n - 1); time between "
    "tokens; speed of the stream after the first token; vllm bench serve TPOT",
    unit=SECOND,
    letters={"o": OUTPUT_TOKENS, "T_r": REQUEST_TIME, "T_1": FIRST_TOKEN_TIME},
    given=("o >= 2 -- a single token has no gap after it", "T_r > T_1"),
    source=VLLM_BENCHMARK,
    oracle=measure_every_gap,
    convention="The first token is not counted: its wait is the time to first token. Some tools divide "
    "by `o`.",
    chain="""
    T_tpot = (T_r - T_1)/(o - 1)              -- `o` tokens have `o - 1` gaps
    = T_r/(o - 1) - T_1/(o - 1)               -- what the first token took is left out
    """,
)


def decode_a_whole_answer(
    s: int, o: int, b: int, L: int, H: int, K: int, d_h: int, t: int, P: int,
    w: Fraction, w_kv: Fraction, W_m: Fraction,
) -> Fraction:  # fmt: skip
    """Prompts in the caches, then step after step, each adding a token and reading all; the mean."""
    only_if(b * (s + o) * o * L * max(K, t) <= MOST_VECTORS)
    group, clock = serving_group(b=b, s=s, L=L, H=H, K=K, t=t, P=P), Fraction(0)
    for _ in range(o):
        fill_caches(group, b, 1, L, (H, K))
        clock += (weight_bytes(group, w) + cache_bytes(group, d_h, w_kv)) / W_m
    return clock / o


MEAN_OUTPUT_TOKEN_TIME = derivation(
    "mean-output-token-time",
    title="Time per output token while the cache grows, memory-bound",
    phrases="TPOT averaged over an answer; decode latency at growing context; mean step time for 500 "
    "output tokens after an 8k prompt; how generation slows down as the answer gets longer",
    unit=SECOND,
    letters={**READ, "o": OUTPUT_TOKENS, "W_m": PEAK["W_m"]},
    uses={"K_t": TP_KV_HEADS.at()},
    given=EVEN,
    source=SCALING_BOOK_ESTIMATES,
    oracle=decode_a_whole_answer,
    convention=f"`s` tokens of prompt, `o` steps; each reads its own new token too. All sequences of the "
    f"batch are at the same place of their answers; the mean is the same where they are not. {LEAST}",
    leaves_out="Compute, while it is the faster side; transfers between devices.",
    holds_for={WITH_ATTENTION: "", WITHOUT_EXPERTS: "", WITHOUT_LATENT: ""},
    chain="""
    T_mean = sum(w*P/t + 2*w_kv*L*K_t*d_h*b*(s + i), (i, 1, o))/(o*W_m)
                                       -- step `i` reads `s + i` tokens of each sequence
      = (w*P/t + 2*w_kv*L*K_t*d_h*b*(s + (o + 1)/2))/W_m     -- the step in the middle
    """,
)


def read_word_by_word(v_r: Fraction, tau_w: Fraction) -> Fraction:
    """A reader who takes longer over long words; the tokens of a text over the time spent on it."""
    shares = [Fraction(2 * word, SOME_WORDS + 1) for word in range(1, SOME_WORDS + 1)]
    tokens = clock = Fraction(0)
    for share in shares:
        tokens, clock = tokens + tau_w * share, clock + share / v_r
    return tokens / clock


READING_TOKEN_RATE = derivation(
    "reading-token-rate",
    title="Tokens per second that keep up with a reader",
    phrases="human reading speed in tokens per second; words per minute to tokens per second; TPOT that "
    "matches a reader; how fast must a chat answer come; tokens per second of 250 words a minute; "
    "time per token for a slow or a fast reader; streaming faster than people read",
    unit=ONE / SECOND,
    noun="tokens",
    letters={"v_r": READING_SPEED, "tau_w": TOKENS_PER_WORD},
    source=READING_SPEEDS,
    oracle=read_word_by_word,
    convention="The time per output token that keeps up is one over it. People read some 250 words a "
    "minute, 4 a second, and up to 700; 250 are given as 250/60 words a second.",
    leaves_out="Answers that a program reads.",
    chain="""
    R_read = v_r*tau_w      -- the words of a second, each of so many tokens
    """,
)
