"""Letters of a job that checkpoints and fails."""

from workings.vocabulary.layout import DEVICES
from workings.vocabulary.running import INTERVAL, MTBF, WRITE_TIME

FAILING = {"n": DEVICES, "M_d": MTBF, "delta": WRITE_TIME}

SPACED = {**FAILING, "tau": INTERVAL}
