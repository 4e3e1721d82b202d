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
    tidy,
    whole,
    words,
    wrong,
)
from workings.planning.inputs.measured import (
    ABOVE,
    FACTORS,
    Measurement,
    bus_from_algorithm,
    link_from_bus,
)
from workings.planning.job import Figure, JobError
from workings.planning.space import MOST_DEVICES
from workings.units import BYTE, ONE, SECOND

_MOST_TIERS = 3
_RATES = ("measured_bus", "measured_algorithm")
# The keys of [cluster] that tiers stand for, and their letters.
LINKS = {"link_one_way": "W_1", "network_one_way": "W_2", "pod_one_way": "W_3"}
_KEYS = ("name", "devices", "bandwidth", "latency", "oversubscription", "measured_bus",
         "measured_algorithm", "collective", "ranks", "ranks_inside", "source")  # fmt: skip


class Tier(NamedTuple):
    """One tier: the devices it joins, and what a device sends over it, one way.

    A measured bandwidth is what was reached, so no efficiency is to be taken off it again. `vendor`
    is what the vendor says of the same link, where the tier gives both; `by` is the measurement.
    """

    devices: Entry | None
    bandwidth: Entry
    latency: Entry | None
    measured: bool
    vendor: Entry | None = None
    by: Measurement | None = None


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
    by = _measured(reader, found, number)
    if by is None:
        return Tier(devices, _published(reader, found, number), latency, False)
    if _oversubscription(found) != 1:
        key = found["oversubscription"].key
        reader.note("ignored", key, "a measured bandwidth already holds it")
    measured = _link(reader, found, number, by)
    return Tier(devices, measured, latency, True, found.get("bandwidth"), by)


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


def _measured(reader: Reader, found: Entries, number: int) -> Measurement | None:
    """What nccl-tests measured of the tier. Raises JobError."""
    given = [key for key in _RATES if key in found]
    if not given:
        for key in ("collective", "ranks", "ranks_inside"):
            if key in found:
                raise refused(found[key], "measured_bus or measured_algorithm beside it")
        return None
    if len(given) == 2:
        raise refused(found[given[1]], "no measured_bus beside it: one is converted from the other")
    what, ranks, inside = _group(reader, found, number, given[0])
    rate = quantity(found[given[0]], BYTE / SECOND, "360 GB/s")
    bus = rate if given[0] == "measured_bus" else bus_from_algorithm(rate, what, ranks)
    return Measurement(rate, link_from_bus(bus, what, ranks, inside), what, ranks, inside)


def _link(reader: Reader, found: Entries, number: int, by: Measurement) -> Entry:
    """The link's bandwidth by a measurement, with how it was converted."""
    key = next(key for key in _RATES if key in found)
    factor = FACTORS[by.collective](by.ranks)
    kind = "bus bandwidth" if key == "measured_bus" else f"algorithm bandwidth × {factor}"
    how = f"measured: {by.collective} of {by.ranks} ranks, {found[key].value} {kind}"
    how += f", {by.inside} ranks below the tier" if number > 1 else ""
    if "bandwidth" in found:
        reader.note("ignored", found["bandwidth"].key, "a measured bandwidth overrides it")
    reader.note("read", found[key].key, f"{how}: {_rate(by.link)} of a device")
    return Entry(by.link, "measured", how, found[key].file, found[key].key)


def _rate(value: Fraction) -> str:
    return f"{float(value / 10**9):,.4g} GB/s"


def hold(reader: Reader, found: tuple[Tier, ...], keys: Entries) -> None:
    """Hold measured links against what their vendor says of the wire, one way. Raises JobError.

    `keys` are those of the cluster, where a tier may leave the vendor's figure to a preset.
    """
    for tier, key in zip(found, LINKS, strict=False):
        vendor = tier.vendor or keys.get(key)
        if tier.by is None or vendor is None:
            continue
        wire = vendor.value
        if not isinstance(wire, Fraction):
            wire = quantity(vendor, BYTE / SECOND, "50 GB/s")
        if tier.by.link > wire * ABOVE:
            raise JobError(_beyond(tier.bandwidth, tier.by, wire))
        if tier.by.collective == "all-reduce" and tier.by.link > wire:
            text = f"measured {_rate(tier.by.link)} a device, its link carries {_rate(wire)} one way; "
            text += "switches that add up (SHARP) do not help the plan's gathers and scatters"
            reader.note("contradicts", tier.bandwidth.key, text, tier.bandwidth.file)


def hold_figure(measured: Figure, said: Figure) -> None:
    """The same of a link that [assume] or a calibration has as measured. Raises JobError."""
    published = said.kind in ("vendor", "preset", "given")
    if measured.kind == "measured" and published and measured.value > said.value * ABOVE:
        expected = f"at most the {_rate(said.value)} that the link of a device carries one way"
        text = f"{tidy(measured.place.file)}: {tidy(measured.place.key)}: found {_rate(measured.value)}"
        raise JobError(f"{text}, expected {expected}")


def _beyond(entry: Entry, by: Measurement, wire: Fraction) -> str:
    """The error of a measurement above what the wire carries."""
    return (
        f"{tidy(entry.file)}: {tidy(entry.key)}: found {_rate(by.rate)}, {_rate(by.link)} of each "
        f"device, expected at most {_rate(by.most(wire))}, since the link of a device carries "
        f"{_rate(wire)} one way: {by.cause(wire)}"
    )


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
