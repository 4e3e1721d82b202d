"""What the fullest rank holds: the ledger at four moments, to scale."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from workings.document.blocks import Bars, Block, Inline, Number, Prose, Reference, Text
from workings.document.drawn import Bar, Mark, Part
from workings.planning.ledger import MOMENTS, Account, Ledger, ledger
from workings.planning.working import shown
from workings.review.answer import by_odds
from workings.review.axis import round_axis
from workings.review.desk import Cell, Desk, on_tpus, worked_by, working_of
from workings.review.front_page import heading
from workings.review.likest import peaks_of_this_model
from workings.review.numbers import below, fixed, percent, words
from workings.units import BYTE, Format, parse_unit, show

GB = parse_unit("GB")
DECIMALS = 2
# Runs on GPUs and on TPUs, and how many were NO-GO: benchmarks/heldout, at first contact, of the seventh
# and eighth sets and, as these have hardly any on TPUs, of the sixth.
HELD_OUT = {False: (198, 1), True: (25, 10)}
_STYLE = Format(decimals=DECIMALS)
_TOTAL = ("M_0", "M_f", "M_b", "M_s")
# At most six colours in a figure: accounts that belong together share one.
_TOGETHER = {
    "weights": "weights", "gradients": "gradients",
    "master weights and moments": "master weights and moments",
    "activations in flight": "activations", "computed or gathered again": "activations",
    "logits and the head's input": "logits", "gradient of the logits": "logits",
}  # fmt: skip
REST = "buffers, context, fragments"


def memory(desk: Desk) -> Iterator[Block]:
    """The ledger, the figure, and how sure they are."""
    found = ledger(desk.base)
    yield heading("Memory")
    share = desk.base["u_M"]
    stage = {"first": "the first", "last": "the last"}.get(found.stage, "a middle")
    belongs = f" belongs to {stage} stage. It" if desk.base["x_p"] else ""
    yield Prose((
        Text(f"The fullest rank{belongs} holds most at the {MOMENTS[found.peak]}: "),
        _gb(found.totals[found.peak]), *words(f" by the model, {percent(share)} of what the device "
        f"reports. {_odds(desk)}"),
    ))  # fmt: skip
    yield _table(desk, found)
    yield Prose((Text("Rows without a number were not derived but measured, given or assumed, as they "
                      "say; their ranges stand in the assumption register, "), Reference("register"),
                 Text(".")))  # fmt: skip
    yield _figure(desk, found)
    if desk.base["x_p"]:
        yield _stages(desk)


def _odds(desk: Desk) -> str:
    """That the answer goes by odds or by a measurement, and not by these accounts alone."""
    if "M" in desk.known:
        return "The answer rests on the peak that is known of this very run."
    most = shown(desk.likely("M").most, BYTE)
    runs, refused = HELD_OUT[on_tpus(desk.job)]
    where = "TPUs" if on_tpus(desk.job) else "GPUs"
    goes = f"The answer goes by the odds of the first page, whose P90 is {most}"
    if desk.took_place:
        word = by_odds(desk, "u_M")
        goes = f"This run took place, which decides; by the odds, whose P90 is {most}, it would be {word}"
    return (
        f"{goes}. Of {runs} runs on {where} "
        f"that took place, to which nothing had been fitted, {refused} "
        f"{'was' if refused == 1 else 'were'} NO-GO."
        f"{peaks_of_this_model(desk)} Published peaks are "
        "of runs that fitted, as one that runs out of memory publishes none, and mix bytes that are "
        "allocated, that are reserved and that nvidia-smi shows."
    )


def _table(desk: Desk, found: Ledger) -> Block:
    rows: list[tuple[Cell, ...]] = []
    for account in found.accounts:
        cells = [_gb(account.bytes) if m in account.moments else "" for m in range(4)]
        rows.append((account.name, *cells, _origin(desk, account)))
    totals: tuple[Cell, ...] = tuple(_gb(total) for total in found.totals)
    rows.append(("total", *totals, working_of(f"{_TOTAL[found.peak]}{found.stage}")))
    return desk.table("ledger", "Memory of the fullest rank, by moment of a step", "lrrrrw",
                      ("account", *MOMENTS, "worked"), rows, bold=(len(rows) - 1,))  # fmt: skip


def _origin(desk: Desk, account: Account) -> Cell:
    if account.formula:
        return worked_by(desk, account.formula)
    name = account.letters[0]
    return working_of(name) if name in desk.plan.by_letter else desk.job.figures[name].kind


def _figure(desk: Desk, found: Ledger) -> Bars:
    most = max(Fraction(1), desk.job.limit, desk.job.limit_if) * desk.base["M_dev"]
    end, ticks = round_axis(max(*found.totals, most))
    bars = tuple(_bar(found, moment, end) for moment in range(4))
    names = tuple(dict.fromkeys(part.name for bar in bars for part in bar.parts))
    axis = tuple((float(tick / end), show(tick, GB, Format(digits=3)).number) for tick in ticks)
    marks = tuple(_marks(desk, end))
    words = "; ".join([*(f"{bar.name} {bar.total}" for bar in bars), *(mark.name for mark in marks)])
    return Bars("memory", desk.label("figure", "memory"),
                  (Text("Memory of the fullest rank at four moments of a step"),), words, bars, names,
                  axis, "GB", marks)  # fmt: skip


def _marks(desk: Desk, end: Fraction) -> Iterator[Mark]:
    """What a search fills, the limit of the verdict, and the bytes that the device reports."""
    device = desk.base["M_dev"]
    for word, share, said in (("search", desk.job.limit, shown), ("limit", desk.job.limit_if, below)):
        most = said(share * device, BYTE)  # as the first page says it
        yield Mark(float(share * device / end), f"{word} {most}, {percent(share)}")
    yield Mark(float(device / end), f"device {show(device, GB, _STYLE)}", firm=True)


def _bar(found: Ledger, moment: int, end: Fraction) -> Bar:
    sums: dict[str, Fraction] = dict.fromkeys((*_TOGETHER.values(), REST), Fraction(0))
    for account in found.accounts:
        if moment in account.moments:
            sums[_TOGETHER.get(account.name, REST)] += account.bytes
    parts = tuple(
        Part(name, float(value / end), str(show(value, GB, _STYLE)))
        for name, value in sums.items()
        if value
    )
    return Bar(MOMENTS[moment], parts, str(show(found.totals[moment], GB, _STYLE)))


def _stages(desk: Desk) -> Block:
    """The peaks of all stages."""
    places = {"first": "first", "mid": "middle", "turn": "where experts begin", "rich": "full of experts",
              "last": "last"}  # fmt: skip
    line: list[Inline] = [Text("Peak of a rank on each stage, by the model:")]
    for stage, place in places.items():
        if peak := desk.base[f"M_{stage}"]:
            line += [Text(f" {place} "), _gb(peak), Text(" "), working_of(f"M_{stage}"), Text(",")]
    return Prose((*line[:-1], Text(".")))


def _gb(value: Fraction) -> Number:
    return fixed(value, GB, DECIMALS)
