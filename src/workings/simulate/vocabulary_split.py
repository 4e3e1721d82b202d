"""A vocabulary split over ranks: looking tokens up, and the loss of logits that nobody has whole.

Probabilities are powers of two and not of e, so that they are exact.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ._checks import positive_count
from ._walks import Walk, all_reduce_walk, gather_walk
from .block_matrices import Matrix, numbers, spans

Values = tuple[Fraction, ...]


@dataclass(frozen=True)
class Moved:
    """The collectives of a run: their names and the numbers a rank sent, means over the ranks."""

    calls: tuple[tuple[str, Fraction], ...]

    @property
    def sent(self) -> Fraction:
        """Numbers a rank sent in all."""
        return sum((sent for _, sent in self.calls), Fraction(0))


def look_up(ranks: int, tokens: Sequence[int], vocab: int, width: int) -> Moved:
    """Each rank looks up the tokens of its part of the table; the rest are zero; all are summed.

    AssertionError if a rank ends without the rows of the whole table.
    """
    table = numbers(vocab, width, 5)
    nothing = (0,) * width
    parts = []
    for rows in spans(vocab, positive_count("ranks", ranks)):
        own = [table.rows[token] if token in rows else nothing for token in tokens]
        parts.append(_pieces([Fraction(v) for row in own for v in row], ranks))
    walk = all_reduce_walk(parts, _plus)
    wanted = [Fraction(v) for token in tokens for v in table.rows[token]]
    _require(all(_whole(held) == wanted for held in walk.held))
    return Moved((("embedding", _mean(walk)),))


def split_loss(ranks: int, logits: Matrix, targets: Sequence[int]) -> Moved:
    """Largest logit, target's logit and sum of powers, each reduced over the ranks.

    AssertionError if a probability differs from that of the whole logits.
    """
    parts = spans(logits.columns, positive_count("ranks", ranks))
    low = Fraction(min(v for row in logits.rows for v in row))

    def reduced(values: Callable[[range], list[Fraction]], fold: Callable[[Values, Values], Values],
                name: str) -> list[Fraction]:  # fmt: skip
        walk = all_reduce_walk([_pieces(values(part), ranks) for part in parts], fold)
        calls.append((name, _mean(walk)))
        return _whole(walk.held[0])

    calls: list[tuple[str, Fraction]] = []
    rows = list(zip(logits.rows, targets, strict=True))
    top = reduced(
        lambda part: [Fraction(max((row[c] for c in part), default=low)) for row, _ in rows],
        lambda a, b: tuple(map(max, a, b)), "largest",
    )  # fmt: skip
    hit = reduced(
        lambda part: [row[target] - m if target in part else Fraction(0)
                      for (row, target), m in zip(rows, top, strict=True)],
        _plus, "target",
    )  # fmt: skip
    total = reduced(
        lambda part: [sum((Fraction(2) ** int(row[c] - m) for c in part), Fraction(0))
                      for (row, _), m in zip(rows, top, strict=True)],
        _plus, "sum",
    )  # fmt: skip
    found = [Fraction(2) ** int(h) / t for h, t in zip(hit, total, strict=True)]
    _require(found == [_probability(row, target) for row, target in rows])
    return Moved(tuple(calls))


def gather_logits(ranks: int, logits: Matrix) -> Moved:
    """Every rank gets the columns of all others."""
    parts = [
        tuple(Fraction(row[c]) for row in logits.rows for c in part)
        for part in spans(logits.columns, positive_count("ranks", ranks))
    ]
    walk = gather_walk(parts)
    _require(all(held == tuple(parts) for held in walk.held))
    return Moved((("logits", _mean(walk)),))


def _probability(row: Sequence[int], target: int) -> Fraction:
    return Fraction(2) ** row[target] / sum((Fraction(2) ** value for value in row), Fraction(0))


def _pieces(values: Sequence[Fraction], ranks: int) -> list[Values]:
    return [tuple(values[place] for place in span) for span in spans(len(values), ranks)]


def _whole(pieces: Sequence[Values]) -> list[Fraction]:
    return [value for piece in pieces for value in piece]


def _plus(a: Values, b: Values) -> Values:
    return tuple(x + y for x, y in zip(a, b, strict=True))


def _mean(walk: Walk[Values]) -> Fraction:
    """Numbers a rank sent, on average."""
    sent = sum(len(piece) for pieces in walk.sent for piece in pieces)
    return Fraction(sent, len(walk.sent))


def _require(holds: bool) -> None:
    if not holds:
        raise AssertionError("The split vocabulary gives another result than the whole one.")
