"""Time and cost of a run.

All FLOPs of a run, in petaflop/s-days, are what papers print to compare runs on unlike machines. Over
what its devices usefully do in a second they are its time: in seconds, in days, and with every block
recomputed, where 8 FLOPs a parameter and token take the place of 6. Device time
and cost do not depend on the number of devices at the same MFU: more of them are sooner, not dearer.
With interruptions only a share of the wall time counts, and the devices are paid for all of it.
Attention's core is not counted, so the utilization here is MFU without it.
"""

from fractions import Fraction
from typing import Any

from workings.derivation import Source, derivation, like
from workings.derivations.compute.rule_of_six import TRAINING_FLOPS_SIX_N
from workings.derivations.sources import KAPLAN, LLAMA_3, MEGATRON_PIPELINE
from workings.simulate.steps import touch_weights, train
from workings.units import CURRENCY, ONE, SECOND
from workings.vocabulary.hardware import COMPUTE
from workings.vocabulary.layout import DEVICES
from workings.vocabulary.model import ACTIVE_PARAMETERS
from workings.vocabulary.scale import ACHIEVED, GOODPUT, MFU, PRICE
from workings.vocabulary.training import TRAINING_TOKENS

SCALING_BOOK_LLAMA = Source(
    "Austin et al.",
    "How to Scale Your Model",
    2025,
    "part 6, “Counting Parameters and FLOPs”",
    "https://jax-ml.github.io/scaling-book/applied-training/",
)

RUN = {"P": ACTIVE_PARAMETERS, "T_tok": TRAINING_TOKENS, "n": DEVICES, "C": COMPUTE, "u": MFU}


_HOURS, _MINUTES, _SECONDS = 24, 60, 60


def train_at_a_petaflop(P: int, T_tok: int) -> Fraction:
    """Every token trained at 10^15 FLOP/s, each meeting every weight in three passes; days it took."""
    return train(T_tok, touch_weights(P, 1), 1, 10**15).seconds / _SECONDS / _MINUTES / _HOURS


PETAFLOP_DAYS = derivation(
    "petaflop-days",
    title="Petaflop/s-days of a training run",
    phrases="training compute in PF-days; FLOPs over 8.64e19; pfs-days from parameters and tokens; GPT-3 "
    "3640 petaflop/s-days; convert 6ND to petaflop-days; how many petaflop days did training take; "
    "compute of a run in PF-days as Kaplan counts it",
    unit=ONE,
    noun="petaflop/s-days",
    fractional="an amount of work, in petaflop/s-days",
    letters={"P": ACTIVE_PARAMETERS, "T_tok": TRAINING_TOKENS},
    uses={"f_6": TRAINING_FLOPS_SIX_N.at()},
    source=KAPLAN.at("“Notation”, on training compute in PF-days"),
    oracle=train_at_a_petaflop,
    convention="A petaflop/s-day is 10^15 FLOP/s for a day: 8.64e19 FLOPs, done and not those of the "
    "peak. 6 FLOPs a parameter and token; Kaplan's `N` leaves embeddings out.",
    leaves_out="Attention's scores and weighted values; recomputation.",
    chain="""
    N_pfd = f_6/(1000000000000000[FLOP]*86400)     -- all FLOPs, over those of a petaflop/s for a day
      = f_6/86400000000000000000[FLOP]             -- 8.64e19 FLOPs
      = P*T_tok/14400000000000000000               -- 6 a parameter and token: 1.44e19 make one
    """,
)


def train_every_token(P: int, T_tok: int, n: int, C: Fraction, u: Fraction) -> Fraction:
    """Every token trained, each meeting every weight in three passes; the clock at the end."""
    return train(T_tok, touch_weights(P, 1), n, u * C).seconds


TRAINING_TIME = derivation(
    "training-time",
    title="Time of a training run",
    phrases="time from 6ND, number of chips and MFU; time on fewer or more chips; "
    "training duration; 6ND/(n·peak·MFU); wall-clock without failures; how long will "
    "pretraining take; time to train 70B on 1024 H100s; seconds from compute budget and cluster; 6ND "
    "over GPUs times peak times MFU; when will the run finish; total training hours",
    unit=SECOND,
    letters=RUN,
    uses={"f_6": TRAINING_FLOPS_SIX_N.at()},
    source=SCALING_BOOK_LLAMA,
    oracle=train_every_token,
    convention="6 FLOPs a parameter and token, so `u` is MFU without attention's core.",
    leaves_out="Interruptions; see training-time-goodput.",
    chain="""
    T_run = f_6/(n*(u*C))                    -- all FLOPs, over useful FLOP/s of all devices
      = 6[FLOP]*P*T_tok/(n*C*u)              -- 6 a parameter and token
    """,
)


def train_day_by_day(**run: Any) -> Fraction:
    """The same run, its clock read in hours of minutes of seconds."""
    return train_every_token(**run) / _SECONDS / _MINUTES / _HOURS


TRAINING_DAYS = like(
    "training-days",
    TRAINING_TIME,
    title="Days of a training run",
    phrases="days to train; training duration in days; 86400 seconds in the 6ND estimate; weeks or "
    "months of training; training days for 70B 15T tokens; number of days on 1000 GPUs; days on 1024 "
    "GPUs",
    unit=ONE,
    noun="days",
    fractional="a duration, in days",
    uses={"T_run": TRAINING_TIME.at()},
    oracle=train_day_by_day,
    chain="""
    N_day = T_run/86400[s]                   -- a day has 86,400 seconds
      = 6[FLOP]*P*T_tok/(n*C*u*86400[s])     -- put the time in
    """,
)


def train_with_forward_twice(P: int, T_tok: int, n: int, C_a: Fraction) -> Fraction:
    """Every token trained, each meeting every weight in four passes; the clock at the end."""
    return train(T_tok, touch_weights(P, 1, passes=4), n, C_a).seconds


TRAINING_TIME_RECOMPUTE = derivation(
    "training-time-recompute",
    title="Time of a training run that recomputes every block",
    phrases="8TP/(nX); training duration with activation recomputation; Narayanan end-to-end time; "
    "GPT-3 in 34 days on 1024 A100s; Megatron end-to-end training time formula; days when full remat is "
    "on",
    unit=SECOND,
    letters={"P": ACTIVE_PARAMETERS, "T_tok": TRAINING_TOKENS, "n": DEVICES, "C_a": ACHIEVED},
    uses={"f_6": TRAINING_FLOPS_SIX_N.at()},
    source=MEGATRON_PIPELINE.at("section 5.1, equation 4"),
    oracle=train_with_forward_twice,
    convention="`C_a` counts recomputation: it is HFU times the peak, not MFU.",
    leaves_out="Attention's core and the logits.",
    chain="""
    T_re = (f_6 + f_6/3)/(n*C_a)             -- forward, a third of the work, is done twice
      = 8[FLOP]*P*T_tok/(n*C_a)              -- 8 FLOPs a parameter and token
    """,
)


def add_up_all_devices(P: int, T_tok: int, n: int, C: Fraction, u: Fraction) -> Fraction:
    """The seconds that each device works, added up over the devices."""
    return train(T_tok, touch_weights(P, 1), n, u * C).device_seconds


DEVICE_TIME = like(
    "device-time",
    TRAINING_TIME,
    title="Device time of a training run (device-hours)",
    phrases="chip-hours when devices are fewer; GPU hours of a run; "
    "GPU-hours; accelerator hours of a run; 6ND/(peak·MFU); H100 hours for Llama 3; DeepSeek V3 "
    "2.788M GPU hours; GPU-days of a run",
    uses={"T_run": TRAINING_TIME.at()},
    oracle=add_up_all_devices,
    convention="6 FLOPs a parameter and token.",
    chain="""
    T_dev = n*T_run                          -- every device is busy or paid for all the time
      = n*(6[FLOP]*P*T_tok/(n*C*u))          -- put the time in
      = 6[FLOP]*P*T_tok/(C*u)                -- more devices at the same MFU: sooner, not dearer
    """,
)


def pay_every_device(n: int, c_d: Fraction, **run: Any) -> Fraction:
    """Every device paid for its seconds, added up."""
    seconds = train_every_token(n=n, **run)
    return sum((c_d * seconds for _ in range(n)), Fraction(0))


TRAINING_COST = derivation(
    "training-cost",
    title="Cost of a training run",
    phrases="training cost in dollars; GPU price times hours; $5.576M DeepSeek-V3; cloud bill for "
    "training; is a 70B affordable; $2 per GPU hour total; price of pretraining",
    unit=CURRENCY,
    letters={**RUN, "c_d": PRICE},
    uses={"T_run": TRAINING_TIME.at(), "T_dev": DEVICE_TIME.at()},
    source=Source(
        "Janapa Reddi et al.",
        "Machine Learning Systems",
        2025,
        "volume 2, Fault Tolerance, “Model-type diversity in failure impact”",
        "https://github.com/harvard-edge/cs249r_book/blob/dev/book/quarto/contents/vol2/"
        "fault_tolerance/fault_tolerance.qmd",
    ),
    oracle=pay_every_device,
    convention="A price for a device and second, whatever it does; 6 FLOPs a parameter and token.",
    leaves_out="Storage, network, people, and runs that failed.",
    chain="""
    c_run = n*T_run*c_d                      -- every device, all the time, at its price
      = T_dev*c_d                            -- device time
      = 6[FLOP]*P*T_tok*c_d/(C*u)            -- put the device time in
    """,
)


def train_in_the_good_time(T_tok: int, gamma: Fraction, **run: Any) -> Fraction:
    """Token after token; beside each second that is kept passes its part that is lost."""
    clock, lost_beside = Fraction(0), (1 - gamma) / gamma
    for _ in range(T_tok):
        good = train_every_token(T_tok=1, **run)
        clock += good + good * lost_beside
    return clock


TRAINING_TIME_GOODPUT = derivation(
    "training-time-goodput",
    title="Wall time of a training run with interruptions",
    phrases="training duration with goodput; effective MFU wall-clock; days to train including "
    "failures; how long with crashes and restarts; run duration with downtime; real calendar time with "
    "crashes; ETA with node failures; wall-clock at 90 percent effective training time",
    unit=SECOND,
    letters={**RUN, "gamma": GOODPUT},
    uses={"T_run": TRAINING_TIME.at()},
    source=LLAMA_3.at("section 3.3.4"),
    oracle=train_in_the_good_time,
    convention="`u` is MFU while the job makes progress that is kept, `gamma` the share of the wall "
    "time that this is: effective MFU is `u*gamma`.",
    chain="""
    T_good = T_run/gamma                     -- only this share of the wall time counts
      = 6[FLOP]*P*T_tok/(n*C*(u*gamma))      -- put the time in
    """,
)


def pay_for_lost_time_too(n: int, gamma: Fraction, c_d: Fraction, **run: Any) -> Fraction:
    """Every device paid for its good seconds, and for those lost beside them."""
    good = train_every_token(n=n, **run)
    return sum((c_d * (good + good * (1 / gamma - 1)) for _ in range(n)), Fraction(0))


TRAINING_COST_GOODPUT = like(
    "training-cost-goodput",
    TRAINING_COST,
    title="Cost of a training run with interruptions",
    phrases="training cost with failures; dollars incl. downtime; dollars including failures and "
    "restarts; cloud bill with downtime; price of a run at 90 percent goodput",
    letters={**RUN, "gamma": GOODPUT, "c_d": PRICE},
    uses={"T_good": TRAINING_TIME_GOODPUT.at()},
    oracle=pay_for_lost_time_too,
    convention="Devices are paid for while the job is down.",
    chain="""
    c_good = n*T_good*c_d                    -- all devices, all the wall time
      = 6[FLOP]*P*T_tok*c_d/(C*(u*gamma))    -- put the time in
    """,
)
