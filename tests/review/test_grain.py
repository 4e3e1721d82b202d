"""Between the last size that fails and the first that holds, whole nodes are tried from the least on."""

from dataclasses import dataclass
from fractions import Fraction

from workings.review.grain import TRIES, between


@dataclass(frozen=True)
class Size:
    """So many devices, which take so many times the days allowed."""

    devices: int
    times: Fraction | None

    def holds(self, end: str) -> bool:
        return end == "most" and self.times is not None and self.times <= 1


def sizes(*times: tuple[int, Fraction | None]) -> list[Size]:
    return [Size(devices, time) for devices, time in times]


def test_every_number_of_nodes_between_is_tried() -> None:
    assert tuple(between(sizes((32, None), (64, Fraction(1, 2))), "most", 8)) == (40, 48, 56)
    assert tuple(between(sizes((32, Fraction(3, 2)), (64, Fraction(3, 4))), "most", 8)) == (40, 48, 56)


def test_nothing_is_tried_below_what_holds_where_nothing_fails_or_within_a_node() -> None:
    assert not between(sizes((64, Fraction(1, 2))), "most", 8)
    assert not between(sizes((4, Fraction(2)), (8, Fraction(1))), "most", 8)
    assert not between(sizes((64, Fraction(2))), "most", 8)


def test_of_very_many_nodes_only_some_are_tried() -> None:
    found = between(sizes((8192, None), (16384, Fraction(1, 2))), "most", 8)
    assert TRIES / 2 < len(found) <= TRIES
