"""How many numbers a model learns: each matrix, bias and norm of a transformer, then whole models.

The count is where every other account begins: state is so many bytes a parameter, compute so many FLOPs a
parameter and token, a transfer so many bytes of gradients. Every total is the sum of the tensors that the
model's published code allocates, so it equals the count of the released weights to the last parameter.
Approximations such as `12*L*D^2` follow from it, with what they leave out. Published figures differ
because they count different things: with or without embedding tables, all experts or those that one token
meets. Each of these is an entry of its own. Letters that are 0 or 1 switch a bias or a norm on, so that
one formula serves many families. At the end stand blocks of other kinds: a decoder's that attends to an
encoder, and those of state-space models.
"""

SECTIONS = (
    "parts",
    "attention",
    "latent_attention",
    "feed_forward",
    "dense",
    "rule_of_twelve",
    "mixtures",
    "cross_attention",
    "state_space",
)
