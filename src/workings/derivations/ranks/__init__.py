"""A job's ranks are numbered once and stand on a mesh of parallel axes, the fastest axis innermost.

Every group that communicates is an axis of that mesh, so the numbering decides which groups stay inside a
node and which cross the network. From the degrees follow the size of the world and the conditions they
must meet; from a rank's number follow its place on every axis, its groups, and how many nodes each group
spans. What a batch and a run come to in tokens, and all devices together in compute and memory, stands
beside the degrees. Tensor parallelism varies fastest and context parallelism next; whether replicas or
stages come then is an input, `layout.order`: replicas in Megatron's default tp-cp-ep-dp-pp, stages in
Llama 3's mesh. Everything is counted from 0. What of heads, experts and layers a rank holds closes the
chapter: each of them is dealt out whole.
"""

SECTIONS = (
    "world",
    "batch",
    "totals",
    "strides",
    "numbering",
    "coordinates",
    "nodes",
    "shares",
)
