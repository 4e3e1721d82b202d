"""A pipeline cuts the model by layers: rank after rank holds a stage, and micro-batches flow through.

A model that does not fit can be cut by layers, since stages exchange only the activations at their
boundaries and their gradients, once a stage and not several times a layer. The price is waiting: while
the pipeline fills and drains, ranks have nothing to do. That bubble shrinks with the micro-batches of a
step, with several chunks on each rank, and with schedules that put the gradients of the weights off; it
grows with the stages and where they are not equally long. It is given here over the ideal time (β) or
over the total time (b), never mixed. Times are those of one micro-batch on one rank: forward, backward
for the gradient of the input, and backward for the gradients of the weights. Every schedule here was run
task by task to count what its formula says.
"""

SECTIONS = (
    "schedules",
    "bubble",
    "interleaved",
    "zero_bubble",
    "chimera",
    "warm_up",
    "uneven",
    "sending",
    "depth",
)
