"""Totals in a grid: rows and columns that say that they are the sum of others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce

from workings.claims.claim import SUPPORTS
from workings.claims.closeness import Said, tallies
from workings.claims.grids import Cell, Grid, Key, amount_of
from workings.claims.table_words import is_no_part, says, says_total
from workings.claims.ties import Tie
from workings.claims.total_of_what import added_up, is_another, may_be, one_kind
from workings.marks.quantity import PLAIN
from workings.marks.tree import Node, Number, Operation

RULE = "table-total"
ENOUGH = 2  # rows in which a total column holds


@dataclass(frozen=True, slots=True)
class _Total:
    """A cell that says that it is a total, and the sets of cells that it may be the sum of."""

    cell: Cell
    number: Number
    sets: tuple[tuple[Cell, ...], ...]
    label: str
    head: str
    called: Mapping[Key, str] = field(default_factory=dict)  # what the rows of its parts are


def totals(grid: Grid) -> Iterator[Tie]:
    """Every total of a grid with what it is the total of."""
    if grid.kind == "turned":
        return
    for row, label in enumerate(grid.labels):
        if says_total(label):
            yield from _row_of_totals(grid, row)
    for column, head in enumerate(grid.heads):
        if column and says_total(head.text) and grid.kind != "list":
            yield from _column_of_totals(grid, column)


def _row_of_totals(grid: Grid, row: int) -> Iterator[Tie]:
    found: list[tuple[_Total, Said, int]] = []
    for column in range(grid.width):
        cell = grid.rows[row][column]
        if cell is None or cell.number is None or (column == 0 and cell.text == grid.labels[row]):
            continue
        sets = tuple(
            of
            for rows in _row_sets(grid, row)
            if (of := _cells(grid, rows, column)) is not None and may_be(cell, of)
        )
        if sets:
            called = {c.key: name for cells, name in zip(grid.rows, grid.labels, strict=True)
                      if (c := cells[column]) is not None}  # fmt: skip
            total = _Total(cell, cell.number, sets, grid.labels[row], grid.heads[column].text, called)
            said, chosen = _best(total)
            if said.word != "wrong" or not _counted(grid, total, total.sets[chosen]):
                found.append((total, said, chosen))
    holding = {len(total.sets[chosen]) for total, said, chosen in found if said.word in SUPPORTS}
    for total, said, chosen in found:
        sure = said.word in SUPPORTS or _accusable(
            total, total.sets[chosen], said, len(total.sets[chosen]) in holding
        )
        yield _tie(total, said, chosen, sure)


def _counted(grid: Grid, total: _Total, parts: Sequence[Cell]) -> bool:
    """Whether it is the sum of its parts, each of them so often as a column of counts says."""
    keys = {cell.key for cell in parts}
    rows = [row for row in grid.rows if any(cell is not None and cell.key in keys for cell in row)]
    for column in range(grid.width):
        counts = [cell.number for row in rows if (cell := row[column]) is not None and _is_count(cell)]
        if len(counts) == len(parts):
            pairs = zip(counts, (part.number for part in parts), strict=True)
            each = [Operation("*", (count, number)) for count, number in pairs if count and number]
            if tallies(_added(each), total.number).word in SUPPORTS:
                return True
    return False


def _is_count(cell: Cell) -> bool:
    number = cell.number
    return number is not None and number.units == (PLAIN,) and number.printed[0].whole


def _row_sets(grid: Grid, row: int) -> Iterator[tuple[int, ...]]:
    """The rows that a total may be of: those since the last total, all, all totals, and the like."""
    above = range(row)
    totals_above = [r for r in above if says_total(grid.labels[r])]
    last = totals_above[-1] if totals_above else -1
    parts = [r for r in above if r not in totals_above]
    sets: list[list[int]] = [[r for r in parts if r > last], parts, totals_above]
    if last >= 0:
        sets += [
            [last, *(r for r in parts if r > last)],
            [*totals_above, *(r for r in parts if r > last)],
        ]
    below = list(range(row + 1, len(grid.rows)))
    end = next((r for r in below if says_total(grid.labels[r])), len(grid.rows))
    sets.append([r for r in below if r < end])
    seen: list[tuple[int, ...]] = []
    for rows in sets:
        for of in (
            tuple(r for r in rows if says_total(grid.labels[r]) or not is_no_part(grid.labels[r])),
            tuple(rows),
        ):
            if len(of) >= 2 and of not in seen:
                seen.append(of)
    yield from seen


def _cells(grid: Grid, rows: Sequence[int], column: int) -> tuple[Cell, ...] | None:
    """The numbers of a column in some rows; None where one of them has anything else but a dash."""
    cells = [grid.rows[row][column] for row in rows]
    if any(c is not None and c.number is None and not c.empty for c in cells):
        return None
    found = tuple(c for c in cells if c is not None and c.number is not None)
    return found if len(found) >= 2 else None


def _best(total: _Total) -> tuple[Said, int]:
    """What the first set says that makes the total true; else what the one does that comes nearest."""
    said = [tallies(_sum(of), total.number) for of in total.sets]
    for place, one in enumerate(said):
        if one.word in SUPPORTS:
            return one, place
    added = [added_up(of) for of in total.sets]
    own = amount_of(total.cell)
    nearest = min(range(len(added)), key=lambda n: abs(added[n] - own))
    return said[nearest], nearest


def _sum(cells: Sequence[Cell]) -> Node:
    return _added([cell.number for cell in cells if cell.number is not None])


def _added(nodes: Sequence[Node]) -> Node:
    return reduce(lambda a, b: Operation("+", (a, b)), nodes)


def _accusable(total: _Total, parts: tuple[Cell, ...], said: Said, corroborated: bool) -> bool:
    """Whether nothing else explains a total that is not the sum of its parts."""
    if said.word != "wrong" or not one_kind([total.cell, *parts]):
        return False
    intensive = says("intensive", total.head) or "/" in total.head
    labels = [total.called.get(part.key, "") for part in parts]
    return not is_another(total.cell, total.label, parts, labels, intensive, corroborated)


def _tie(total: _Total, said: Said, chosen: int, sure: bool, of: str = "rows") -> Tie:
    reason = f"the {len(total.sets[chosen])} {of} that it adds up come to {said.expected}"
    meant = one_kind([total.cell, *total.sets[chosen]])
    gap = amount_of(total.cell) - added_up(total.sets[chosen])
    dues = {cell.key: amount_of(cell) + gap for cell in total.sets[chosen]}
    dues[total.cell.key] = amount_of(total.cell) - gap
    return Tie(RULE, total.cell, total.sets[chosen], said.word, said.expected, reason, sure, meant, dues)


def _column_of_totals(grid: Grid, column: int) -> Iterator[Tie]:
    """A column that says total: the sum of those columns that most rows make it the sum of."""
    best: list[tuple[_Total, Said]] = []
    for columns in _column_sets(grid, column):
        found = []
        for row, cells in enumerate(grid.rows):
            cell = cells[column]
            of = tuple(c for n in columns if (c := cells[n]) is not None and not c.empty)
            if cell is None or cell.number is None or len(of) < 2 or any(c.number is None for c in of):
                continue
            if not one_kind([cell, *of]):
                continue
            total = _Total(cell, cell.number, (of,), grid.labels[row], grid.heads[column].text)
            found.append((total, tallies(_sum(of), cell.number)))
        if _holding(found) > _holding(best):
            best = found
    holding, failing = _holding(best), sum(said.word == "wrong" for _, said in best)
    if holding < ENOUGH or failing > max(1, holding // 3):
        return
    for total, said in best:
        yield _tie(total, said, 0, True, "columns")


def _holding(found: Sequence[tuple[_Total, Said]]) -> int:
    return sum(said.word in SUPPORTS for _, said in found)


def _column_sets(grid: Grid, column: int) -> Iterator[tuple[int, ...]]:
    """Runs of columns that end before a total, or begin behind it."""
    for start in range(column - 1):
        yield tuple(range(start, column))
    for stop in range(column + 3, grid.width + 1):
        yield tuple(range(column + 1, stop))
