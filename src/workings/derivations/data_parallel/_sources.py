"""Publications on data parallelism; each was opened at the place named."""

from workings.derivation import Source
from workings.derivations.sources import ZERO

ZERO_VOLUME_GRADIENTS = ZERO.at("section 7.2.1")

FSDP_OVERLAP = Source(
    "Zhao et al.",
    "PyTorch FSDP: Experiences on Scaling Fully Sharded Data Parallel",
    2023,
    "sections 3.3.1 and 3.3.2",
    "https://arxiv.org/abs/2304.11277",
)
