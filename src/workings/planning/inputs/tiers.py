"""[[cluster.tier]]: the network inside a node, between nodes and beyond a pod."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from workings.planning.inputs.given import (
    Entries,
    Entry,
    Reader,
    entries,
    one_of,
    only,
    quantity,
    refused,
    shown,
    whole,
    words,
    wrong,
)
from workings.planning.inputs.measured import FACTORS, bus_from_algorithm, link_from_bus
from workings.planning.space import MOST_DEVICES
from workings.units import BYTE, ONE, SECOND

_MOST_TIERS = 3
_KEYS = ("name", "devices", "bandwidth", "latency", "oversubscription", "measured_bus",
         "measured_algorithm", "collective", "ranks", "ranks_inside", "source")  # fmt: skip


class Tier(NamedTuple):
    """One tier: the devices it joins, and what a device sends over it, one way.

    A measured bandwidth is what was reached, so no efficiency is to be taken off it again. `vendor`
    is what the vendor says of the same link, where the tier gives both.
    """

    devices: Entry | None
    bandwidth: Entry
    latency: Entry | None
    measured: bool
    vendor: Entry | None = None


def tiers(reader: Reader, raw: object) -> tuple[Tier, ...]:
    """The tiers of a cluster, innermost first. Raises JobError."""
    if not isinstance(raw, list) or not 1 <= len(raw) <= _MOST_TIERS:
        found = len(raw) if isinstance(raw, list) else raw
        raise reader.wrong(
            "cluster.tier", found, "1 to 3 tiers: inside a node, between nodes, beyond a pod"
        )
    found_tiers = []
    for number, table in enumerate(raw, 1):
        found = entries(reader, f"cluster.tier {number}", table)
        only(reader, found, _KEYS)
        found_tiers.append(_tier(reader, found, number))
    _check(reader, found_tiers)
    return tuple(found_tiers)


def _tier(reader: Reader, found: Entries, number: int) -> Tier:
    """One tier, from its keys. Raises JobError."""
    for key in ("name", "source"):
        if key in found:
            words(found[key], 300)
    devices, latency = found.get("devices"), found.get("latency")
    if devices is not None:
        whole(devices, most=MOST_DEVICES)
    if latency is not None:
        latency = _typed(latency, quantity(latency, SECOND, "3 us", zero=True), found)
    measured = _measured(reader, found, number)
    if measured is None:
        return Tier(devices, _published(reader, found, number), latency, False)
    if _oversubscription(found) != 1:
        key = found["oversubscription"].key
        reader.note("ignored", key, "a measured bandwidth already holds it")
    return Tier(devices, measured, latency, True, found.get("bandwidth"))


def _published(reader: Reader, found: Entries, number: int) -> Entry:
    """The link's bandwidth as a vendor gives it, less what others of the tier take. Raises JobError."""
    if "bandwidth" not in found:
        raise reader.wrong(f"cluster.tier {number}.bandwidth", None, "'50 GB/s', one way per device")
    share = _oversubscription(found)
    value = quantity(found["bandwidth"], BYTE / SECOND, "50 GB/s") / share
    said = _typed(found["bandwidth"], value, found)
    return (
        said if share == 1 else replace(said, source=f"{said.source}, oversubscribed {shown(share)} to 1")
    )


def _typed(entry: Entry, value: Fraction, found: Entries) -> Entry:
    source = words(found["source"], 300) if "source" in found else entry.source
    return Entry(value, entry.kind, source, entry.file, entry.key)


def _oversubscription(found: Entries) -> Fraction:
    if "oversubscription" not in found:
        return Fraction(1)
    share = quantity(found["oversubscription"], ONE, "7")
    if share < 1:
        raise refused(found["oversubscription"], "a number from 1, such as 7 for 7 to 1")
    return share


def _measured(reader: Reader, found: Entries, number: int) -> Entry | None:
    """The link's bandwidth from nccl-tests, with how it was converted. Raises JobError."""
    given = [key for key in ("measured_bus", "measured_algorithm") if key in found]
    if not given:
        for key in ("collective", "ranks", "ranks_inside"):
            if key in found:
                raise refused(found[key], "measured_bus or measured_algorithm beside it")
        return None
    if len(given) == 2:
        raise refused(found[given[1]], "no measured_bus beside it: one is converted from the other")
    entry, of_bus = found[given[0]], given[0] == "measured_bus"
    what, ranks, inside = _group(reader, found, number, given[0])
    rate = quantity(entry, BYTE / SECOND, "360 GB/s")
    bus = rate if of_bus else bus_from_algorithm(rate, what, ranks)
    link = link_from_bus(bus, what, ranks, inside)
    kind = "bus bandwidth" if of_bus else f"algorithm bandwidth × {FACTORS[what](ranks)}"
    how = f"measured: {what} of {ranks} ranks, {entry.value} {kind}"
    how += f", {inside} ranks below the tier" if number > 1 else ""
    if "bandwidth" in found:
        reader.note("ignored", found["bandwidth"].key, "a measured bandwidth overrides it")
    reader.note("read", entry.key, f"{how}: {shown(link / 10**9)} GB/s of a device")
    return Entry(link, "measured", how, entry.file, entry.key)


def _group(reader: Reader, found: Entries, number: int, key: str) -> tuple[str, int, int]:
    """The collective that was run, its ranks, and how many of them lie below the tier."""
    prefix = f"cluster.tier {number}."
    for name in ("ranks",) if key == "measured_bus" and number == 1 else ("collective", "ranks"):
        if name not in found and (name == "collective" or key == "measured_algorithm" or number > 1):
            examples = {
                "collective": "the collective, such as 'all-reduce'",
                "ranks": "its ranks, such as 8",
            }
            raise reader.wrong(prefix + name, None, examples[name])
    what = one_of(found["collective"], FACTORS) if "collective" in found else "all-reduce"
    ranks = int(whole(found["ranks"], 2, MOST_DEVICES)) if "ranks" in found else 2
    if number == 1:
        return what, ranks, 1
    if "ranks_inside" not in found:
        where = "one node" if number == 2 else "one pod"
        raise reader.wrong(prefix + "ranks_inside", None, f"how many of the ranks lay in {where}")
    return what, ranks, int(whole(found["ranks_inside"], 1, ranks - 1))


def _check(reader: Reader, found: list[Tier]) -> None:
    """Each tier joins several of the one below. Raises JobError."""
    below: Entry | None = None
    for number, tier in enumerate(found, 1):
        if tier.devices is None:
            if number < len(found):
                raise reader.wrong(f"cluster.tier {number}.devices", None, "the devices that it joins")
            continue
        if below is not None and (tier.devices.value % below.value or tier.devices.value == below.value):
            raise wrong(reader.file, tier.devices.key, tier.devices.value,
                        f"several times the {shown(below.value)} of the tier below")  # fmt: skip
        below = tier.devices
