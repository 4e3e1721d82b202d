"""From what was measured or is given: throughput, device time, price.

A throughput in tokens a second says when the last token of a run is done, whatever model and utilization
are behind it. Device time, which reports print as GPU hours, is what is paid for and what a grant gives:
over the devices it is a duration, times a price a cost, times the peak the FLOPs that it could do. The
last entries ask what money buys.
"""

from fractions import Fraction

from workings.derivation import derivation, like
from workings.derivations.compute._sources import GPT3
from workings.derivations.scale.runs import TRAINING_COST
from workings.derivations.sources import (
    DEEPSEEK_V3,
    MEGASCALE,
    SCALING_BOOK_FLOPS,
    scaling_book,
)
from workings.simulate.meter import metered
from workings.simulate.search import halve
from workings.units import CURRENCY, FLOP, ONE, SECOND
from workings.vocabulary.hardware import COMPUTE
from workings.vocabulary.layout import DEVICES
from workings.vocabulary.scale import DEVICE_SECONDS, MFU, PRICE, TOKENS_PER_SECOND
from workings.vocabulary.training import TRAINING_TOKENS

DAY = 24 * 60 * 60  # seconds
RATE = {"T_tok": TRAINING_TOKENS, "R_s": TOKENS_PER_SECOND}


def wait_for_the_last_token(T_tok: int, R_s: Fraction) -> Fraction:
    """Tokens come out at even times; when the last one does."""
    times = [(token + 1) / R_s for token in range(T_tok)]
    return times[-1]


TIME_FROM_THROUGHPUT = derivation(
    "run-time-from-throughput",
    title="Time of a training run from a measured throughput",
    phrases="training time from tokens per second; total tokens over tokens/s; how long for 300B tokens "
    "at 2M tokens per second; remaining time from the throughput in the log; ETA from measured speed; "
    "dataset size divided by throughput",
    unit=SECOND,
    letters=RATE,
    source=MEGASCALE.at("section 6.1, table 2"),
    oracle=wait_for_the_last_token,
    convention="Tokens a second of all devices together, as measured: no utilization is assumed.",
    leaves_out="Interruptions, unless the throughput is a mean over them too.",
    chain="""
    T_R = T_tok/R_s     -- all tokens, over those of a second
    """,
)


def wait_day_by_day(T_tok: int, R_s: Fraction) -> Fraction:
    """When the last token comes out, read in hours of minutes of seconds."""
    return wait_for_the_last_token(T_tok, R_s) / DAY


DAYS_FROM_THROUGHPUT = like(
    "run-days-from-throughput",
    TIME_FROM_THROUGHPUT,
    title="Days of a training run from a measured throughput",
    phrases="days for 300B tokens at a measured tokens/s; training days table from throughput; "
    "1e12 tokens over steps per second and batch; days until the data is used up at this speed; tokens "
    "over throughput over 86400; number of days at the observed rate",
    unit=ONE,
    noun="days",
    fractional="a duration, in days",
    uses={"T_R": TIME_FROM_THROUGHPUT.at()},
    oracle=wait_day_by_day,
    chain="""
    N_dR = T_R/86400[s]              -- a day has 86,400 seconds
      = T_tok/(R_s*86400[s])         -- put the time in
    """,
)


def read_meters_until_the_last_token(n: int, T_tok: int, R_s: Fraction) -> Fraction:
    """Clocks of all devices read after unlike spells, until the last token is out; added up."""
    return metered(1, wait_for_the_last_token(T_tok, R_s), n)


DEVICE_TIME_FROM_THROUGHPUT = like(
    "device-time-from-throughput",
    TIME_FROM_THROUGHPUT,
    title="Device time of a training run from a measured throughput",
    phrases="GPU hours from tokens per second; 180K H800 hours per trillion tokens; accelerator hours at "
    "a measured rate; GPU-hours for 14.8T tokens; device hours per trillion tokens; GPU hours from "
    "tokens/s/GPU",
    letters={"n": DEVICES, **RATE},
    uses={"T_R": TIME_FROM_THROUGHPUT.at()},
    source=DEEPSEEK_V3.at("section 1, table 1"),
    oracle=read_meters_until_the_last_token,
    chain="""
    T_devR = n*T_R           -- every device is busy or paid for all the time
      = n*T_tok/R_s          -- put the time in
    """,
)


def share_the_device_time(T_dev: Fraction, n: int) -> Fraction:
    """Device time given out in slices to whichever device has least, until it is used up."""
    clocks = [Fraction(0)] * n
    for _ in range(5 * n):
        clocks[clocks.index(min(clocks))] += T_dev / (5 * n)
    return max(clocks)


TIME_FROM_DEVICE_TIME = derivation(
    "run-time-from-device-time",
    title="Time of a run from its device time",
    phrases="days from GPU hours; 2.664M GPU hours on 2048 GPUs; wall-clock of a device-hour budget; "
    "GPU-hours over number of GPUs; how long does my allocation last; device hours divided by devices; "
    "convert accelerator hours to days "
    "on a cluster",
    unit=SECOND,
    letters={"T_dev": DEVICE_SECONDS, "n": DEVICES},
    source=DEEPSEEK_V3.at("section 1"),
    oracle=share_the_device_time,
    convention="All devices work from the first to the last second.",
    chain="""
    T_n = T_dev/n     -- the devices share the time
    """,
)


def read_every_meter(T_dev: Fraction, C: Fraction) -> Fraction:
    """One device for all of the time, its FLOPs read off after unlike spells."""
    return metered(C, T_dev)


AVAILABLE_FLOPS = derivation(
    "available-flops",
    title="FLOPs that device time could do at the peak",
    phrases="FLOPs available from GPU hours; upper bound of compute in 2.79M H800 hours; device hours "
    "times peak; how many FLOPs can I do with my allocation; maximum FLOPs in a compute grant; total "
    "FLOPs n times C times T",
    unit=FLOP,
    letters={"T_dev": DEVICE_SECONDS, "C": COMPUTE},
    source=SCALING_BOOK_FLOPS.at("part 4, question 7 of “A Few Problems to Work”"),
    oracle=read_every_meter,
    convention="At the peak; times the utilization it is what a run can use. Of `n` devices for a time "
    "`T` the device time is `n*T`.",
    chain="""
    f_av = T_dev*C     -- each second of a device at its peak
    """,
)


def bill_every_spell(T_dev: Fraction, c_d: Fraction) -> Fraction:
    """Device time billed after unlike spells, the bills added up."""
    return metered(c_d, T_dev)


COST_FROM_DEVICE_TIME = like(
    "cost-from-device-time",
    TRAINING_COST,
    title="Cost of given device time",
    phrases="price times GPU hours; 2.788M GPU hours at $2 are $5.576M; cost of a run by its GPU hours; "
    "dollars for an allocation; price of device hours; DeepSeek-V3 training cost table",
    letters={"T_dev": DEVICE_SECONDS, "c_d": PRICE},
    uses={},
    source=DEEPSEEK_V3.at("section 1, table 1"),
    oracle=bill_every_spell,
    convention="A price for a device and second, whatever it does.",
    leaves_out="Storage, network, people, research and runs that failed.",
    chain="""
    c_T = T_dev*c_d     -- each second of a device at its price
    """,
)


def spend_one(C: Fraction, u: Fraction, c_d: Fraction) -> tuple[Fraction, Fraction]:
    """A range of times halved until the bill of one device is 1; FLOPs read off its meter by then."""
    least, most = halve(lambda time: metered(c_d, time) >= 1)
    return metered(u * C, least), metered(u * C, most)


FLOPS_PER_CURRENCY = derivation(
    "flops-per-currency",
    title="FLOPs that a unit of money buys",
    phrases="FLOPs per dollar; performance per dollar of a GPU or TPU; which chip is cheaper per FLOP; "
    "FLOPs/$ from peak and hourly price; how much compute does one dollar buy; cost effectiveness of "
    "accelerators; which accelerator gives more FLOPs for the money",
    unit=FLOP / CURRENCY,
    letters={"C": COMPUTE, "u": MFU, "c_d": PRICE},
    given=("c_d > 0 -- what costs nothing buys without end",),
    source=scaling_book("applied-inference", "part 8, “What's the LLaMA Serving Story?”"),
    oracle=spend_one,
    convention="`u = 1` compares data sheets. The price is by the second: an hour's price over 3,600.",
    chain="""
    f_c = C*u/c_d     -- the useful FLOPs of a second, over its price
    """,
)


PETAFLOP_DAY = 10**15 * DAY


def work_for_a_day(C: Fraction, u: Fraction, c_d: Fraction) -> tuple[Fraction, Fraction]:
    """A range of times halved until a device's meter shows a petaflop/s-day; its bill by then."""
    least, most = halve(lambda time: metered(u * C, time) >= PETAFLOP_DAY, high=10**30)
    return metered(c_d, least), metered(c_d, most)


PRICE_OF_PETAFLOP_DAY = like(
    "petaflop-day-cost",
    FLOPS_PER_CURRENCY,
    title="Price of a petaflop/s-day",
    phrases="cost per PF-day; dollars per petaflop-day; price of 8.64e19 FLOPs; PF-days to dollars; what "
    "does a petaflop/s-day cost on H100; compute price per pfs-day",
    unit=CURRENCY,
    given=(),
    source=GPT3.at("appendix D, table D.1, on petaflop/s-days"),
    oracle=work_for_a_day,
    convention="A petaflop/s-day is 10^15 FLOP/s for a day: 8.64e19 FLOPs.",
    chain="""
    c_pfd = 1000000000000000[FLOP]*86400*c_d/(C*u)     -- its FLOPs, over what a second's price does
      = 86400000000000000000[FLOP]*c_d/(C*u)           -- 8.64e19 FLOPs
    """,
)
