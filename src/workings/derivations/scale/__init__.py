"""Time, money and scale: from FLOPs to days, and from one device to thousands.

A plan is judged by what it costs and when it is done. A step's time is compute, bubble and whatever
communication compute does not hide; utilization says how much of the hardware's peak became progress,
and from it follow days, device-hours and cost of a run. What more devices bring depends on what is
held: a fixed batch pays the same overhead with less work each, a batch that grows pays for transfers
and bubble. How large model, data and batch should be is a question of its own, which budgets of compute
and the gradient's noise answer. The chapter ends with the files that a run leaves. Where FLOPs of a
token are counted they are 6 a parameter, unless an entry has them as a letter.
"""

SECTIONS = (
    "utilization",
    "runs",
    "device_time",
    "energy",
    "efficiency",
    "chinchilla",
    "scaling_laws",
    "batch",
    "files",
)
