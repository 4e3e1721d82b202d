"""Running for weeks: failures, checkpoints, and the share of the time whose work is kept.

The more devices, the sooner one of them fails and stops the job. Checkpoints cost time while they
are written and save time when a failure comes; the best interval between them balances the two,
and what is still lost makes every run longer.
"""

SECTIONS = (
    "failures",
    "checkpoints",
    "goodput",
)
