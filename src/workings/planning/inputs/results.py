"""Results of a run: what its own run showed ([measured]), what was published of it ([published])."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from fractions import Fraction

from workings.planning.exact import exactly
from workings.planning.inputs.given import (
    MOST_TEXT,
    Entries,
    Entry,
    Reader,
    entries,
    one_of,
    only,
    quantity,
    refused,
    words,
)
from workings.planning.job import NO_RESULTS, Carried, Job, JobError, Results
from workings.planning.letters import LAYOUT, MODEL, STAGES, TRAINING
from workings.planning.published import settled_by_publication
from workings.planning.stored import stored_plan
from workings.planning.utilization import COUNTS, HALF, OF_COUNT
from workings.planning.working import shown
from workings.units import BYTE, FLOP, ONE, SECOND, Dimension

# What can be measured of a run: the letter of the cost model, its unit, and an example.
RESULTS: Mapping[str, tuple[str, Dimension, str]] = {
    "step_time": ("T_step", SECOND, "10.2 s"),
    "peak_memory": ("M", BYTE, "61 GB"),
    "mfu": ("u", ONE, "41 %"),
    "tokens_per_second": ("R_s", ONE / SECOND, "400,000"),
    "flops_per_device": ("C_u", FLOP / SECOND, "400 TFLOP/s"),
}
SETTLING = ("step_time", "peak_memory")  # results of the job's own run that settle what was assumed
FITTED = ("eta", "eta_a", "eta_m", "eta_1", "eta_2", "h_t", "h_p", "h_d")  # what is fitted to a step


def measured_of_job(reader: Reader, raw: object) -> Results:
    """[measured]: the step time and the peak of memory of this very job. Raises JobError."""
    return _results(reader, "measured", raw, SETTLING, "of", "model")


def published_of(reader: Reader, raw: object) -> Results:
    """[published]: what a paper says of this job's run. Raises JobError."""
    return _results(reader, "published", raw, tuple(RESULTS), "counts", "why")


def fingerprint(job: Job) -> str:
    """Eight digits that stand for model, layout and training: what a measurement is of."""
    v = job.values()
    neutral = {"o_d": 1, "z_each": 1, "x_8": 0, "k_nod": 0, "w_dsp": v["a"], "z_zb": 0, "z_bi": 0}
    # Digits of before there was a choice hold.
    usual = {name for name, value in neutral.items() if v[name] == value}
    return _digits(job, {*MODEL, *LAYOUT, *TRAINING} - {"T_tok"} - usual)


def fingerprint_of_model(job: Job) -> str:
    """The same of model, sequence length, devices and their peak: what layouts of one model share."""
    return _digits(job, {*MODEL, "s", "a", "C"}, job.device)


def _digits(job: Job, letters: Collection[str], *more: str) -> str:
    from hashlib import sha256  # noqa: PLC0415 - slow to load, and only measured jobs need it

    text = " ".join([*(f"{letter}={job.figures[letter].value}" for letter in sorted(letters)), *more])
    return sha256(text.encode()).hexdigest()[:8]


def checked(reader: Reader, job: Job, found: Results, changed: bool) -> Job:
    """The job with what was measured, where that is of it and can be. Raises JobError.

    A measurement of another layout of the model, by the digits that `workings calibrate` wrote, says how
    far off the model was there. One of another model, or of other devices, is left out and said to be;
    without digits so is one of a job that settings have `changed`.
    """
    if not found.values:
        return job
    if not found.of:
        of_a_layout(reader, job, "measured")
    if job.chosen and _own(job, found, unsaid=not changed):
        _possible(reader.file, job, found)
        return replace(job, measured=found)
    same = found.of and found.model == fingerprint_of_model(job)
    if not job.chosen:
        job = replace(job, awaited=found)
    if same and _fitted(job):
        reader.note("taken", "measured", "of another layout of this model: the model was fitted to it")
        return replace(job, carried=Carried(
            Fraction(1) if "T_step" in found.values else None,
            Fraction(0) if "M" in found.values else None,
        ))  # fmt: skip
    whose = "layout of this model" if same else "model, layout or device than this one"
    reader.note("ignored", "measured", f"of another {whose}")
    return job


def _own(job: Job, found: Results, *, unsaid: bool = False) -> bool:
    """Whether it is of this very layout: by its digits, or as is taken where it has none."""
    of = found.of == fingerprint(job) if found.of else unsaid
    return of and found.model in ("", fingerprint_of_model(job))  # `of` does not tell devices apart


def searched(job: Job) -> Job:
    """The job as a search laid it out, with what was measured if that was of this very layout.

    Raises JobError for what no run of it can have shown.
    """
    found = job.awaited
    if not _own(job, found):
        return job
    _possible(job.name, job, found)
    noted = tuple(one for one in job.noted if one.key != "measured")
    return with_carried(replace(job, chosen=True, measured=found, awaited=NO_RESULTS, noted=noted))


def of_a_layout(reader: Reader, job: Job, section: str) -> None:
    """Refuse what was measured or published of nobody knows which layout. Raises JobError."""
    if not job.chosen:
        raise JobError(f"{reader.file}: {section}: found it in a job without a layout, expected the one "
                       f"that was {section} in [launch]: tp, pp, virtual_stages and so on")  # fmt: skip


def _fitted(job: Job) -> bool:
    """Whether what was fitted to a measured step is still in the job."""
    return any(job.figures[letter].kind == "measured" for letter in FITTED)


def with_carried(job: Job) -> Job:
    """The job with how far off the model is in its own run, where that was measured or published."""
    if not job.chosen or not (job.measured.values or job.published.values):
        return job
    v = exactly(stored_plan(), job.values(), ["T_step", "M"])
    published = settled_by_publication(job, stored_plan(), v)
    known = {**{n: told.middle for n, told in published.items()}, **job.measured.values}
    return replace(job, carried=Carried(
        known["T_step"] / v["T_step"] if "T_step" in known else None,
        known["M"] - v["M"] if "M" in known else None,
    ))  # fmt: skip


def _possible(where: str, job: Job, found: Results) -> None:
    """Refuse a step shorter than its FLOPs take at peak, a peak below what lies on a rank throughout."""
    stages = [f"S_{stage}" for stage in STAGES]
    computed = {"kappa_u": min(HALF, job.figures["kappa"].value)}  # scores that no run can skip
    v = exactly(stored_plan(), {**job.values(), **computed}, ["u", "T_step", *stages])
    least = {"T_step": v["u"] * v["T_step"], "M": min(v[stage] for stage in stages if v[stage])}
    why = {"T_step": "which the model's FLOPs take at peak", "M": "which the model's state takes"}
    for name in SETTLING:
        letter, dimension, _ = RESULTS[name]
        if letter in found.values and found.values[letter] < least[letter]:
            value, most = (shown(x, dimension) for x in (found.values[letter], least[letter]))
            text = f"found {value}, expected at least the {most} {why[letter]}"
            raise JobError(f"{where}: measured.{name}: {text}")


def counted_so(entry: Entry) -> Fraction:
    """Which of attention's scores a source counts. Raises JobError."""
    return COUNTS[one_of(entry, tuple(COUNTS))]


def _counts(entry: Entry) -> tuple[Fraction, ...]:
    """The same, or a list of what a source may count that does not say it. Raises JobError."""
    said = entry.value if isinstance(entry.value, list) else [entry.value]
    if not said:
        raise refused(entry, f"one or several of {', '.join(COUNTS)}")
    return tuple(counted_so(replace(entry, value=one)) for one in said)


def has_a_count(job: Job, found: Results, file: str, key: str) -> None:
    """Refuse an MFU, or FLOP/s, of which nobody says how it counts attention. Raises JobError."""
    if not found.counts and job.figures["z_h"].value and found.values.keys() & set(OF_COUNT):
        names = [name for name, (letter, *_) in RESULTS.items() if letter in OF_COUNT]
        expected = f"which of attention's scores its source counts: {', '.join(COUNTS)}"
        raise JobError(f"{file}: {key}: found none beside {' or '.join(names)}, expected {expected}")


def _results(reader: Reader, table: str, raw: object, allowed: tuple[str, ...], *own: str) -> Results:
    found: Entries = entries(reader, table, raw)
    only(reader, found, (*allowed, "source", *own))
    source = words(found.pop("source"), MOST_TEXT) if "source" in found else ""
    of, model = (words(found.pop(key), MOST_TEXT) if key in found else "" for key in ("of", "model"))
    why = words(found.pop("why"), MOST_TEXT) if "why" in found else ""
    counts = _counts(found.pop("counts")) if "counts" in found else ()
    if not found and (table != "published" or not source):  # a source alone says that the run took place
        raise JobError(f"{reader.file}: {table}: found no result, expected one of {', '.join(allowed)}")
    values = {RESULTS[name][0]: result(entry, name) for name, entry in found.items()}
    return Results(values, source, of, counts, why, model)


def result(entry: Entry, name: str) -> Fraction:
    """A result in base units. Raises JobError."""
    _, dimension, example = RESULTS[name]
    value = entry.value
    if name == "mfu":
        percent = isinstance(value, str) and value.strip().endswith("%")
        plain = replace(entry, value=value.strip()[:-1]) if percent else entry
        share = quantity(plain, ONE, example) / (100 if percent else 1)
        if share > 1:
            raise refused(entry, f"a share of at most 1, such as '{example}'")
        return share
    # Tokens have no unit, and their seconds are in the name.
    return quantity(entry, ONE if name == "tokens_per_second" else dimension, example)
