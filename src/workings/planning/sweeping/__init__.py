"""Sweeps: a job's layout, or the best one, at every combination of some values."""

from workings.planning.sweeping.axes import Axis, axes
from workings.planning.sweeping.points import Point, Swept, sweep
from workings.planning.sweeping.table import as_csv, summary, text

__all__ = ["Axis", "Point", "Swept", "as_csv", "axes", "summary", "sweep", "text"]
