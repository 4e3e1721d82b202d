"""Checkpoints.

Writing a checkpoint takes its bytes over the storage's speed, and reading it back after a failure takes
them once for each replica that reads, or once in all and a broadcast. A job that stands still while it
writes loses the share of every round that the write takes. Written often, checkpoints cost time;
written seldom, a failure costs more work done again, half an interval on average. The share lost to
both has a least value where the two are equal, and the interval of Young and Daly is the one that
reaches it. Daly's longer formula adds two orders for failures that are not rare, and the last entry is
the exact mean time of an interval in ticks, restarts included.
"""

from fractions import Fraction
from functools import cache
from math import isqrt

from workings.derivation import Source, derivation, like, only_if
from workings.derivations.collectives.ring_time import hand_pieces_by_the_clock
from workings.derivations.running._intervals import COSTS_TIME, FAILING, SPACED, least_lost
from workings.derivations.running._sources import CHECKPOINT_INTERVAL, LLAMA_3_RELIABILITY
from workings.derivations.running.failures import JOB_MTBF
from workings.derivations.scale.files import CHECKPOINT_BYTES
from workings.simulate.failures import interval_series, lost_share, mean_gap, ticks_to_finish
from workings.units import BYTE, ONE, SECOND
from workings.vocabulary.collective_times import PIECES
from workings.vocabulary.hardware import BANDWIDTH, LATENCY
from workings.vocabulary.layout import DEVICES, DP
from workings.vocabulary.model import PARAMETERS
from workings.vocabulary.running import (
    INTERVAL,
    RESTART_TICKS,
    SEGMENT_TICKS,
    STORAGE,
    TICK_RISK,
    WRITE_TIME,
)
from workings.vocabulary.training import MASTER_WIDTH, MOMENT_WIDTH


def write_value_after_value(P: int, w_p: Fraction, w_o: Fraction, W_s: Fraction) -> Fraction:
    """Every parameter's weight and moments written in turn at the storage's pace; the clock."""
    clock = Fraction(0)
    for _ in range(P):
        for width in (w_p, w_o, w_o):
            clock += width / W_s
    return clock


CHECKPOINT_WRITE_TIME = derivation(
    "checkpoint-write-time",
    title="Time to write a checkpoint",
    phrases="save duration; checkpoint size over storage bandwidth; dump state to Lustre or S3 time; "
    "training paused while saving; how long does save_checkpoint stall; checkpoint save overhead; how "
    "long training stops to save",
    unit=SECOND,
    letters={"P": PARAMETERS, "w_p": MASTER_WIDTH, "w_o": MOMENT_WIDTH, "W_s": STORAGE},
    uses={"S_ckpt": CHECKPOINT_BYTES.at()},
    source=LLAMA_3_RELIABILITY.at("section 3.3.1, on storage"),
    oracle=write_value_after_value,
    convention="All devices write at once; the storage, not their links, sets the pace. Where "
    "checkpoints are written while training goes on, only the copy out of memory stops the job.",
    chain="""
    T_write = S_ckpt/W_s                     -- bytes, over bytes a second
      = (w_p + 2*w_o)*P/W_s                  -- put the bytes in
    """,
)


def read_in_every_replica(P: int, w_p: Fraction, w_o: Fraction, W_s: Fraction, d: int) -> Fraction:
    """Every replica's parameters read one after the other at the storage's pace; the clock."""
    clock = Fraction(0)
    for _replica in range(d):
        clock += write_value_after_value(P, w_p, w_o, W_s)
    return clock


MEGASCALE = Source(
    "Jiang et al.",
    "MegaScale: Scaling Large Language Model Training to More Than 10,000 GPUs",
    2024,
    "section 4.4, “Fast checkpointing and recovery”",
    "https://arxiv.org/abs/2402.15627",
)


def read_every_value(P: int, w_p: Fraction, w_o: Fraction, d: int) -> Fraction:
    """Every replica's weights and moments read from the file value by value; bytes that left it."""
    left = Fraction(0)
    for _replica in range(d):
        for _parameter in range(P):
            for width in (w_p, w_o, w_o):
                left += width
    return left


CHECKPOINT_BYTES_READ = derivation(
    "checkpoint-bytes-read",
    title="Bytes read from storage where every replica reads the checkpoint",
    phrases="storage load of a restart; checkpoint read traffic of all data-parallel groups; load falls "
    "linearly in the data-parallel size; bytes read from HDFS on recovery; read amplification of loading "
    "a checkpoint; total bytes pulled from the file system on resume",
    unit=BYTE,
    letters={"P": PARAMETERS, "w_p": MASTER_WIDTH, "w_o": MOMENT_WIDTH, "d": DP},
    uses={"S_ckpt": CHECKPOINT_BYTES.at()},
    source=MEGASCALE,
    oracle=read_every_value,
    convention="Each rank reads what it keeps, so each replica reads the whole checkpoint. Where one "
    "rank of each group reads and sends it to the others, the storage gives it once, `d` times less.",
    chain="""
    V_read = sum(S_ckpt, (i, 1, d))          -- the whole checkpoint for every replica
      = d*S_ckpt                             -- equal replicas
      = d*(w_p + 2*w_o)*P                    -- put the bytes in
    """,
)


CHECKPOINT_READ_TIME = like(
    "checkpoint-read-time",
    CHECKPOINT_WRITE_TIME,
    title="Time to read a checkpoint in every replica",
    phrases="checkpoint load time; how long does resuming take; all data-parallel workers load the same "
    "checkpoint; storage read on restart; HDFS bandwidth at recovery; load_checkpoint duration",
    letters={**CHECKPOINT_WRITE_TIME.letters, "d": DP},
    source=MEGASCALE,
    oracle=read_in_every_replica,
    convention="Each rank reads what it keeps, so each replica reads the whole checkpoint; the storage "
    "sets the pace. State that the ranks of a replica share among replicas is read once: `d = 1`.",
    chain="""
    T_read = d*S_ckpt/W_s                    -- the whole checkpoint for every replica
      = d*(w_p + 2*w_o)*P/W_s                -- put the bytes in
    """,
)


def read_once_and_pass_on(
    P: int, w_p: Fraction, w_o: Fraction, W_s: Fraction, d: int, n: int, k_p: int, alpha: Fraction,
    W_b: Fraction,
) -> Fraction:  # fmt: skip
    """One replica reads by the clock, then its ranks pass their parts on along chains, in pieces."""
    read = write_value_after_value(P, w_p, w_o, W_s)
    ranks = [rank for rank in range(n) if rank % d == 0]  # of the replica that reads
    part = read * W_s / len(ranks)
    only_if(part > 0)
    return read + hand_pieces_by_the_clock(d, part, k_p, alpha, W_b)


CHECKPOINT_READ_ONCE_TIME = like(
    "checkpoint-read-once-time",
    CHECKPOINT_READ_TIME,
    title="Time to read a checkpoint once and pass it on to all replicas",
    phrases="one worker of each data-parallel group reads and broadcasts; MegaScale fast recovery; "
    "checkpoint load with a broadcast; retrieval by one GPU of the group then shared; avoid reading the "
    "same checkpoint many times; load falls linearly in the data-parallel size",
    unit=SECOND,
    letters={
        **CHECKPOINT_READ_TIME.letters,
        "n": DEVICES,
        "k_p": PIECES,
        "alpha": LATENCY,
        "W_b": BANDWIDTH,
    },
    given=("d >= 2", "d divides n"),
    oracle=read_once_and_pass_on,
    convention="One rank of each group of `d` reads its part, an equal share of the checkpoint, and "
    "sends it on along a chain in `k_p` pieces; all groups at once, after the read.",
    chain="""
    T_once = S_ckpt/W_s + sum(alpha + S_ckpt*d/(n*k_p*W_b), (i, 1, d - 1 + (k_p - 1)))
                       -- the checkpoint once; `d - 1` hops of a rank's first piece, and the others follow
      = S_ckpt/W_s + (d - 1 + (k_p - 1))*(alpha + S_ckpt*d/(n*k_p*W_b))      -- equal hops
    """,
)


LAN = Source(
    "Lan",
    "Optimal Checkpointing Frequency",
    None,
    "“Step 1: Time for one block (no failures)”",
    "https://changlan.org/posts/optimal-checkpointing/",
)

_UNLIKE = (3, 1, 4, 2)


def stop_to_write(delta: Fraction, tau: Fraction) -> Fraction:
    """Rounds of unlike lengths on a time line, a checkpoint after each; what is written, of the whole."""
    now, stops = Fraction(0), []
    for length in _UNLIKE:
        stop = now + tau * length * len(_UNLIKE) / sum(_UNLIKE)
        now = stop + delta
        stops.append((stop, now))
    return sum((end - start for start, end in stops), Fraction(0)) / now


CHECKPOINT_STALL_SHARE = derivation(
    "checkpoint-stall-share",
    title="Share of the time that training stands still to write checkpoints",
    phrases="fraction of time stalled by synchronous checkpointing; checkpoint stall percentage; "
    "blocking save overhead in percent; save time over interval plus save time; how much throughput do "
    "checkpoints cost without failures; GPU idle share while saving; checkpoint tax",
    unit=ONE,
    letters={"delta": WRITE_TIME, "tau": INTERVAL},
    source=LAN,
    oracle=stop_to_write,
    convention="Synchronous: no step runs while a checkpoint is written. `tau` is the training between "
    "two of them; counted from start to start it holds the write too, and the share is `delta/tau`.",
    leaves_out="Failures, and the work done again after them; see checkpoint-lost-share.",
    chain="""
    x_stall = 1 - tau/(tau + delta)          -- of a round, training for `tau` and writing for `delta`
      = delta/(tau + delta)                  -- what the steps do not have
      <= delta/tau                           -- the overhead over the training alone is larger
    """,
)


def strike_every_part(n: int, M_d: Fraction, delta: Fraction, tau: Fraction) -> Fraction:
    """A failure in each part of an interval in turn; work lost and checkpoints written, over the time."""
    return lost_share(tau, delta, mean_gap(n, M_d))


CHECKPOINT_LOST_SHARE = derivation(
    "checkpoint-lost-share",
    title="Share of the time lost to checkpoints and to work done again",
    phrases="checkpoint and rollback overhead; wasted fraction at a given save period; δ/τ + τ/2M; cost "
    "of checkpointing too often; rework after crash fraction; percent lost to restarts from last save; "
    "delta/T + T/2M",
    unit=ONE,
    letters=SPACED,
    uses={"M_job": JOB_MTBF.at()},
    source=CHECKPOINT_INTERVAL,
    oracle=strike_every_part,
    convention="First order: `delta` is short beside `tau`, and `tau` beside `M_job`, so that at most "
    "one failure strikes an interval, anywhere in it alike.",
    leaves_out="Restarting; failures while a checkpoint is written or read.",
    chain="""
    phi = delta/tau + (tau/2)/M_job          -- a checkpoint an interval; half an interval a failure
      = delta/tau + n*tau/(2*M_d)            -- put the job's MTBF in
    """,
)


def search_every_interval(
    n: int, M_d: Fraction, delta: Fraction, tau: Fraction
) -> tuple[Fraction, Fraction]:
    """A search over intervals; for each, failures struck in every part of it and losses added up."""
    return least_lost(n, M_d, delta)


CHECKPOINT_LEAST_LOST = like(
    "checkpoint-least-lost",
    CHECKPOINT_LOST_SHARE,
    title="Least share of the time lost to checkpoints and to work done again",
    phrases="minimal checkpoint overhead; sqrt(2δ/M); best-case waste; lowest waste with optimal saving "
    "frequency; unavoidable loss to failures and saves; sqrt(2 delta / M) overhead; best achievable "
    "checkpoint loss",
    given=(COSTS_TIME,),
    oracle=search_every_interval,
    convention="First order: `delta` is short beside `tau`, and `tau` beside `M_job`.",
    chain="""
    phi_best = delta/tau + tau/(2*M_job)     -- one term falls with the interval, the other rises
      minimise over tau at sqrt(2*delta*M_job) = sqrt(2*delta/M_job)
                                             -- least where both are equal
    """,
)


@cache
def balance(n: int, M_d: Fraction, delta: Fraction) -> tuple[Fraction, Fraction]:
    """Where waiting a little longer neither helps nor harms: the same for every interval asked about."""
    gap = mean_gap(n, M_d)
    low, high = Fraction(0), 4 * (gap + delta)
    while high - low > low / 10**7:
        middle = (low + high) / 2
        longer = middle + middle / 10**12
        falls = lost_share(longer, delta, gap) < lost_share(middle, delta, gap)
        low, high = (middle, high) if falls else (low, middle)
    return low, high


def close_in_on_the_balance(
    n: int, M_d: Fraction, delta: Fraction, tau: Fraction
) -> tuple[Fraction, Fraction]:
    """A range of intervals halved until waiting a little longer neither helps nor harms."""
    return balance(n, M_d, delta)


CHECKPOINT_INTERVAL_BEST = derivation(
    "checkpoint-interval",
    title="Best interval between checkpoints (Young and Daly)",
    phrases="optimal save period; Young's formula; sqrt(2δM); how often to checkpoint; checkpoint "
    "frequency in minutes; sqrt(2 delta MTBF); how often should I save a checkpoint",
    unit=SECOND,
    letters=SPACED,
    uses={"phi_best": CHECKPOINT_LEAST_LOST.at(), "M_job": JOB_MTBF.at()},
    given=("phi_best > 0",),
    source=CHECKPOINT_INTERVAL,
    oracle=close_in_on_the_balance,
    convention="First order: `delta` is short beside `tau`, and `tau` beside `M_job`. Restarting "
    "costs the same however often checkpoints are written.",
    chain="""
    delta/tau = phi_best/2                   -- writing costs as much as work done again: half each
      <=> tau = 2*delta/phi_best             -- solve for the interval
      <=> tau = sqrt(2*delta*M_job)          -- put the least share in, `sqrt(2*delta/M_job)`
    """,
)


DALY = Source(
    "Daly",
    "A Higher Order Estimate of the Optimum Checkpoint Interval for Restart Dumps",
    2006,
    "equation 37, as others transcribe it",
    "https://doi.org/10.1016/j.future.2004.11.016",
)

_FINE = 10**30


def invert_the_condition(n: int, M_d: Fraction, delta: Fraction) -> tuple[Fraction, Fraction]:
    """The condition of the least mean time, solved as a power series term by term, added up."""
    gap = mean_gap(n, M_d)
    square = delta / (2 * gap)
    root = Fraction(isqrt(int(square * _FINE**2)), _FINE)
    ends = []
    for x in (root, root + Fraction(1, _FINE)):
        terms = interval_series(3)
        ends.append(sum((c * x ** (k + 1) for k, c in enumerate(terms)), Fraction(0)) * gap - delta)
    return ends[0], ends[1]


DALY_INTERVAL = derivation(
    "daly-interval",
    title="Best time between checkpoints, two orders higher (Daly)",
    phrases="Daly higher-order save period; refined optimal checkpoint period; is Young's formula "
    "accurate for long saves; sqrt(2 delta M)(1+...) minus delta; checkpoint interval more accurate "
    "than Young; Young formula correction when save is long; Daly 2006 optimum with perturbation terms",
    unit=SECOND,
    letters=FAILING,
    uses={"M_job": JOB_MTBF.at()},
    given=(COSTS_TIME, "delta < 2*M_job"),
    source=DALY,
    oracle=invert_the_condition,
    convention="Useful time from the end of a checkpoint to the start of the next. Failures may "
    "strike anywhere, checkpoints and restarts included; restarts do not change the interval.",
    leaves_out="Terms beyond the third: the exact condition has no closed form.",
    chain="""
    tau_D = M_job*(2*sqrt(delta/(2*M_job)) + 2/3*(delta/(2*M_job))
              + 2/9*(delta/(2*M_job))*sqrt(delta/(2*M_job))) - delta
                       -- a power series in the root of half the checkpoint's share of the MTBF
      = sqrt(2*delta*M_job)*(1 + 1/3*sqrt(delta/(2*M_job)) + 1/9*(delta/(2*M_job))) - delta
                       -- Young's interval taken out
      ≈ [M_d -> oo] sqrt(2*delta*M_job)      -- Young's interval, where failures are rare
    """,
)


def solve_state_by_state(k_s: int, q: Fraction, r_s: int) -> Fraction:
    """Mean ticks from each state to the end, with failures back to the start, solved exactly."""
    return ticks_to_finish(k_s, q, r_s)


SEGMENT_TIME = derivation(
    "segment-time",
    title="Mean ticks until an interval has run through (exact)",
    phrases="exact expected duration of an interval with restarts; geometric retries; steps in a row "
    "without failure, mean wait; expected time until checkpoint with exponential failures; expected "
    "time to finish an interval with crashes; M(e^{T/M}-1) exact",
    unit=ONE,
    noun="ticks",
    fractional="the expected number",
    letters={"k_s": SEGMENT_TICKS, "q": TICK_RISK, "r_s": RESTART_TICKS},
    given=("q < 1",),
    source=DALY.at("the mean wall time behind equation 37, as others transcribe it"),
    oracle=solve_state_by_state,
    convention="Time in ticks; in each the job fails with probability `q`, restarts and begins the "
    "interval again. With ever finer ticks the powers become exponentials, as in Daly's model.",
    chain="""
    E_k = sum((1 + q*r_s)*(1/(1 - q))^i, (i, 1, k_s))
                       -- each further tick multiplies what came before by `1/(1 - q)`
      = (1 + q*r_s)/q*((1/(1 - q))^k_s - 1)  -- a geometric series
    """,
)
