"""Sweeps: a job's layout, or the best one, at every combination of some values."""

from workings.planning.sweeping.axes import Axis, axes
from workings.planning.sweeping.points import Point, Swept, sweep
from workings.planning.sweeping.table import as_csv, as_dict, record, summary, text, worded

__all__ = ["Axis", "Point", "Swept", "as_csv", "as_dict", "axes", "record", "summary", "sweep", "text",
           "worded"]  # fmt: skip
