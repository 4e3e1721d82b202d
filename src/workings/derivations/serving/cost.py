"""What tokens cost, and how many devices a traffic takes.

Devices are paid for and take power by the second, whatever they do, so that a token costs what its share
of a second does: throughput decides. Requests that arrive and stay for a while make up those in flight,
which have to find room in memory, and their tokens make up the throughput that has to be there, with
some room left, since a server without any makes requests wait ever longer.
"""

from fractions import Fraction
from itertools import pairwise
from typing import Any

from workings.derivation import derivation, like, only_if
from workings.derivations.serving._step import LEAST
from workings.derivations.serving._time_sources import (
    BREAK_EVEN,
    EMBEDDED_TEXTS,
    ENERGY_PER_TOKEN,
    LITTLE,
    NVIDIA_TOKEN_COST,
)
from workings.derivations.serving.decode import (
    DECODE_THROUGHPUT_DEVICE,
    make_tokens_on_each_device,
    only_dense,
)
from workings.simulate.meter import metered
from workings.simulate.steps import train
from workings.units import CURRENCY, ONE
from workings.vocabulary.scale import PRICE
from workings.vocabulary.serving_time import (
    ARRIVALS,
    DECODE_DEVICES,
    FIXED_COST,
    HEADROOM,
    MILLION_PRICE,
    OUTPUT_TOKENS,
    REQUEST_TIME,
    SERVED_TOKENS,
    TOKEN_RATE,
    TOKENS_PER_WORD,
    WATTS,
    WORDS,
)

GROUP = {"n_d": DECODE_DEVICES, "R": TOKEN_RATE}
SOME_TOKENS, REQUESTS, MOST_GROUPS, MOST_WORDS = 40, 30, 20_000, 20_000


def make_some_tokens(n_d: int, R: Fraction) -> Fraction:
    """Tokens made one after the other, a part of each on every device; their device time, a token."""
    run = train(SOME_TOKENS, 1, n_d, R / n_d)
    return run.device_seconds / run.tokens


def pay_for_a_million(n_d: int, R: Fraction, c_d: Fraction) -> Fraction:
    """The device time of a few tokens, paid by the second, for a million of them."""
    return make_some_tokens(n_d, R) * c_d * 1_000_000


MILLION_TOKENS_COST = derivation(
    "million-tokens-cost",
    title="Cost of a million generated tokens",
    phrases="dollars per million output tokens; price per 1M tokens from GPU hourly price and "
    "throughput; inference cost per token; what does self-hosting cost per Mtok; $/Mtok of an H100",
    unit=CURRENCY,
    letters={**GROUP, "c_d": PRICE},
    source=NVIDIA_TOKEN_COST,
    oracle=pay_for_a_million,
    convention="Devices are paid for whether they are busy or not: `R` is the mean over the time that "
    "is paid, not the throughput of a full batch. Prompts' tokens are in the price, not in the count.",
    leaves_out="Power, network and people, unless the price holds them.",
    chain="""
    c_M = 1000000*(n_d*c_d/R)        -- price of all devices for a second, over a second's tokens
      = 1000000*n_d*c_d/R            -- collect
    """,
)


def pay_while_a_batch_decodes(c_d: Fraction, **letters: Any) -> Fraction:
    """A step run by the clock; the price of a device for the time that a million of its tokens take."""
    return c_d * 1_000_000 / make_tokens_on_each_device(**letters)


DECODED_TOKENS_COST = like(
    "decoded-tokens-cost",
    DECODE_THROUGHPUT_DEVICE,
    title="Cost of a million tokens decoded by full batches of a model",
    phrases="what does a million tokens of Llama 70B cost on H100; least price of decoding a model on a "
    "device; dollars per 1M output tokens at a batch size and context; cost per Mtok from memory "
    "bandwidth and the hourly price of a GPU",
    unit=CURRENCY,
    noun=None,
    letters={**DECODE_THROUGHPUT_DEVICE.letters, "c_d": PRICE},
    uses={"R_dev": DECODE_THROUGHPUT_DEVICE.at()},
    source=NVIDIA_TOKEN_COST,
    oracle=pay_while_a_batch_decodes,
    convention=f"Every step has a full batch. {LEAST}",
    leaves_out="Prompts' tokens and the time of their prefill; hours in which nobody asks; transfers "
    "between devices; power, network and people, unless the price holds them.",
    holds_for=only_dense("decoded-tokens-cost"),
    chain="""
    c_dec = c_d*(1000000/R_dev)        -- seconds of a device for a million of its tokens
      = 1000000*c_d/R_dev              -- collect
    """,
)


def write_words(N_w: int, tau_w: Fraction) -> Fraction:
    """A text written word after word, each with more tokens than the one before; all of its tokens."""
    only_if(N_w <= MOST_WORDS)
    tokens = Fraction(0)
    for word in range(1, N_w + 1):
        tokens += tau_w * 2 * word / (N_w + 1)
    return tokens


def pay_for_a_text(N_w: int, tau_w: Fraction, c_api: Fraction) -> Fraction:
    """A text written word after word, of unlike lengths; its tokens paid as a meter counts them."""
    return metered(c_api, write_words(N_w, tau_w) / 10**6)


TEXT_COST = derivation(
    "text-cost",
    title="Cost of so many words at a price of a million tokens",
    phrases="price to embed all of Wikipedia; words times tokens per word times "
    "API price; what does embedding so many words cost",
    unit=CURRENCY,
    letters={"N_w": WORDS, "tau_w": TOKENS_PER_WORD, "c_api": MILLION_PRICE},
    source=EMBEDDED_TEXTS,
    oracle=pay_for_a_text,
    convention="English has some 4/3 tokens a word. Where tokens are known themselves, they are words "
    "of one token each. An API asks one price of what goes in and another of what comes out: each is a "
    "text of its own.",
    leaves_out="Tokens that a prompt repeats around every text.",
    chain="""
    c_text = sum(tau_w, (i, 1, N_w))*(c_api/1000000)     -- the tokens of every word, each a millionth
      = N_w*tau_w*c_api/1000000                          -- words of one mean
    """,
)


def pay_both_ways(N_t: int, c_api: Fraction, c_fix: Fraction) -> bool:
    """A month's tokens paid to an API as a meter counts them; whether devices of one's own cost less."""
    return metered(c_api, Fraction(N_t, 10**6)) >= c_fix


BREAK_EVEN_TOKENS = derivation(
    "break-even-tokens",
    title="Tokens from which devices of one's own are cheaper than an API",
    phrases="break-even volume of self-hosting; self-hosting versus API; from how many tokens a month "
    "does self-hosting pay; is hosting a model cheaper than paying per token",
    unit=ONE,
    noun="tokens",
    letters={"N_t": SERVED_TOKENS, "c_api": MILLION_PRICE, "c_fix": FIXED_COST},
    source=BREAK_EVEN,
    oracle=pay_both_ways,
    convention="In one and the same time, such as a month: devices are paid for all of it. `c_api` is "
    "the API's price, the mean over tokens that go in and come out.",
    leaves_out="Whether the devices can make so many tokens: see million-tokens-cost; people.",
    chain="""
    N_t*c_api/1000000 >= c_fix         -- what the API asks, and what the devices cost
      <=> N_t >= 1000000*c_fix/c_api   -- solve for the tokens
    """,
)


def burn_for_a_token(n_d: int, R: Fraction, p_d: Fraction) -> Fraction:
    """The device time of a few tokens, at the power of a device, for one of them."""
    return make_some_tokens(n_d, R) * p_d


TOKEN_ENERGY = derivation(
    "token-energy",
    title="Energy of a generated token",
    phrases="joules per token; energy per token of LLM inference; watts over tokens per second; "
    "electricity of a million tokens; how much power does an answer take",
    unit=ONE,
    noun="joules",
    fractional="an energy, in joules",
    letters={**GROUP, "p_d": WATTS},
    source=ENERGY_PER_TOKEN,
    oracle=burn_for_a_token,
    convention="`p_d` is the mean power for each device, with its share of the node and of cooling if "
    "those shall count. A million tokens at 3.6 joules are a kilowatt-hour.",
    leaves_out="What devices take while nobody asks, unless `R` is the mean over that time too.",
    chain="""
    e_tok = sum(p_d, (i, 1, n_d))/R     -- joules of all devices in a second, over its tokens
      = n_d*p_d/R                       -- equal devices
    """,
)


def look_in_at_every_moment(R_q: Fraction, T_r: Fraction) -> Fraction:
    """Requests that come at even times and stay unevenly long; those in flight, from event to event."""
    stays = [T_r * 2 * k / (REQUESTS + 1) for k in range(1, REQUESTS + 1)]
    come = [(k / R_q, 1) for k in range(REQUESTS)]
    leave = [(k / R_q + stay, -1) for k, stay in enumerate(stays)]
    events = sorted(come + leave)
    held, in_flight = Fraction(0), 0
    for (now, change), (then, _) in pairwise(events):
        in_flight += change
        held += in_flight * (then - now)
    return held / (REQUESTS / R_q)


REQUESTS_IN_FLIGHT = derivation(
    "requests-in-flight",
    title="Requests in flight (Little's law)",
    phrases="concurrent requests from QPS and latency; L = lambda W; average concurrency of a server; "
    "how many sequences run at once at 10 requests per second; batch size that traffic makes",
    unit=ONE,
    noun="requests",
    fractional="the mean over time",
    letters={"R_q": ARRIVALS, "T_r": REQUEST_TIME},
    source=LITTLE,
    oracle=look_in_at_every_moment,
    convention="Means over a long time in which as many requests leave as arrive; holds for any order "
    "and any lengths. Waiting counts if `T_r` holds it.",
    chain="""
    N_req = T_r/(1/R_q)              -- the time one stays, over the time until the next comes
      = R_q*T_r                      -- arrivals in the time that one stays
    """,
)


def add_groups_until_it_is_enough(n_d: int, R: Fraction, R_q: Fraction, o: int, rho: Fraction) -> int:
    """Groups added one after the other until together they make the tokens that are asked for."""
    devices, made = 0, Fraction(0)
    while made < R_q * o:
        devices, made = devices + n_d, made + rho * R
        only_if(devices <= MOST_GROUPS * n_d)
    return devices


DEVICES_FOR_TRAFFIC = derivation(
    "devices-for-traffic",
    title="Devices for a traffic of requests",
    phrases="chips needed to serve a load; requests per second a fleet must serve; "
    "how many GPUs to serve 100 requests per second; capacity planning of inference; replicas "
    "needed for a QPS; GPU count from tokens per second demand; fleet size for chat traffic",
    unit=ONE,
    noun="devices",
    letters={**GROUP, "R_q": ARRIVALS, "o": OUTPUT_TOKENS, "rho": HEADROOM},
    source=LITTLE.at("volume 2, Inference Foundations, “Target-utilization batch sizing”"),
    oracle=add_groups_until_it_is_enough,
    convention="Whole groups, each with a throughput `R` that its mix of prompts and answers allows; "
    "`rho` is the share of it that is planned with, often 0.7 to 0.8.",
    leaves_out="Peaks of the day; groups that are down.",
    chain="""
    n_srv = n_d*ceil(R_q*o/(rho*R))       -- tokens asked for in a second, over those a group may make
      >= n_d*R_q*o/(rho*R)                -- groups are whole
    """,
)
