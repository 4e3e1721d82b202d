"""A row's devices and network as the keys of [cluster]."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from heldouts.rows import RefusedError, Row, eight_bits, program
from workings.scenario.presets import is_preset, read_preset

# By what stands before a remark in brackets; the first that is found.
_DEVICES = (
    ("RTX 4090", "rtx-4090"), ("RTX A6000", "rtx-a6000"), ("GH200", "gh200"), ("MI350X", "mi350x"),
    ("RTX PRO 6000", "rtx-pro-6000"), ("RTX 6000 Ada", "rtx-6000-ada"), ("RTX 5090", "rtx-5090"),
    ("L40S", "l40s"), ("L40", "l40"), ("L4", "l4"), ("A40", "a40"), ("Trainium2", "trainium2"),
    # Slower clocks and memory than those of their names on a board of eight.
    ("H100 PCIe", "h100-pcie"), ("H100 NVL", "h100-nvl"), ("A100 PCIe", "a100-{}gb-pcie"),
    ("GB300", "gb300-nvl72"), ("GB200", "gb200-nvl72"), ("B300", "b300-sxm"), ("B200", "b200-sxm"),
    ("H20", "h20-sxm"), ("H200", "h200-sxm"), ("H800", "h800-sxm"), ("H100", "h100-sxm"),
    ("A100", "a100-{}gb-sxm"), ("V100", "v100-32gb-sxm"), ("MI300X", "mi300x"), ("TPU v6e", "tpu-v6e"),
    ("TPU v5p", "tpu-v5p"), ("TPU v5e", "tpu-v5e"), ("TPU v4", "tpu-v4"), ("TPU7x", "tpu-v7x"),
    ("TPU v7", "tpu-v7x"), ("TPU v3", "tpu-v3"),
)  # fmt: skip
# GB, where devices of the name have others too, or are lent with a part of it.
_MEMORY = {"v100-32gb-sxm": 32, "h100-sxm": 80, "mi350x": 288}
# What a network's words say of one device; of a node's links each of its devices has a part. A rate
# alone is a node's: 800 Gb/s is more than any port.
_OF_A_NODE = (r"(?P<links>\d+) x (?:\D.*?)?(?P<rate>\d+) Gb(?:it)?(?:/s)? .*a node",
              r"(?P<rate>\d+) Gb/s .*a node", r"(?P<rate>\d+) Gbps")  # fmt: skip
_TERABITS = r"([\d.]+) Tbps a node"
_OF_A_DEVICE = r"(?P<rate>\d+) Gb/s RDMA per GPU"
_SLICES = r"x (\d+) slices|x (\d+) over DCN|x DCN (\d+)|DCN between (\d+) slices"  # of TPUs
_DOMAINS = r"domains (?:x|of) (\d+)"  # of NVLink, by a row's name or network
_SEEN = r"([\d.]+ GiB)"  # memory as the device's words have it
_USABLE = r"\(([\d.]+ GiB) usable\)"
# H100 of 95 GiB in torchtitan's logs: "96 GB HBM2e, 2.4 TB/s", as its pages print of Meta's machines
# (the notes of torchtitan-asynctp in the first set).
_HBM2E = "2.4 TB/s"
_WIDE = r"^(FP32|TF32)\b(?!.*BF16)"  # products in it: the presets' peaks are of 16 bits and of 8
# Products in 8 bits beside experts whose products stay in 16, or of experts alone: a device has one peak.
_IN_PART = (
    (r"FP8.*; experts[^;]* BF16", "FP8 beside experts in BF16"),
    (r"FP8 (?:for|in) (?:the )?expert", "FP8 in experts alone"),
)


def cluster(row: Row) -> dict[str, Any]:
    """[cluster]. Raises RefusedError where no preset is its device."""
    name = device(row)
    if "precision" not in row:
        raise RefusedError("precision: not said")
    if "FP4" in row["precision"]:
        raise RefusedError("precision: products of FP4")
    if wide := re.search(_WIDE, row["precision"]):
        raise RefusedError(f"precision: products of {wide[1]}")
    for words, what in _IN_PART:
        if re.search(words, row["precision"]):
            raise RefusedError(f"precision: products of {what}")
    preset = f"{name}-fp8" if eight_bits(row) else name
    if not is_preset("hardware", preset):
        raise RefusedError(f"no preset: {preset}")
    found: dict[str, Any] = {"hardware": preset, "devices": row["gpus"]}
    found |= _memory(row, name)
    if node := _node(row, preset):
        found["node_devices"] = node
    if rate := _network(row):
        found["network_one_way"] = rate
    return found


def device(row: Row) -> str:
    """The preset's name of the device in 16 bits. Raises RefusedError where the row does not name it."""
    said = row["device"]
    if "A800" in said:
        return "a800-80gb-sxm"
    head = said.partition("(")[0]
    for word, name in _DEVICES:
        if re.search(rf"\b{word}\b", head):
            return name.format(row.get("device_mem_gb", 80))
    raise RefusedError("no preset: the device is not named")


def _memory(row: Row, name: str) -> dict[str, str]:
    """Memory that the preset's device has not, and its bandwidth where the row prints that."""
    size = row.get("device_mem_gb")
    if size is None and (usable := re.search(_USABLE, row["device"])):
        return {"memory": usable[1]}
    if size is None or size == _MEMORY.get(name, size):
        return {}
    seen = re.search(_SEEN, row["device"])
    found = {"memory": seen[1] if seen else f"{size} GB"}
    if rate := re.search(r"[\d.]+ TB/s", row.get("notes", "")):
        found["memory_bandwidth"] = rate[0]
    elif program(row) == "torchtitan" and name == "h100-sxm":
        found["memory_bandwidth"] = _HBM2E
    return found


def _node(row: Row, preset: str) -> int | None:
    """Devices that the inner links join: a slice, a node; of a rack as many as make whole ones.

    A rack's trays of four are no nodes of their own: NVLink joins all of it; nor are a slice's hosts,
    whose chips are `gpus_per_node`: ICI joins the slice.
    """
    network = row.get("network", "")
    if slices := re.search(_SLICES, f"{row.get('dp_kind', '')}; {network}"):
        return int(row["gpus"]) // int(next(filter(None, slices.groups())))
    if preset.startswith("tpu"):
        return None
    if "nvl72" not in preset:
        return row.get("gpus_per_node")
    if domains := re.search(_DOMAINS, f"{row['name']}; {network}"):
        return int(domains[1])
    most, devices = int(read_preset("hardware", preset)["node_devices"]["value"]), int(row["gpus"])
    if devices <= most or devices % most == 0:
        return None
    return max(size for size in range(1, most) if devices % size == 0)


def _network(row: Row) -> str:
    """What a device sends between nodes, one way; nothing where the words leave that to the preset.

    Raises RefusedError for nodes that are said to have less than it, but not how much.
    """
    said = row.get("network", "")
    if re.search("Ethernet only|without TCPXO", said):
        raise RefusedError("network: Ethernet alone, whose rate is not said")
    if "NCCL over sockets" in said and row["gpus"] > row["gpus_per_node"]:
        raise RefusedError("network: NCCL over sockets, whose rate is not said")
    if "MNNVL off" in said:
        raise RefusedError("network: NCCL leaves to the network what dispatchers have on NVLink")
    if found := re.search(_OF_A_DEVICE, said):
        return f"{found['rate']} Gbit/s"
    if node := re.search(_TERABITS, said):
        return f"{float(Fraction(node[1]) * 1000 / row['gpus_per_node']):g} Gbit/s"
    for pattern in _OF_A_NODE:
        if found := re.search(pattern, said):
            links = int(found.groupdict().get("links") or 1)
            return f"{float(Fraction(links * int(found['rate']), row['gpus_per_node'])):g} Gbit/s"
    return ""
