"""Model state lies in memory between steps: weights, their gradients and the optimizer's moments.

It is what a device must hold before a single activation is kept, and often what decides how many
devices a model needs. Its size is a product of two counts: bytes a parameter, which the precision
recipe and the optimizer settle, and parameters a rank holds, which tensor, pipeline and expert
parallelism settle. Data parallelism alone copies it all; ZeRO, FSDP, hybrid sharding and the
distributed optimizer share some or all of it among the ranks that hold the same parameters. So the
chapter goes from recipes to the parameters of a stage's ranks, and from there to what a rank keeps of
them under each way to share. Every value of every parameter was laid on its devices to count what a
formula says; activations, gathered weights and other buffers are left to other chapters.
"""

SECTIONS = (
    "recipes",
    "stages",
    "zero",
    "distributed_optimizer",
    "parts",
)
