"""A job's ranks are numbered once and stand on a mesh of parallel axes, the fastest axis innermost.

From a rank's number follow its place on every axis, its groups, and how many nodes each group
spans; from the degrees follow the size of the world and the conditions they must meet. Tensor
parallelism varies fastest and context parallelism next; whether replicas or stages come then is an
input, `layout.order`: replicas in Megatron's default tp-cp-ep-dp-pp, stages in Llama 3's mesh.
"""

SECTIONS = (
    "world",
    "numbering",
    "strides",
    "coordinates",
    "nodes",
    "shares",
)
