"""Devices side by side in words: a table, what fulfils the limits, and what all of it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from workings.findings.visible import shortened
from workings.planning.accuracy import SOURCES, enough
from workings.planning.inputs.settings import REPLACED
from workings.planning.naming import named
from workings.planning.sweeping.table import aligned
from workings.planning.unfollowed import told
from workings.planning.utilization import mfu_named
from workings.planning.working import listed
from workings.review.numbers import DAY, large, percent, plain_number, spent
from workings.review.sizing import Row, Sized
from workings.units import round_significant

MILLION = 10**6
ENDS = {"most": "even at the bad end", "middle": "in the middle", "": "no"}
_NONE = "–"


def worded(sized: Sized) -> list[list[str]]:
    """The names of the columns and the rows; the last column is the layout, or why there is none."""
    money = "USD" if _scale(sized) == 1 else "million USD"
    head = ["hardware", "gpus", "nodes", "spares", "USD/h", mfu_named(sized.own.values()), "days",
            "from–to", money, "from–to", "of spares", "runs", "limits hold", "review", ""]  # fmt: skip
    return [head, *(_cells(row, _scale(sized)) for row in sized.rows)]


def text(sized: Sized) -> str:
    """A table for a terminal, and sentences."""
    return "\n".join([*aligned(worded(sized)), *notes(sized), answer(sized)]) + "\n"


def _scale(sized: Sized) -> int:
    costs = [row.worked.base["c_run"] for row in sized.rows if row.desk]
    return MILLION if max(costs, default=Fraction(0)) >= MILLION else 1


def _cells(row: Row, scale: int) -> list[str]:
    start = [row.device, f"{row.devices:,}", _NONE if row.nodes is None else f"{row.nodes:,}"]
    if row.desk is None or row.answer is None:
        return [*start, *[_NONE] * 11, row.reason]
    price = plain_number(row.desk.base["c_d"] * 3600)
    assumed = " assumed" * (row.desk.job.figures["c_d"].kind == "assumed")
    return [
        *start, _NONE if row.spares is None else f"{row.spares:,}", price + assumed,
        percent(row.odds("u").middle), *_range(row, "T_run", DAY), *_range(row, "c_run", Fraction(scale)),
        _NONE if row.spares_cost is None else plain_number(row.spares_cost / scale),
        f"{len(row.desk.runs)}", ENDS[holding(row)], row.answer.word, named(row.desk.base),
    ]  # fmt: skip


def _range(row: Row, letter: str, unit: Fraction) -> tuple[str, str]:
    least, middle, most = (plain_number(value / unit) for value in row.odds(letter))
    return middle, f"{least}–{most}"


def holding(row: Row) -> str:
    """`most` or `middle`: the worse of both at which the limits hold; empty where they do not."""
    return next((end for end in ("most", "middle") if row.holds(end)), "")


def notes(sized: Sized) -> list[str]:
    """What the columns rest on, in sentences."""
    return [*_of_odds(sized), *_of_prices(sized), *_of_spares(sized), *_of_job(sized)]


def _of_odds(sized: Sized) -> Iterator[str]:
    few = dict.fromkeys(row.device for row in sized.rows if row.desk and not enough(row.desk.runs))
    if any(row.desk and row.device not in few for row in sized.rows):
        yield ("Days and USD are P50, from–to is P10 to P90, as published runs on such devices lay "
               "beside the model (runs: how many).")  # fmt: skip
    if few:
        yield (f"There are fewer than {SOURCES} sources of published runs on {listed(few)}, so P10 to "
               "P90 are assumed there: the ends of the assumptions, or of all published runs, whichever "
               "lie further apart.")  # fmt: skip
    yield ("Under review stands what a review says of the layout, its memory included: GO where 90 of "
           "100 such runs would keep every limit, GO IF where 50 would, and 10 fit, or "
           "where nobody is known to have run the layout that a search chose.")  # fmt: skip


def _of_prices(sized: Sized) -> Iterator[str]:
    by_source: dict[str, dict[str, None]] = {}
    for row in sized.rows:
        if row.desk and (figure := row.desk.job.figures["c_d"]).kind == "assumed":
            source = figure.source.removeprefix("assumed: ")
            by_source.setdefault(source, {})[row.device] = None
    for source, devices in by_source.items():
        one = next(iter(devices))
        yield f"The price of {listed(devices)} is assumed: {source}. --hardware {one}=3.5 says another."


def _of_spares(sized: Sized) -> Iterator[str]:
    known, unknown = dict[str, str](), dict[str, None]()
    for row in sized.rows:
        mtbf = row.job.mtbf if row.job else None
        if mtbf is not None:
            known[row.device] = f"{float(mtbf / 3600):,.0f} h ({row.device})"
        elif row.job:
            unknown[row.device] = None
    if known:
        yield (f"Spares are nodes that suffice 95 % of the time if a failure takes a node away for "
               f"{spent('T_run', sized.limits.repair)} (--repair), where a device fails every "
               f"{listed(known.values())} in the mean, independently of others (Poisson). What they "
               "cost stands beside the USD of the run, not among them.")  # fmt: skip
    if unknown:
        yield (f"Of {listed(unknown)} no mean time between failures is known (mtbf in [cluster]), so no "
               "spares.")  # fmt: skip


def _of_job(sized: Sized) -> Iterator[str]:
    """The run's length where nobody gave it; what counts nowhere here, or not on all hardware."""
    tokens = sized.own.figures["T_tok"]
    if tokens.source.startswith("assumed: "):
        count, said = large(tokens.value), tokens.source.removeprefix("assumed: ")
        yield f"The run's tokens are assumed: {count.number} {count.unit}, {said}."
    others = [noted for noted in sized.own.noted if not noted.key.endswith("mtbf")]  # it counts here
    yield from (shortened(words) for _, words in told(others))
    if sized.own.chosen:
        yield "The job's own layout is left for the best of a search."
    if sized.own.measured.values or sized.own.published.values:
        yield "What was measured or published of the job's own run counts for no other."
    keys = {
        noted.key for row in sized.rows if row.job for noted in row.job.noted
        if noted.text == REPLACED.format("hardware", "cluster")
    }  # fmt: skip
    if sized.own.figures["c_d"].kind != "assumed":
        keys -= {"cluster.price"}  # other devices have it too, where they have none of their own
    if keys:
        theirs = listed(sorted(keys))
        yield f"Other hardware is as its preset has it: {theirs} of the job count for its own."


def answer(sized: Sized) -> str:
    """The cheapest and the smallest that keep to the limits, or what misses them least."""
    for end in ("most", "middle"):
        rows = [row for row in sized.rows if row.holds(end)]
        if rows:
            return _none(sized, "most") * (end == "middle") + _best(sized, rows, end)
    return _none(sized, "middle") + _nearest([row for row in sized.rows if row.desk])


def _none(sized: Sized, end: str) -> str:
    return f"Nothing keeps to {_limits(sized)} {ENDS[end]}. "


def _limits(sized: Sized) -> str:
    limits = (("T_run", sized.limits.max_time), ("c_run", sized.limits.max_cost))
    said = [spent(letter, limit) for letter, limit in limits if limit is not None]
    mfu = sized.own.min_mfu
    return listed(said if mfu is None else [*said, f"an MFU of {percent(mfu)}"])


def _best(sized: Sized, rows: Sequence[Row], end: str) -> str:
    cheapest = min(rows, key=lambda row: (_cost(row), row.devices))
    smallest = min(rows, key=lambda row: (row.devices, _cost(row)))
    keeps = f"that keeps to {_limits(sized)} {ENDS[end]} is"
    if cheapest is smallest:
        return f"The cheapest and smallest {keeps} {_named(cheapest)}."
    return f"The cheapest {keeps} {_named(cheapest)}; the smallest is {_named(smallest)}."


def _cost(row: Row) -> Fraction:
    """USD in the middle, of which less than a thousandth decides nothing."""
    return round_significant(row.odds("c_run").middle, 3)[0]


def _nearest(rows: Sequence[Row]) -> str:
    row = min(rows, key=lambda row: (max(row.over("middle").values()), row.devices))
    times = row.over("middle")
    worst = max(times, key=lambda letter: times[letter])
    if worst == "u":
        reached, asked = percent(row.odds("u").middle), percent(row.worked.bounds["u"])
        return f"Least misses {_named(row)}: its MFU is {reached} where {asked} is asked for."
    what = "days" if worst == "T_run" else "USD"
    return f"Least misses {_named(row)}: its {what} are {plain_number(times[worst])} times those allowed."


def _named(row: Row) -> str:
    """`4,096 × h100-sxm (512 nodes), with 59.8 days (at the bad end 78.6 days) and …`."""
    nodes = f"{row.nodes:,} node{'' if row.nodes == 1 else 's'}"
    days, cost = (
        f"{spent(n, row.odds(n).middle)} (at the bad end {spent(n, row.odds(n).most)})"
        for n in ("T_run", "c_run")
    )
    assumed = row.worked.job.figures["c_d"].kind == "assumed"
    return (f"{row.devices:,} × {row.device} ({nodes}), with {days} and {cost}"
            f"{' at an assumed price' * assumed}")  # fmt: skip
