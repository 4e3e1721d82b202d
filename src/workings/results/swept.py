"""What `sweep` returns: a job at every combination of some values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workings.errors import UserError
from workings.planning import sweeping
from workings.planning.inputs.asked import reading
from workings.planning.inputs.names import named
from workings.planning.stored import stored_plan
from workings.planning.sweeping import Point, Swept
from workings.values.tabled import tabled

if TYPE_CHECKING:
    from workings.planning.sweeping.plot import Plot


@dataclass(frozen=True, repr=False)
class SweepResult:
    """Every point of a sweep, in the order of its axes, the last one fastest."""

    found: Swept

    @property
    def points(self) -> tuple[Point, ...]:
        """Each with `at`, the values of the axes, `fits`, and why not in `reason`."""
        return self.found.points

    @property
    def complete(self) -> bool:
        """False where Ctrl-C ended the sweep early."""
        return self.found.complete

    def rows(self) -> list[dict[str, Any]]:
        """One dictionary a point, for a table of pandas: units are in the names of the columns."""
        return [{**point.at, **sweeping.record(point)} for point in self.points]

    def csv(self) -> str:
        """What `-o FILE` writes."""
        return sweeping.as_csv(self.found)

    def svg(self, of: str = "mfu") -> str:
        """What `--plot FILE` draws: mfu, step, memory or tokens over the axes. Raises JobError."""
        from workings.render.environment import render  # noqa: PLC0415 - loads Jinja
        from workings.render.line_geometry import line_layout  # noqa: PLC0415 - where one draws

        return render("figures", "lines.svg", line_layout(self._drawn(of)))

    def html(self, of: str = "mfu") -> str:
        """What `--plot FILE.html` writes: the same as a page, with the table below. Raises JobError."""
        from workings.document.blocks import Document, Lines, Text, Verbatim  # noqa: PLC0415 - as above
        from workings.render.reports import Options, printed  # noqa: PLC0415 - as above

        drawn = self._drawn(of)
        how = "each point says what it is, under the pointer or by the Tab key"
        caption = (Text(f"{drawn.subtitle}; {how}"),)
        blocks = (Lines("sweep", 1, caption, drawn), Verbatim(str(self)))
        page = Document((Text(drawn.title),), blocks, {"sweep": ("figure", 1)})
        return printed(page, "sweep", Options(formats=("html",)))["sweep.html"]

    def _drawn(self, of: str) -> Plot:
        from workings.planning.sweeping.measures import MEASURES  # noqa: PLC0415 - where one draws
        from workings.planning.sweeping.plot import drawable, plot  # noqa: PLC0415 - the same

        if of not in MEASURES:
            raise UserError(f"--of: found {of!r}, expected one of {', '.join(MEASURES)}")
        drawable(self.found.axes)
        return plot(self.found, of)

    def to_dict(self) -> dict[str, Any]:
        """What `workings sweep --format json` prints."""
        return sweeping.as_dict(self.found)

    def __str__(self) -> str:
        return sweeping.text(self.found)

    def __repr__(self) -> str:
        return f"Sweep of {self.found.name}: {sweeping.summary(self.found)}"

    def _repr_html_(self) -> str:
        head, *rows = sweeping.worded(self.found)
        return tabled(head, "r" * (len(head) - 1), rows, repr(self))


def axes_of(over: Mapping[str, object] | Iterable[str]) -> tuple[sweeping.Axis, ...]:
    """Axes as `{"gpus": "8..512", "tp": [1, 2]}`, or as the command line has them. Raises JobError."""
    if isinstance(over, str):
        over = [over]
    texts = [_text(*pair) for pair in over.items()] if isinstance(over, Mapping) else over
    return sweeping.axes(str(text) for text in texts)


def swept(
    file: str | Path | None, settings: Mapping[str, str], options: Mapping[str, object],
    axes: tuple[sweeping.Axis, ...], *, best: bool | None = None, weak: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> SweepResult:  # fmt: skip
    """Work a job out over axes. Raises UserError where no point of it can be worked out."""
    read = reading(file, settings, options)
    return SweepResult(sweeping.sweep(read, stored_plan(), axes, best=best, weak=weak, progress=progress))


def _text(name: str, values: object) -> str:
    listed = values if isinstance(values, Iterable) and not isinstance(values, str) else [values]
    dashed = name.replace("_", "-")  # as an option of the command line is called
    name = dashed if named(dashed) else name
    return f"{name}={','.join(_word(value) for value in listed)}"


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
