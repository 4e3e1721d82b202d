"""What `size` returns: devices and their number side by side, held against what the run may take."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workings.contract import SCHEMA
from workings.planning import sweeping
from workings.planning.inputs.asked import reading
from workings.planning.inputs.sizes import devices_of, limits_of, numbers_of
from workings.planning.letters import LAYOUT
from workings.planning.stored import stored_plan
from workings.planning.sweeping import Point
from workings.planning.sweeping.table import written
from workings.review import sized as words
from workings.review.sizing import Device, Limits, Row, Sized, size
from workings.values.tabled import tabled

_ODDS = {"T_run": "run_seconds", "c_run": "cost_usd"}  # by letter, as a sweep calls them


@dataclass(frozen=True, repr=False)
class SizeResult:
    """Every device in every number, in the order in which they were asked for."""

    found: Sized

    @property
    def complete(self) -> bool:
        """False where Ctrl-C ended it early."""
        return self.found.complete

    @property
    def answer(self) -> str:
        """The cheapest and smallest that keep to the limits, or what misses them least."""
        return words.answer(self.found)

    def rows(self) -> list[dict[str, Any]]:
        """One dictionary a row, for a table of pandas: units are in the names of the columns."""
        return [_record(row) for row in self.found.rows]

    def csv(self) -> str:
        """What `--format csv` prints."""
        return written(self.rows(), ())

    def to_dict(self) -> dict[str, Any]:
        """What `workings size --format json` prints."""
        limits = self.found.limits
        return {
            "schema": SCHEMA, "name": self.found.own.name, "complete": self.complete,
            "size": self.found.size, "max_seconds": _float(limits.max_time),
            "max_cost_usd": _float(limits.max_cost), "repair_seconds": float(limits.repair),
            "answer": self.answer, "notes": words.notes(self.found), "rows": self.rows(),
        }  # fmt: skip

    def __str__(self) -> str:
        return words.text(self.found)

    def __repr__(self) -> str:
        return f"Size of {self.found.own.name}: {self.answer}"

    def _repr_html_(self) -> str:
        head, *rows = words.worded(self.found)
        return tabled(head, "l" + "r" * (len(head) - 2), rows, repr(self))


def _float(value: Any) -> float | None:
    return None if value is None else float(value)


def _record(row: Row) -> dict[str, Any]:
    """What a sweep has of a point, by the model; where that is likely to lie; whether the limits hold."""
    desk = row.desk
    layout = {} if desk is None else {n: int(desk.base[n]) for n in LAYOUT}
    point = Point({}, layout, {} if desk is None else desk.base, bool(desk), row.reason)
    price = None if desk is None else desk.job.figures["c_d"]
    return {
        "hardware": row.device, **sweeping.record(point), "devices": row.devices, "nodes": row.nodes,
        "spare_nodes": row.spares, "spare_usd": _float(row.spares_cost),
        "usd_a_device_hour": None if price is None else float(price.value * 3600),
        "price_is": None if price is None else price.kind, "runs": desk and len(desk.runs),
        "mfu_middle": desk and float(row.odds("u").middle), **_odds(row),
        "holds_in_the_middle": row.holds("middle"), "holds_at_the_bad_end": row.holds("most"),
        "review": row.answer and row.answer.word,
    }  # fmt: skip


def _odds(row: Row) -> dict[str, float | None]:
    names = {"least": "from", "middle": "middle", "most": "to"}
    return {
        f"{name}_{end}": None if row.desk is None else float(getattr(row.odds(letter), of))
        for letter, name in _ODDS.items() for of, end in names.items()
    }  # fmt: skip


def sized(
    file: str | Path | None, settings: Mapping[str, str], options: Mapping[str, object], *,
    budget: str | None = None, days: str | None = None, repair: str = "1 day",
    hardware: str | None = None, devices: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> SizeResult:  # fmt: skip
    """Hold devices and numbers of them against limits. Raises UserError where none has a layout."""
    limits = Limits(*limits_of(days, budget, repair))
    price = None if hardware is None or file is not None else options.get("price")
    wanted = [Device(*named) for named in devices_of(hardware, None if price is None else str(price))]
    read = reading(file, settings, options if price is None else {**options, "price": None})
    return SizeResult(size(read, stored_plan(), wanted, numbers_of(devices), limits, progress))
