"""FLOPs: every matrix product of a transformer counted forward, backward and again.

The count is wanted before a run, to say how long it takes, and after it, to say how much of the
hardware's rate became useful work. A multiply-add is 2 FLOPs, and only matrix products count: norms,
softmax and activation functions are left out. From one product follow feed-forward, attention, a block
and a model; backward costs twice the forward, one product for the gradient of each factor. The rule of 6
FLOPs a parameter and token is the same count with attention's scores left out, and the chapter says how
much that is. Recomputation makes the hardware do more than the model needs: model FLOPs are what nothing
computed twice would take, hardware FLOPs what is really done. Attention is counted in full or only for
the pairs that a causal mask lets through; each title or convention says which. Linear attention and
state-space blocks keep a state in place of pairs, and their multiplications with it count as well.
"""

SECTIONS = (
    "matmul",
    "feed_forward",
    "attention",
    "attention_kernels",
    "dense",
    "rule_of_six",
    "recompute",
    "mixtures",
    "latent_attention",
    "cross_attention",
    "linear_attention",
    "state_space",
)
