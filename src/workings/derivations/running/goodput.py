"""Goodput.

Goodput is what checkpoints, work done again and restarts leave of the wall time. With the best interval
it falls with the root of the number of devices, then faster, and a run takes its time over that share:
effective MFU is MFU times goodput. The last entry asks how many devices a job can have before more than
a given share is lost. Time lost within steps is MFU's and does not count here.
"""

from fractions import Fraction

from workings.derivation import derivation, like
from workings.derivations.running._intervals import COSTS_TIME, FAILING, SPACED, least_lost
from workings.derivations.running._sources import CHECKPOINT_INTERVAL, LLAMA_3_RELIABILITY
from workings.derivations.running.checkpoints import CHECKPOINT_LEAST_LOST, CHECKPOINT_LOST_SHARE
from workings.derivations.running.failures import JOB_MTBF
from workings.derivations.scale.runs import RUN, TRAINING_TIME, train_every_token
from workings.derivations.sources import MEGASCALE
from workings.simulate.failures import lost_share, mean_gap
from workings.units import ONE, SECOND
from workings.vocabulary.running import LOST_SHARE, OBSERVED_TIME, RESTART_TIME
from workings.vocabulary.scale import STEP_TIME
from workings.vocabulary.training import STEPS


def keep_what_is_not_lost(n: int, M_d: Fraction, delta: Fraction, tau: Fraction, R: Fraction) -> Fraction:
    """Failures struck in every part of an interval, each with its restart; what is left of the time."""
    return 1 - lost_share(tau, delta, mean_gap(n, M_d), R)


GOODPUT = derivation(
    "goodput",
    title="Goodput: share of the wall time whose work is kept",
    phrases="useful fraction of wall-clock; ETTR; effective training time ratio; uptime efficiency of "
    "training; productive time despite failures; fraction of time making progress; how much of my GPU "
    "time is useful",
    unit=ONE,
    letters={**SPACED, "R": RESTART_TIME},
    uses={"phi": CHECKPOINT_LOST_SHARE.at(), "M_job": JOB_MTBF.at()},
    given=("phi + R/M_job < 1",),
    source=CHECKPOINT_INTERVAL,
    oracle=keep_what_is_not_lost,
    convention="First order: all losses are small shares of the time between failures. A restart "
    "runs from the failure to the first new step: detecting, replacing, loading.",
    leaves_out="Time that is lost within steps: that is MFU's.",
    chain="""
    gamma_run = 1 - phi - R/M_job            -- what checkpoints, lost work and restarts leave
      = 1 - delta/tau - (tau/2 + R)/M_job    -- put the lost share in
      <= 1 - phi                             -- restarts only lower it
    """,
)


def go_through_the_log(N_step: int, T_s: Fraction, T_obs: Fraction) -> Fraction:
    """Steps kept put on the time line with unlike gaps between them; what no gap takes, of the whole."""
    idle, gaps = T_obs - N_step * T_s, range(1, N_step + 1)
    events, now = [], Fraction(0)
    for gap in gaps:
        now += idle * gap / sum(gaps)
        events.append((now, now := now + T_s))
    return sum((end - start for start, end in events), Fraction(0)) / events[-1][1]


MEASURED_GOODPUT = derivation(
    "measured-goodput",
    title="Goodput that was measured: time of the steps kept over the wall time",
    phrases="effective training time ratio from the log; iterations times iteration time over total "
    "time; measured ETTR; share of wall-clock spent in steps that count; productive time of a finished "
    "run; uptime from completed steps",
    unit=ONE,
    letters={"N_step": STEPS, "T_s": STEP_TIME, "T_obs": OBSERVED_TIME},
    given=("N_step*T_s <= T_obs -- steps that were kept cannot take longer than the wall time",),
    source=MEGASCALE.at("section 6.3"),
    oracle=go_through_the_log,
    convention="Only steps that are part of the final run count, each once; `T_s` is the time of a step "
    "while nothing goes wrong.",
    leaves_out="Time that is lost within steps: that is MFU's.",
    chain="""
    gamma_m = sum(T_s, (i, 1, N_step))/T_obs     -- the steps that were kept, over all the time
      = N_step*T_s/T_obs                         -- equal steps
    """,
)


def search_for_the_most(n: int, M_d: Fraction, delta: Fraction, R: Fraction) -> tuple[Fraction, Fraction]:
    """A search over intervals for the least loss, restarts counted; what is left of the time."""
    low, high = least_lost(n, M_d, delta, R)
    return 1 - high, 1 - low


GOODPUT_BEST = like(
    "goodput-best",
    GOODPUT,
    title="Goodput with the best interval between checkpoints",
    phrases="useful fraction at optimal save period; best ETTR; highest effective training time at "
    "Young-Daly; best achievable productive fraction; useful time with optimal saving frequency",
    letters={**FAILING, "R": RESTART_TIME},
    uses={"phi_best": CHECKPOINT_LEAST_LOST.at(), "M_job": JOB_MTBF.at()},
    given=(COSTS_TIME, "phi_best + R/M_job < 1 -- failures cost all of the time, and the run never ends"),
    oracle=search_for_the_most,
    convention="First order: all losses are small shares of the time between failures.",
    chain="""
    gamma_best = 1 - phi_best - R/M_job      -- restarts do not depend on the interval
      = 1 - sqrt(2*delta*n/M_d) - R*n/M_d    -- falls with the root of the devices, then faster
    """,
)


def stretch_the_run(
    P: int, T_tok: int, n: int, C: Fraction, u: Fraction, M_d: Fraction, delta: Fraction, R: Fraction
) -> tuple[Fraction, Fraction]:
    """Every token trained; the clock stretched by the best goodput a search over intervals finds."""
    good = train_every_token(P, T_tok, n, C, u)
    low, high = search_for_the_most(n, M_d, delta, R)
    return good / high, good / low


WALL_TIME = derivation(
    "wall-time",
    title="Wall time of a run that checkpoints and restarts",
    phrases="end-to-end training duration with checkpoints and failures; calendar time incl. restarts; "
    "real elapsed time with crashes and saves; total hours on the clock with restarts; useful time over "
    "ETTR; expected completion under failures; real duration including saves and failures",
    unit=SECOND,
    letters={**RUN, **FAILING, "R": RESTART_TIME},
    uses={"T_run": TRAINING_TIME.at(), "gamma_best": GOODPUT_BEST.at()},
    source=LLAMA_3_RELIABILITY,
    oracle=stretch_the_run,
    convention="First order; the best interval; 6 FLOPs a parameter and token.",
    chain="""
    T_wall = T_run/gamma_best                -- only the time whose work is kept counts
      = 6[FLOP]*P*T_tok/(n*C*(u*gamma_best)) -- effective MFU is MFU times goodput
    """,
)


def search_and_compare(n: int, M_d: Fraction, delta: Fraction, x: Fraction) -> bool | None:
    """The least loss of that many devices, searched over intervals, against the share allowed."""
    if n > 500:
        return None
    low, high = least_lost(n, M_d, delta)
    if low <= x <= high:
        return None
    return high < x


DEVICES_FOR_LOST_SHARE = derivation(
    "devices-for-lost-share",
    title="Devices up to which no more than a share is lost",
    phrases="max cluster size for a given waste; GPUs until failures cost x percent; how many GPUs "
    "before checkpointing overhead is too high; scaling limit from crashes; max GPUs before failures "
    "eat 10 percent",
    unit=ONE,
    noun="devices",
    letters={**FAILING, "x": LOST_SHARE},
    uses={"phi_best": CHECKPOINT_LEAST_LOST.at()},
    given=(COSTS_TIME,),
    source=CHECKPOINT_INTERVAL,
    oracle=search_and_compare,
    convention="First order; the best interval.",
    leaves_out="Restarting.",
    chain="""
    phi_best^2 <= x^2                        -- lost at best, and allowed; both are positive
      <=> 2*delta*n/M_d <= x^2               -- put the share in
      <=> n <= x^2*M_d/(2*delta)             -- checkpoints twice as fast carry twice the devices
    """,
)
