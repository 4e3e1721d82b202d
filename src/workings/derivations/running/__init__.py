"""Running for weeks: failures, checkpoints, and the share of the time whose work is kept.

The more devices, the sooner one of them fails and stops the job, and whatever was done since the last
checkpoint is done again. Checkpoints cost time while they are written and save time when a failure
comes; the best interval between them balances the two. What is still lost, with the time of restarts,
makes every run longer and limits how many devices a job can use well. Most entries are of first order:
a checkpoint is short beside the interval, and the interval beside the time between failures, so that at
most one failure strikes an interval. Two entries say where that ends. Failures were struck in every
part of an interval, and intervals searched, to count what the formulas say.
"""

SECTIONS = (
    "failures",
    "checkpoints",
    "goodput",
)
