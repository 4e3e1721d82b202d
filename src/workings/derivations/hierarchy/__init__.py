"""Each parallel axis speaks at its own pace: how large a message, how often, how long apart.

A layout puts each axis on some link, inside a node or between nodes. To choose well one asks of each
axis what it sends at a time, how many such messages a step has, and how much compute lies between two
of them. Bytes over that time are the bandwidth an axis needs to hide behind compute, and that tells
which link it can live on. The chapter counts a block's work first, dense and with experts, since it is
the clock of all that follows; then it asks those questions axis by axis, from what is sent inside every
layer to what is sent once a step, and ends with several axes at once. Times are those of devices at
their peak, so real ones speak less often and need less. Operations were noted on a clock and sent hop
by hop round their rings.
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
