"""Every row of every table of a review follows from what it shows and what it links to.

The document is read as a reader would: equations of its workings are evaluated from the inputs on, and
a printed figure must be theirs within its rounding. Nothing here calls what wrote a table.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

import pytest
from jobs import experts_64, gpt3_175b, llama3_8b, llama3_405b

from workings.document.blocks import (
    Document,
    Inline,
    Line,
    Math,
    Number,
    Prose,
    Reference,
    Strong,
    Table,
    Text,
    Worked,
)
from workings.formula import Expr, Formula, Name, Relations, evaluate, names_in
from workings.formula.interval import rational
from workings.planning.accuracy import FEATURES, alike, at_shares, enough, of_kind, peaks, step_times
from workings.planning.exact import exactly
from workings.planning.job import Job, Results
from workings.planning.pairs import after_a_step
from workings.planning.savings import WITHOUT
from workings.planning.utilization import HALF, recounted
from workings.review.build import Review, document, documents, review
from workings.review.desk import Desk

Values = Mapping[str, Fraction]
DAY = 86400
SCALES: Mapping[str, int | Fraction] = {
    "": 1, "%": Fraction(1, 100), "kB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12, "byte": 1,
    "bytes": 1,
    "us": Fraction(1, 10**6), "ms": Fraction(1, 1000), "s": 1, "GB/s": 10**9, "USD": 1,
    "FLOP": 1, "GFLOP": 10**9, "TFLOP": 10**12, "PFLOP": 10**15, "TFLOP/s": 10**12,
    "million": 10**6, "billion": 10**9, "trillion": 10**12, "d": DAY, "USD/h": Fraction(1, 3600),
}  # fmt: skip
UNIT = "|".join(sorted(map(re.escape, filter(None, SCALES)), key=len, reverse=True))
FIGURE = re.compile(rf"(< )?([−+-]?\d[\d,]*(?:\.\d+)?)(?: ({UNIT})(?![\w/]))?")


def made(**changed: object) -> Job:
    """GPT-3 with ranges, as a job file has them."""
    job = gpt3_175b()
    ranges = {"eta": ("0.8", "0.5"), "eta_1": ("0.85", "0.6"), "M_grp": ("300000000", "2000000000"),
              "x_frag": ("0", "0.1"), "gamma": ("0.97", "0.8"), "h_t": ("0.4", "0")}  # fmt: skip
    figures = {
        n: replace(job.figures[n], low=Fraction(a), high=Fraction(b)) for n, (a, b) in ranges.items()
    }
    return replace(job, figures={**job.figures, **figures}, **changed)  # type: ignore[arg-type]


PUBLISHED = Results({"C_u": Fraction(430 * 10**12)}, "a paper", counts=(Fraction(1),))
JOBS: Mapping[str, Callable[[], Job]] = {
    "dense, with ranges": made,
    "experts": experts_64,
    "sharded": lambda: llama3_8b(z_1=1, z_2=1, z_3=1, t=1, t_e=1, z_s=0),
    "published, pods, uneven stages": lambda: replace(llama3_405b(z_2=1), published=PUBLISHED),
    "with the host": lambda: llama3_8b(z_1=1, x_off=Fraction(3, 5), x_host=Fraction(1, 2)),
    "another device": lambda: replace(made(), device="TPU v5p"),
}


@dataclass(frozen=True)
class Made:
    """A review as a document, and every letter worked from its inputs through its own equations."""

    found: Review
    page: Document
    base: Values


@cache
def of(name: str) -> Made:
    found = review(JOBS[name]())
    page, workings = documents(found)
    page = replace(page, blocks=(*page.blocks, *workings.blocks))
    return Made(found, page, worked(found.desk, page, found.desk.job.values()))


def worked(desk: Desk, page: Document, inputs: Values) -> dict[str, Fraction]:
    """Every equation of the workings evaluated in order; switches are statements without one."""
    values = dict(inputs)
    printed = {
        b.label.removeprefix("work-"): b.steps[0].formula for b in page.blocks if isinstance(b, Worked)
    }
    for statement in desk.plan.statements:
        formula = statement.formula if statement.switch else printed[statement.letter]
        values[statement.letter] = rational(evaluate(expression(formula), values))
    return values


def expression(formula: Formula) -> Expr:
    """A formula that is no relation."""
    assert not isinstance(formula, Relations)
    return formula


def flat(line: Line) -> Iterator[Inline]:
    for piece in line:
        yield from flat(piece.inside) if isinstance(piece, Strong) else (piece,)


def text(line: Line) -> str:
    """A cell's words and numbers; letters and links left out."""
    return "".join(
        f"{p.number} {p.unit}".removesuffix(" 1") if isinstance(p, Number) else getattr(p, "text", "")
        for p in flat(line)
    )


def figures(line: Line | str) -> list[tuple[Fraction, Fraction]]:
    """The numbers of a cell in base units, each with half the step of its last digit."""
    return [
        _figure(*found.groups())
        for found in FIGURE.finditer(line if isinstance(line, str) else text(line))
    ]


def _figure(less: str | None, digits: str, unit: str | None) -> tuple[Fraction, Fraction]:
    plain = digits.replace(",", "").replace("−", "-").removeprefix("+")
    scale = Fraction(SCALES[unit or ""])
    step = Fraction(1, 10 ** len(plain.partition(".")[2]))
    if "." not in plain and plain.lstrip("-").endswith("0"):  # four digits of a large number
        step = Fraction(10) ** max(0, len(plain.lstrip("-")) - 4)
    if less:  # less than that
        return Fraction(plain) * scale / 2, Fraction(plain) * scale / 2
    return Fraction(plain) * scale, step * scale / 2


def same(cell: Line | str, *values: Fraction, scale: Fraction | int = 1) -> bool:
    """Whether a cell prints these values, each within its rounding."""
    found = figures(cell)
    return len(found) == len(values) and all(
        abs(shown * scale - value) <= half * scale
        for (shown, half), value in zip(found, values, strict=True)
    )


def links(line: Line) -> list[str]:
    """The letters whose equations a cell links to."""
    return [p.label.removeprefix("work-") for p in flat(line) if isinstance(p, Reference)]


def formulas(line: Line) -> list[Math]:
    return [p for p in flat(line) if isinstance(p, Math)]


def worth(cell: Line, values: Values) -> list[Fraction]:
    """What a cell's formulas come to, or else the equation that it links to first.

    Every letter of a formula that has an equation must be linked to, so that a reader can follow it.
    """
    if not formulas(cell):
        return [values[links(cell)[0]]]
    return [rational(evaluate(expression(one.formula), values)) for one in formulas(cell)]


# --- a table each ---------------------------------------------------------------------------------


def inputs(one: Made, table: Table) -> Iterator[tuple[str, bool]]:
    """A letter and its value; in the register the letter stands behind its key."""
    place = next(i for i, head in enumerate(table.head) if text(head) == "value")
    for row in table.rows:
        if text(row[1]) == "none":  # every input that matters has no range
            yield "none", table.label == "register"
            continue
        letter = next(p.formula.id for cell in row for p in flat(cell)
                      if isinstance(p, Math) and isinstance(p.formula, Name))  # fmt: skip
        if text(row[place]) != "no third tier":
            yield letter, same(row[place], one.base[letter])


def linked(one: Made, table: Table) -> Iterator[tuple[str, bool]]:
    """What follows from the layout: letter, meaning, value, equation."""
    for row in table.rows:
        yield text(row[1]), same(row[2], *worth(row[-1], one.base))


def switches(one: Made, table: Table) -> Iterator[tuple[str, bool]]:
    for letter, _, value in table.rows:
        name = formulas(letter)[0].formula
        assert isinstance(name, Name)
        yield name.id, same(value, one.base[name.id])


def mesh(one: Made, table: Table) -> Iterator[tuple[str, bool]]:
    stride = 1
    sizes = {"tensor": "t", "context": "c", "data": "d", "pipeline": "p"}
    rows = {text(row[0]): row for row in table.rows}
    for axis, letter in sizes.items():
        size = int(one.base[letter])
        if size > 1:
            row = rows.pop(axis)
            ranks = [int(n) for n in re.findall(r"\d+", text(row[3]))]
            right = ranks[:2] == [0, stride] and ranks[-1] == stride * (size - 1)
            yield axis, right and same(row[1], Fraction(size)) and same(row[2], Fraction(stride))
        stride *= size
    assert not rows


def binding(one: Made, table: Table) -> Iterator[tuple[str, bool]]:
    """A share of a limit from the two figures beside it, what a step saves by working it without."""
    v = one.base
    for kind, name, much, here, link in table.rows:
        if text(kind) == "a faster step":
            given = {n: v[n] for n in one.found.desk.job.figures} | dict.fromkeys(
                WITHOUT[text(name)], Fraction(0)
            )
            without = dict(given)
            for s in one.found.desk.plan.statements:
                without.setdefault(s.letter, rational(evaluate(s.formula, without)))
            assert links(link)[0] in WITHOUT[text(name)] or v[links(link)[0]]
            yield text(name), same(text(much).split(" saved")[0], 1 - without["T_step"] / v["T_step"])
            continue
        (taken, half), (allowed, more) = figures(here)[:2]
        if "at least" in text(here):
            taken, allowed = allowed, taken
        used = taken / allowed
        share, step = figures(much)[0]
        said = share + 1 if "above" in text(much) else share
        yield text(name), abs(said - used) <= step + (half + more) / allowed
        if links(link) == ["u_M"]:
            middle = one.found.desk.likely("u_M").middle / one.found.desk.job.limit_if
            yield "memory of a rank, linked", abs(middle - said) <= step


def odds(one: Made, table: Table) -> Iterator[tuple[str, bool]]:
    """The model by the equation; P10 to P90 by the multiples in the words below it."""
    said = " ".join(text(b.line) for b in one.page.blocks if isinstance(b, Prose))
    multiples = r"(P10 [\d.]+, P50 [\d.]+, P90 [\d.]+) times"
    times = {
        "M": rf"measured peaks[^()]*\({multiples}\)|of memory are assumed, .*?: {multiples}",
        "T_step": rf"step times[^()]*\({multiples}\)|of a step are assumed, .*?: {multiples}",
    }
    found = {name: re.search(pattern, said) for name, pattern in times.items()}
    scales: dict[str, Fraction | int] = {"GB": 10**9, "TB": 10**12, "ms": Fraction(1, 1000), "s": 1,
              "%": Fraction(1, 100), "USD": 1, "days": DAY, "million USD": 10**6}  # fmt: skip
    for row in table.rows:
        name, letter = text(row[0]), links(row[-1])[0]
        unit = Fraction(scales[name.split(", ")[-1]])
        yield name, same(row[6], one.base[letter], scale=unit)
        if text(row[3]) == "–":  # known of this very run
            [(value, half)] = figures(row[4])
            right = one.found.desk.likely(letter).middle
            yield name, text(row[5]) == "–" and abs(value * unit - right) <= half * unit + right / 1000
            continue
        shown = [figures(cell)[0] for cell in row[3:6]]
        match = found["M" if letter == "M" else "T_step"]
        if letter in ("T_run", "c_run") or match is None:
            values = sorted(one.found.desk.likely(letter))
        else:
            values = [Fraction(x) for x in re.findall(r"P\d0 ([\d.]+)", match[1] or match[2])]
            values = sorted(
                one.base[letter] / x if letter == "u" else one.base[letter] * x for x in values
            )
        for (value, half), right in zip(shown, values, strict=True):
            yield name, abs(value * unit - right) <= half * unit + right / 1000  # of three digits


def ledger(one: Made, table: Table) -> Iterator[tuple[str, bool]]:
    """Each account by its equation; the accounts of a moment add up to its total."""
    sums = [Fraction(0)] * 4
    for row in table.rows:
        name, cells = text(row[0]), row[1:5]
        if name == "total":
            yield (
                "total, linked",
                same(cells[max(range(4), key=lambda i: sums[i])], *worth(row[-1], one.base)),
            )
            for cell, value in zip(cells, sums, strict=True):
                yield "total", same(cell, value)
            continue
        value = worth(row[-1], one.base)[0] if links(row[-1]) else one.base[HELD[name]]
        for place, cell in enumerate(cells):
            if text(cell):
                sums[place] += value
                yield name, same(cell, value)


# Accounts that a person gave or assumed: their letter in the register.
HELD = {
    "device context": "M_ctx",
    "communicator buffers": "M_comm",
    "workspace of matrix products": "M_work",
}


def likest(one: Made, table: Table) -> Iterator[tuple[str, bool]]:
    """At a run's MFU this job's step takes as many times longer as its own MFU is larger.

    It is not told of runs whose sequences are longer or shorter.
    """
    counted = recounted(one.found.desk.plan, one.found.desk.job.values(), "u", HALF)
    for name, _, _, tokens, mfu, _, step in table.rows:
        if text(tokens) != f"{int(one.base['s']):,}":
            yield text(name), text(step) == "–"
            continue
        reached, half = figures(mfu)[0]
        seconds, rounded = figures(step)[0]
        exact = one.base["T_step"] * counted / reached
        yield text(name), abs(seconds - exact) <= rounded + exact * half / reached


def flows(one: Made, table: Table) -> Iterator[tuple[str, bool]]:
    """A time is the start-ups and bytes × times ÷ bandwidth as printed; what it is of is linked."""
    v = one.base
    for axis, size, times, link, start, time, _, how in table.rows:
        name = text(axis)
        (bytes_, half), (count, _), (begun, late) = (figures(cell)[0] for cell in (size, times, start))
        wire, wide = figures(text(link).rpartition(", ")[2])[0]
        total, rounded = figures(time)[0]
        moved = bytes_ * count / wire
        off = half * count / wire + late + rounded + moved * wide / wire
        yield name, abs(begun + moved - total) <= off
        yield f"{name}: bytes", same(size, worth(how, v)[0])
        bandwidth = next((n for n in links(how) if n.startswith("W_")), "W_h")  # the host's is an input
        yield f"{name}: bandwidth", abs(v[bandwidth] - wire) <= wide
        exact = {"tensor": "T_t", "expert": "T_ea", "expert tensor": "T_et", "pipeline": "T_hop"}
        letter = exact.get(name.split(",")[0])
        if letter:  # the linked time holds the start-ups that are printed
            assert letter in links(how)
            each = v[letter] / (1 - v["h_t"]) if letter == "T_t" else v[letter]
            yield f"{name}: linked time", abs(count * each - total) <= rounded
            yield (
                f"{name}: start-up",
                abs(count * (each - v[bytes_of(how)] / v[bandwidth]) - begun) <= late
                if (letter != "T_hop")
                else abs(count * (each - worth(how, v)[0] / v[bandwidth]) - begun) <= late,
            )


def bytes_of(how: Line) -> str:
    return next(n for n in links(how) if n.startswith("V_"))


def waterfall(one: Made, table: Table) -> Iterator[tuple[str, bool]]:
    """Each part by its formula, and the parts together are the step; what is known of it apart."""
    whole, parts = one.base["T_step"], Fraction(0)
    for name, time, share, how in table.rows:
        if text(name).startswith("as "):
            known = one.found.desk.known["T_step"].middle
            yield text(name), same(time, known) and same(share, known / whole)
            yield "unexplained", same(text(how).split(" ", 2)[0] + " s", abs(known - whole))
            continue
        (value,) = worth(how, one.base)
        yield text(name), same(time, value) and same(share, value / whole)
        if text(name) != "step":
            parts += value
    yield "the parts together", parts == whole


def routing(one: Made, table: Table) -> Iterator[tuple[str, bool]]:
    """Peak and step are the model's at that balance, times what runs like this one took over it."""
    desk = one.found.desk
    for balance, memory, step, *_ in table.rows:
        values = desk.job.with_values({"lambda": figures(balance)[0][0]}).values()
        there = exactly(desk.plan, values, ["M", "T_step"])
        yield (
            text(balance),
            all(
                same(cell, there[result] * desk.outcome.ends(result).middle)
                for cell, result in ((memory, "M"), (step, "T_step"))
            ),
        )


def roofline(one: Made, table: Table) -> Iterator[tuple[str, bool]]:
    ridge = one.base["C"] / one.base["W_m"]
    yield "ridge", same(text(table.caption).split("from ")[1].split(" FLOP")[0], ridge)
    for name, flops, size, intensity, bound, how in table.rows:
        many, moved = worth(how, one.base)
        right = same(flops, many) and same(size, moved) and same(intensity, many / moved)
        yield text(name), right and (text(bound) == "compute") == (many / moved > ridge)


def days(one: Made, table: Table) -> Iterator[tuple[str, bool]]:
    """Tokens over batch and sequence are the steps; a share of the time is kept, and paid for."""
    v = one.base
    kept = [figures(text(head).removeprefix("goodput "))[0][0] for head in table.head[3:]]
    for name, step, mfu, *cells in table.rows:
        seconds, half = figures(step)[0]
        slack = 1 + half / seconds
        u, rounded = figures(mfu)[0]
        yield f"{text(name)}: MFU", abs(v["u"] * v["T_step"] / seconds - u) <= rounded + u * (slack - 1)
        for share, cell in zip(kept, cells, strict=True):
            run = v["T_tok"] / (v["b"] * v["s"]) * seconds / share
            for (shown, near), value in zip(
                figures(cell), (run, v["n"] * v["c_d"] * run / 10**6), strict=False
            ):
                yield text(name), abs(shown - value) <= near + value * (slack - 1)


def alternatives(one: Made, table: Table) -> Iterator[tuple[str, bool]]:
    """A layout as the row names it, worked through the same equations."""
    axes = text(table.head[0]).split(" · ")
    letters = {"TP": "t", "CP": "c", "PP": "p", "EP": "e", "ETP": "t_e", "DP": "d"}
    for mesh_, chunks, micro, again, zero, memory, step, late, mark in table.rows:
        degrees, _, shares = text(mesh_).partition(", ")
        layout = {
            letters[a]: Fraction(x.replace(",", ""))
            for a, x in zip(axes, degrees.split(" · "), strict=True)
        }
        layout.pop("d")
        ours = text(mark).startswith("ours")
        layout.setdefault("t_e", one.base["t_e"] if ours else layout["t"])
        stage = int(figures(zero)[0][0])
        layout |= {"v": figures(chunks)[0][0], "b_m": figures(micro)[0][0],
                   "z_s": Fraction(shares == "SP"),
                   "z_c": Fraction(text(again) == "scores"),
                   "z_f": Fraction(text(again) == "blocks")}  # fmt: skip
        layout |= {f"z_{n}": Fraction(stage >= n) for n in (1, 2, 3)}
        inputs = {**one.found.desk.job.values(), **layout}
        v = worked(one.found.desk, one.page, inputs)
        job = one.found.desk.job
        runs = of_kind(alike(step_times(), *one.found.desk.device), v, job.framework)
        if (times := job.carried.times) is not None:
            runs = after_a_step(one.found.desk.device, v, job.framework)
        ends = [end * (times or 1) for end in at_shares(runs or step_times(), HALF_AND_NINE)]
        if not enough(runs):  # then assumed
            [all_runs] = at_shares(step_times(), [Fraction(9, 10)])
            ends = [Fraction(1), max(all_runs, one.found.desk.high["T_step"] / one.base["T_step"])]
        known = one.found.desk.known
        if ours and "T_step" in known:
            ends = [known["T_step"].middle / v["T_step"], known["T_step"].most / v["T_step"]]
        kept = [same(cell, v["T_step"] * end) for cell, end in zip((step, late), ends, strict=True)]
        yield f"{text(mesh_)}", same(memory, v["M"]) and all(kept)


def proposed(one: Made, table: Table) -> Iterator[tuple[str, bool]]:
    """The left column is the step's own parts; the right ones add up, and differ by what is printed."""
    unit = SCALES[text(table.caption).rpartition(" in ")[2]]
    parts = {text(row[0]): row[1] for row in named(one, "waterfall").rows}
    sums = [Fraction(0), Fraction(0)]
    best = one.found.found.proposed if one.found.found else None
    assert best is not None
    for name, ours, theirs, difference in table.rows:
        (a, half), (b, _), (d, _) = (figures(cell)[0] for cell in (ours, theirs, difference))
        yield text(name), abs(b - a - d) <= 3 * half
        if text(name) == "step":
            off = half * len(table.rows)
            yield "step", abs(sums[0] - a) <= off and abs(sums[1] - b) <= off
            yield "step, linked", same(ours, one.base["T_step"], scale=unit)
            continue
        sums = [sums[0] + a, sums[1] + b]
        if text(name) in parts:
            ((whole, near),) = figures(parts[text(name)])
            yield text(name), abs(a * unit - whole) <= (half * unit) + near


def evidence(one: Made, table: Table) -> Iterator[tuple[str, bool]]:
    """Counted anew from the published runs on such devices."""
    runs = alike(step_times(), *one.found.desk.device)
    features = {f.name: f for f in FEATURES}
    for name, here, _, count, error, sign in table.rows:
        feature = features[text(name)]
        having = [r for r in runs if r.values[feature.letter] > feature.above]
        sizes = [replace(r, ratio=abs(1 / r.ratio - 1)) for r in having]
        right = (text(here) == "yes") == (one.base[feature.letter] > feature.above)
        right = right and same(count, Fraction(len(having)))
        if having:
            right = right and same(error, at_shares(sizes, [Fraction(1, 2)])[0])
            right = right and same(sign, 1 / at_shares(having, [Fraction(1, 2)])[0] - 1)
        yield text(name), right


HALF_AND_NINE = (Fraction(1, 2), Fraction(9, 10))


def of_both(one: Made) -> Fraction:
    """The step of the proposed layout over ours, each as half of published runs of its kind took it."""
    desk, found = one.found.desk, one.found.found
    assert found is not None
    assert found.option is not None
    known = desk.known.get("T_step")
    layout = {name: Fraction(value) for name, value in found.option.layout.items()}
    steps = []
    for v in (desk.base, worked(desk, one.page, {**desk.job.values(), **layout})):
        runs = of_kind(alike(step_times(), *desk.device), v, desk.job.framework)
        [middle] = at_shares(runs or step_times(), [Fraction(1, 2)])
        steps.append(v["T_step"] * middle)
    return steps[1] / (known.middle if known else steps[0])


def measure(one: Made, table: Table) -> Iterator[tuple[str, bool]]:
    """A run's own results by their equations, and a bound holds where the plan keeps it."""
    for _, what, by, predicted, *bounds in table.rows:
        if "over that here" in text(what):
            yield text(what), same(predicted, of_both(one))
        elif text(what).startswith("a few steps"):
            letter = "T_step" if text(what).endswith("time of a step") else "M"
            yield text(what), same(predicted, one.base[letter])
            yield text(what), text(by) == "–"
        value, half = figures(predicted)[0]
        for cell in bounds:
            if text(cell) not in ("–", ""):
                most, near = figures(cell)[0]
                kept = value <= most + near + half if "≤" in text(cell) else value >= most - near - half
                yield f"{text(what)}: {text(cell)}", kept or one.found.answer.word != "GO"


def rules(one: Made, table: Table) -> Iterator[tuple[str, bool]]:
    """Each “x is 8” of a broken rule; the limits on memory are the job's own."""
    job = one.found.desk.job
    values = {**one.base, "x_go": job.limit, "x_if": job.limit_if}
    for _, said in table.rows:
        p = list(flat(said))
        for letter, word, value in zip(p, p[1:], p[2:], strict=False):
            told = isinstance(word, Text) and word.text == " is " and isinstance(value, Number)
            if told and isinstance(letter, Math) and isinstance(letter.formula, Name):
                yield letter.formula.id, same((value,), values[letter.formula.id])


def tree(one: Made, table: Table) -> Iterator[tuple[str, bool]]:
    """The last rows are results: the tree's, the search's, and this layout's by its equations."""
    compared = one.found.compared
    assert compared is not None
    columns = []
    for values in (compared.tree, compared.search):
        given = {n: values[n] for n in one.found.desk.job.figures}
        columns.append(worked(one.found.desk, one.page, given))
    *_, memory, step, mfu = table.rows
    for row, letter in ((memory, "M"), (step, "T_step"), (mfu, "u")):
        for cell, values in zip(row[1:], (*columns, one.base), strict=True):
            yield text(row[0]), same(cell, values[letter])


# What has no figure of its own: names to sign, keys of a file, questions answered in words.
WORDS = ("signatures", "inputs", "tree")
CHECKS: Mapping[str, Callable[[Made, Table], Iterator[tuple[str, bool]]]] = {
    "binding": binding, "odds": odds, "model": inputs, "cluster": inputs,
    "layout": inputs,
    "follows": linked, "mesh": mesh, "ledger": ledger, "likest": likest, "flows": flows,
    "routing": routing, "waterfall": waterfall, "roofline": roofline, "days": days,
    "alternatives": alternatives,
    "proposed": proposed, "evidence": evidence, "measure": measure, "broken": rules, "register": inputs,
    "register-sure": inputs, "register-model": inputs, "switches": switches, "tree-and-search": tree,
}  # fmt: skip


def named(one: Made, label: str) -> Table:
    return next(b for b in one.page.blocks if isinstance(b, Table) and b.label == label)


@pytest.mark.parametrize("name", JOBS)
def test_every_row_of_every_table_follows_from_what_it_shows_and_links_to(name: str) -> None:
    one = of(name)
    found = [b for b in one.page.blocks if isinstance(b, Table)]
    assert {b.label for b in found} - {*CHECKS, *WORDS} == set()
    wrong = []
    for table in found:
        if table.label not in WORDS:
            checked = list(CHECKS[table.label](one, table))
            assert len(checked) >= len(table.rows) or table.label in (
                "measure",
                "broken",
                "tree-and-search",
                "cluster",
            )
            wrong += [f"{table.label}: {row}" for row, right in checked if not right]
    assert wrong == []


@pytest.mark.parametrize("name", JOBS)
def test_every_equation_works_out_what_it_prints(name: str) -> None:
    """In letters and with numbers put in; the last line is the value within its rounding."""
    one = of(name)
    for block in one.page.blocks:
        if isinstance(block, Worked):
            letter = block.label.removeprefix("work-")
            exact = one.base[letter]
            for step in block.steps[1:]:
                value = rational(evaluate(expression(step.formula), {}))
                assert value == exact or abs(value / exact - 1) < Fraction(1, 1000), letter


def test_a_formula_in_a_row_has_every_equation_that_it_needs_beside_it() -> None:
    for name in JOBS:
        one = of(name)
        worked_out = {b.label.removeprefix("work-") for b in one.page.blocks if isinstance(b, Worked)}
        for label in ("waterfall", "flows", "ledger", "roofline"):
            for row in named(one, label).rows:
                needed = {n for f in formulas(row[-1]) for n in names_in(f.formula)}
                assert needed & worked_out <= set(links(row[-1])), text(row[0])


def test_efficiencies_are_printed_with_the_digits_that_they_are_used_with() -> None:
    job = made()
    eta = replace(job.figures["eta"], value=Fraction("0.683"))
    page = document(review(replace(job, figures={**job.figures, "eta": eta})))
    rows = next(b for b in page.blocks if isinstance(b, Table) and b.label == "register").rows
    printed = next(text(row[2]) for row in rows if any(
        isinstance(p, Math) and p.formula == Name("eta") for p in flat(row[1])))  # fmt: skip
    assert printed == "0.683"


def test_step_times_are_of_the_same_devices_and_peaks_of_the_same_precision() -> None:
    desk = of("dense, with ranges").found.desk
    assert {(r.generation, r.precision) for r in desk.runs} == {("NVIDIA Hopper", "16-bit")}
    assert {r.precision for r in desk.peaks} == {"16-bit"}
    assert {"NVIDIA Ampere", "NVIDIA Hopper"} < {r.generation for r in desk.peaks}
    assert len(desk.peaks) < len(peaks())
