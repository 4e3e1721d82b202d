"""How often ranks speak to each other, and how much of it shows."""

from workings.units import ONE
from workings.vocabulary.concept import Concept, Domain, count

BUCKET = count("bucket", "gradients in a bucket", "n_bkt", None, "gradients")
EXPOSED_TP = Concept(
    "exposed_tp", "tensor-parallel time that shows, over compute", "x_tp", ONE, Domain.NONNEGATIVE
)
EXPOSED_EP = Concept(
    "exposed_ep", "expert-parallel time that shows, over compute", "x_ep", ONE, Domain.NONNEGATIVE
)
EXPOSED_DP = Concept(
    "exposed_dp", "data-parallel time that shows, over compute", "x_dp", ONE, Domain.NONNEGATIVE
)
