"""A calibration in words, and as [assume] entries for a job file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from fractions import Fraction

from workings.planning.calibrating.fitting import Fit
from workings.planning.calibrating.memory import carried_on, sentences
from workings.planning.calibration import Calibration, Compared, decimal, fit_source
from workings.planning.inputs.results import RESULTS, fingerprint, fingerprint_of_model
from workings.planning.job import Figure
from workings.planning.utilization import OF_COUNT, in_short
from workings.planning.working import shown
from workings.units import ONE, SECOND


def text(found: Calibration) -> str:
    """Predicted against measured, what was replaced and fitted, and what the peak of memory says."""
    lines = list(_table(found))
    for old, new in found.replaced:
        lines.append(f"{new.concept.name}: {_figure(new)} measured, {_figure(old)} {old.kind} before")
    if found.fit is not None:
        lines.append(_fit(found.fit))
    elif found.remark:
        lines.append(found.remark)
    if found.peak is not None:
        lines += [*sentences(found.peak), *carried_on(found.peak)]
    return "\n".join(lines) + "\n"


def _table(found: Calibration) -> Iterator[str]:
    if not found.compared:
        return
    head = ["", "measured", "predicted", "error"]
    head += ["with what was measured", "error"] if found.replaced else []
    head += ["calibrated", "error"] if found.compared[0].fitted is not None else []
    rows = [head, *(_row(c, replaced=bool(found.replaced), name=_name(found, c)) for c in found.compared)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    for row in rows:
        first, *rest = (c.ljust(w) if i == 0 else c.rjust(w)
                        for i, (c, w) in enumerate(zip(row, widths, strict=True)))  # fmt: skip
        yield "  ".join([first, *rest]).rstrip()


def _name(found: Calibration, one: Compared) -> str:
    """A result with what it counts of attention's scores, where it hangs on that."""
    share, letter = found.measured.counts, RESULTS[one.name][0]
    return one.name if share is None or letter not in OF_COUNT else f"{one.name}, {in_short(share)}"


def _row(one: Compared, *, replaced: bool, name: str) -> list[str]:
    predicted = [one.before]
    predicted += [one.replaced] if replaced else []
    predicted += [one.fitted] if one.fitted is not None else []
    cells = [name, written(one.name, one.measured)]
    for value in predicted:
        cells += [written(one.name, value), _percent(one.error(value))]
    return cells


def _percent(share: Fraction) -> str:
    return f"{round(float(share) * 100, 1) or 0.0:+.1f} %"  # no -0.0


def written(name: str, value: Fraction) -> str:
    """A result as it is read."""
    if name == "mfu":
        return f"{float(value) * 100:.1f} %"
    if name == "tokens_per_second":
        return f"{float(value):,.0f}"
    return str(shown(value, RESULTS[name][1]))


def _figure(figure: Figure) -> str:
    return str(shown(figure.value, figure.dimension))


def _fit(fit: Fit) -> str:
    fastest, slowest = (shown(time, SECOND) for time in fit.between)
    if fit.value is None:
        if fit.between[0] == fit.between[1]:
            return f"{fit.name}: nothing fitted: a step takes {fastest} whatever it is"
        return (
            f"{fit.name}: nothing fitted: no value gives {shown(fit.time, SECOND)} a step, the model has "
            f"{fastest} to {slowest}; look at the layout, or fit another"
        )
    low, high = (decimal(end) for end in fit.range)
    where = "inside" if fit.inside else "outside"
    was = f"{low} to {high}" if low != high else low
    return f"{fit.name}: {decimal(fit.value)} fitted to {fit.target}, {where} what was assumed, {was}"


def as_toml(found: Calibration) -> str:
    """[assume] with what was measured and fitted, and [measured], to be put into a job file."""
    lines = [f"# What {_comment(found.measured.file)} gives for {_comment(found.job.name)}.", "[assume]"]
    lines += [f"{name} = {_inline(table)}" for name, table in found.measured.tables.items()]
    fit = found.fit
    if fit is not None and fit.value is not None:
        table = {"value": fit.value, "source": fit_source(fit, found.measured), "measured": True}
        lines.append(f"{fit.name} = {_inline(table)}")
    if found.peak is not None:
        lines += [f"# {_comment(sentence)}" for sentence in sentences(found.peak)]
        lines += [f"{f.concept.name} = {_inline(_table_of(f))}" for f in found.peak.accounts.values()]
    lines += _settling(found)
    return "\n".join(lines) + "\n"


def _settling(found: Calibration) -> list[str]:
    """[measured]: the results that settle what the verdict of a review asks for."""
    time, memory = found.step_time, found.measured.results.get("peak_memory")
    if time is None and memory is None:
        return []
    of = f"of = {_literal(fingerprint(found.job))}  # this model and layout"
    lines = ["", "[measured]", f"source = {_literal(found.measured.file)}", of]
    if time is None or (found.fit is not None and found.fit.value is not None):
        lines.append(
            f"model = {_literal(fingerprint_of_model(found.job))}  # in any layout, on such devices"
        )
    lines += [f'step_time = "{decimal(time)} s"'] if time is not None else []
    lines += [f'peak_memory = "{decimal(memory / 10**9)} GB"'] if memory is not None else []
    return lines


def _table_of(figure: Figure) -> Mapping[str, object]:
    """A figure as an entry of [assume]."""
    whole = figure.dimension == ONE
    value = figure.value if whole else f"{decimal(figure.value / 10**9)} GB"
    return {"value": value, "source": figure.source}


def _inline(table: Mapping[str, object]) -> str:
    order = [key for key in ("value", "low", "high", "source", "measured") if key in table]
    return "{ " + ", ".join(f"{key} = {_literal(table[key])}" for key in order) + " }"


def _literal(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Fraction):
        return decimal(value)
    if isinstance(value, int):
        return str(value)
    return json.dumps(str(value))  # a basic string of TOML has the escapes of JSON


def _comment(words: str) -> str:
    """Words that stay within a comment."""
    return "".join(c if c.isprintable() else "?" for c in words)
