"""Spare nodes: enough nineteen times in twenty, counted from the failures that the catalogue expects."""

from collections import Counter
from fractions import Fraction
from random import Random

from looping import each

import workings
from workings.planning.spares import spare_nodes, under_repair

DAY = Fraction(86400)


def test_failures_under_repair_are_the_interruptions_of_that_time() -> None:
    value = workings.value("interruptions", set={"n": "4096", "M_d": "50,000 h", "T_obs": "36 h"}).value
    assert under_repair(4096, Fraction(50_000 * 3600), Fraction(36 * 3600)) == value


@each("devices", [64, 4096, 40_960])
def test_spares_suffice_about_95_percent_of_simulated_days(devices: int) -> None:
    """Failures strike on random days of many; as many nodes are away as failed in the last day."""
    random, days = Random(1), 10_000  # noqa: S311 - no secret
    failures = Counter(random.randrange(days) for _ in range(devices * days * 24 // 50_000))
    enough = spare_nodes(devices, 8, Fraction(50_000 * 3600), DAY)
    assert sum(failures[day] <= enough for day in range(days)) > 0.945 * days
    assert sum(failures[day] <= enough - 1 for day in range(days)) < 0.955 * days


def test_no_more_nodes_are_spare_than_there_are_and_none_for_devices_that_hardly_fail() -> None:
    assert spare_nodes(1000, 8, Fraction(1), DAY) == 125
    assert spare_nodes(1000, 8, Fraction(10**400), DAY) == 0
