"""Failures and checkpoints: what only running for weeks speaks of."""

from workings.units import BYTE, ONE, SECOND
from workings.vocabulary.concept import Concept, Domain, count, seconds, share, whole

MTBF = Concept(
    "mtbf", "mean time between failures of one device", "M_d", SECOND, supplied="hardware.mtbf"
)
WRITE_TIME = Concept(
    "write_time",
    "time a checkpoint stops the job",
    "delta",
    SECOND,
    Domain.NONNEGATIVE,
    kin="checkpoint-write-time",
)
INTERVAL = Concept("interval", "time from one checkpoint to the next", "tau", SECOND)
RESTART_TIME = seconds("restart_time", "time from a failure until the job runs again", "R")
STORAGE = Concept(
    "storage", "bytes per second the storage takes from all devices together", "W_s", BYTE / SECOND
)
OBSERVED_TIME = Concept("observed_time", "wall time that is looked at", "T_obs", SECOND)
INTERRUPTIONS = count("interruptions", "interruptions counted", "N_f", None, "interruptions")
LOST_SHARE = share("lost_share", "share of the time that may be lost", "x")

# Time in ticks
TICK_RISK = Concept("tick_risk", "probability that the job fails in a tick", "q", ONE)
SEGMENT_TICKS = count("segment_ticks", "ticks from one checkpoint to the next", "k_s", None, "ticks")
RESTART_TICKS = whole("restart_ticks", "ticks from a failure until the job runs again", "r_s", None,
                      "ticks")  # fmt: skip
