"""Time, money and scale: from FLOPs to days, and from one device to thousands.

A step's time is compute, bubble and whatever communication compute does not hide. Utilization says
how much of the hardware's peak became progress; from it follow days, device-hours and cost, and
what more devices bring. Budgets of compute and the gradient's noise say how large model, data and
batch should be.
"""

SECTIONS = (
    "utilization",
    "efficiency",
    "runs",
    "chinchilla",
    "batch",
    "files",
)
