"""Each parallel axis speaks at its own pace: how large a message, how often, how long apart.

Bytes over the time between two operations are the bandwidth an axis needs to hide behind compute,
and that tells which link it can live on. Times are those of devices at their peak, so real ones
speak less often and need less.
"""

SECTIONS = (
    "work",
    "expert_work",
    "tensor",
    "context",
    "expert",
    "pipeline",
    "data",
    "expert_data",
    "efficiency",
)
