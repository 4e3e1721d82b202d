"""[cluster]: devices and links, from a preset, a file or keys, as letters of the cost model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from workings.planning.generations import generation
from workings.planning.inputs.files import beside, toml_of
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
)
from workings.planning.inputs.tiers import Tier, tiers
from workings.planning.job import Figure
from workings.planning.letters import HARDWARE
from workings.planning.prices import price
from workings.planning.space import MOST_DEVICES
from workings.scenario.keys import HARDWARE as HARDWARE_KEYS
from workings.scenario.keys import QUANTITIES
from workings.scenario.network import NETWORKS, TORUS
from workings.scenario.presets import layers

CLUSTER_KEYS = (*HARDWARE_KEYS, "devices", "pod_devices", "pod_one_way")
_FROM = ("file", "hardware", "preset")
_NO_POD = 10**9  # more devices than any cluster has: no group leaves such a pod
_LATENCIES = {
    "link_latency": ("3 us", "assumed: between NCCL's protocols, 0.6 to 3.4 us a hop"),
    "network_latency": ("10 us", "assumed: between NCCL's protocols, 2.7 to 14 us a hop"),
}
_ON_TPUS = {key: (value, "assumed: as of GPUs") for key, (value, _) in _LATENCIES.items()}
_NEEDED = {"compute": "989 TFLOP/s", "memory_bandwidth": "3.35 TB/s", "link_one_way": "450 GB/s"}


class Cluster(NamedTuple):
    """The keys of [cluster] and of what it names, and its tiers."""

    keys: Entries
    tiers: tuple[Tier, ...] = ()

    def over(self, other: Cluster) -> Cluster:
        """Both; what this one says is put over the other's."""
        return Cluster(other.keys | self.keys, self.tiers or other.tiers)


def cluster_of(reader: Reader, raw: object, prefix: str = "cluster") -> Cluster:
    """What [cluster] says. Raises JobError or ScenarioError."""
    if not isinstance(raw, Mapping):
        raise reader.wrong(prefix, raw, "a table")
    own = entries(reader, prefix, {key: value for key, value in raw.items() if key != "tier"})
    only(reader, own, (*CLUSTER_KEYS, *_FROM, "tier"))
    if "hardware" in own and "preset" in own:
        raise refused(own["preset"], "no hardware beside it: both name a preset")
    under = Cluster({})
    for key in ("hardware", "preset", "file"):
        if key in own:
            named = _file(reader, own.pop(key)) if key == "file" else _preset(reader, own.pop(key))
            under = named.over(under)
    return Cluster(own, tiers(reader, raw["tier"]) if "tier" in raw else ()).over(under)


def _preset(reader: Reader, entry: Entry) -> Cluster:
    found: Entries = {}
    for path, raw in layers("hardware", words(entry)):
        here = Reader(reader.folder, f"presets/hardware/{path.name}")
        reader.opened[here.file] = path.read_bytes()
        found |= entries(here, "", raw, "vendor", note=False)
    return Cluster({k: replace(e, kind="preset") if "latency" in k else e for k, e in found.items()})


def _file(reader: Reader, entry: Entry) -> Cluster:
    path = beside(reader, entry)
    raw = toml_of(reader, path)
    there = reader.beside(path)
    if set(raw) <= {"cluster", "tier"} and "cluster" in raw:
        inner = raw["cluster"]
        if "tier" in raw and isinstance(inner, Mapping):
            inner = {**inner, "tier": raw["tier"]}
        return cluster_of(there, inner)
    return cluster_of(there, raw, "")


def cluster_figures(reader: Reader, cluster: Cluster) -> dict[str, Figure]:
    """Every letter of the hardware, bandwidths as they are given. Raises JobError."""
    found = dict(cluster.keys)
    for key, entry in found.items():
        if isinstance(entry.value, Fraction) and f"hardware.{key}" in QUANTITIES:  # a number: 2.5
            _read(key, entry)
    _torus(reader, cluster)
    _links(reader, found, cluster.tiers)
    _memory(reader, found)
    _fill(reader, found)
    figures = {}
    for letter, concept in HARDWARE.items():
        key = {"allocatable": "memory"}.get(concept.name, concept.name)
        key = {"C": "compute"}.get(key, key)
        entry = found[key]
        value = _value(key, entry)
        figures[letter] = Figure(letter, concept, value, entry.kind, entry.source, place=entry.place)
    if "price" not in cluster.keys:
        low, high = price(_name(found)).ends
        figures["c_d"] = replace(figures["c_d"], low=low, high=high)
    if "mtbf" in cluster.keys and cluster.keys["mtbf"].kind == "given":
        text = "the cost model takes the share of useful time (assume.goodput); spares count by it"
        reader.note("ignored", cluster.keys["mtbf"].key, text)
    return figures


def mtbf_of(cluster: Cluster) -> Fraction | None:
    """Seconds between failures of one device, in the mean, where it is known. Raises JobError."""
    entry = cluster.keys.get("mtbf")
    return None if entry is None else quantity(entry, QUANTITIES["hardware.mtbf"], "50,000 h")


def _torus(reader: Reader, cluster: Cluster) -> None:
    """Say that a torus is taken as a switch, unless its tiers say what it carries. Raises JobError."""
    keys = cluster.keys
    if "network" not in keys:
        return
    for key in {"torus_axes", "ring_devices"} & keys.keys():
        whole(keys[key])
    if one_of(keys["network"], NETWORKS) == TORUS and not cluster.tiers:
        text = "torus: the plan sends one way along one axis at a time, as into a switch, and both ways "
        text += "round its rings would take half of that; a tier may give their bandwidth instead"
        reader.note("ignored", "cluster.network", text)


def _value(key: str, entry: Entry) -> Fraction:
    """A figure in base units. Raises JobError."""
    if key in ("node_devices", "pod_devices"):
        return whole(entry, most=_NO_POD)
    if isinstance(entry.value, Fraction):  # worked out
        return entry.value
    return _read(key, entry)


def _read(key: str, entry: Entry) -> Fraction:
    dimension = QUANTITIES["hardware.network_one_way" if key == "pod_one_way" else f"hardware.{key}"]
    example = {"compute": "989 TFLOP/s", "memory": "80 GB", "price": "2 USD/h"}.get(key, "50 GB/s")
    zero = key == "price" or "latency" in key
    return quantity(entry, dimension, "3 us" if "latency" in key else example, zero)


def _links(reader: Reader, found: Entries, given: tuple[Tier, ...]) -> None:
    """Put the tiers over the keys of links. Raises JobError where both are given."""
    places = (("link_one_way", "link_latency", "node_devices"),
              ("network_one_way", "network_latency", "pod_devices"), ("pod_one_way", "", ""))  # fmt: skip
    for number, (tier, (link, latency, devices)) in enumerate(zip(given, places, strict=False), 1):
        if not latency and tier.latency is not None:
            reader.note("ignored", tier.latency.key, "the cost model has no latency of a third tier")
        parts = ((link, tier.bandwidth), (latency, tier.latency), (devices, tier.devices))
        for key, entry in parts:
            if entry is None or not key:
                continue
            if key in found and found[key].kind == "given":
                raise refused(found[key], f"it only once: tier {number} gives it too")
            if key != "pod_devices" or len(given) > 2:
                found[key] = entry
    if given and given[-1].devices is not None and "devices" in found:
        joined, count = given[-1].devices, found["devices"]
        if whole(count, most=MOST_DEVICES) > joined.value:
            raise refused(count, f"at most the {shown(joined.value)} that the last tier joins")


def _memory(reader: Reader, found: Entries) -> None:
    """The bytes a device has: what the job says, else what the device reports, else its name."""
    for key in ("memory", "memory_reported", "memory_marketing"):
        if key in found:
            if key == "memory_marketing" and found[key].kind != "given":
                reader.note("defaulted", "cluster.memory", f"{found[key].value}, as the device is sold")
            value = _value(key, found[key])
            found["memory"] = replace(found[key], value=value)
            return
    raise reader.wrong("cluster.memory", None, "bytes of a device such as '80 GB', or a hardware preset")


def _fill(reader: Reader, found: Entries) -> None:
    """What is left out: assumed, or what follows where nothing leaves a node. Raises JobError."""
    for key, example in _NEEDED.items():
        if key not in found:
            expected = f"a quantity such as '{example}', or a hardware preset"
            raise reader.wrong(f"cluster.{key}", None, expected)
    _network(reader, found)
    usual = price(_name(found))
    latencies = _ON_TPUS if generation(_name(found)).startswith("TPU") else _LATENCIES
    for key, (value, why) in {**latencies, "price": (usual.value, usual.source)}.items():
        if key not in found:
            found[key] = Entry(value, "assumed", why, reader.file, f"cluster.{key}")
            reader.note("defaulted", f"cluster.{key}", f"{value}: {why}")


def _name(found: Entries) -> str:
    """What the device is called, or nothing."""
    return words(found["name"]) if "name" in found else ""


def _network(reader: Reader, found: Entries) -> None:
    """Tiers that are left out are never reached. Raises JobError where only half of one is given."""

    def follow(key: str, value: object, why: str) -> None:
        found.setdefault(key, Entry(value, "follows", why, reader.file, f"cluster.{key}"))

    if "network_one_way" not in found:
        _one_node(reader, found)
        follow("node_devices", _NO_POD, "no network: every device in one node")
    elif "node_devices" not in found:
        raise reader.wrong("cluster.node_devices", None, "the devices of a node")
    follow("network_one_way", found["link_one_way"].value, "no network: nothing leaves a node")
    if ("pod_one_way" in found) != ("pod_devices" in found):
        other = "pod_devices" if "pod_one_way" in found else "pod_one_way"
        raise reader.wrong(f"cluster.{other}", None, "it beside the other figure of the third tier")
    follow("pod_devices", _NO_POD, "no third tier: nothing leaves a pod")
    follow("pod_one_way", found["network_one_way"].value, "no third tier: nothing leaves a pod")


def _one_node(reader: Reader, found: Entries) -> None:
    """Without a network, all devices are in one node. Raises JobError."""
    devices, node = found.get("devices"), found.get("node_devices")
    if devices is not None and node is not None and devices.value > node.value:
        expected = f"at most the {shown(node.value)} devices of a node, or the bandwidth of a network"
        raise refused(devices, expected)


def devices_of(cluster: Cluster, node: Fraction) -> Entry | None:
    """The devices in all, whole nodes of them. Raises JobError."""
    entry = cluster.keys.get("devices")
    if entry is None:
        return None
    devices = whole(entry, most=MOST_DEVICES)
    if devices > node and devices % node:
        raise refused(entry, f"whole nodes of {shown(node)} devices")
    return replace(entry, value=devices)
