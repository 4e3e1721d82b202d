"""The ranks that talk to one another along each axis of a layout, one by one."""

from awkward import Values, mesh

DENSE, ROUTED = ("t", "c", "d", "p"), ("t_e", "e", "d_e", "p")
# What varies within a group, on which mesh, and how its ranks send.
GROUPS = {
    "t": (DENSE, ("t",), "ring"), "c": (DENSE, ("c",), "ring"), "d": (DENSE, ("c", "d"), "ring"),
    "e": (ROUTED, ("e",), "all-to-all"), "x": (ROUTED, ("d_e",), "ring"),
    "te": (ROUTED, ("t_e",), "ring"),
}  # fmt: skip


def groups(v: Values, axis: str) -> list[list[int]]:
    """The ranks of each group in order; a rank's number is its place in the cluster.

    Under DualPipe those of a stage and of its mirror image hold the same, so they share it.
    """
    axes, within, _ = GROUPS.get(axis, (DENSE, ("p",), ""))
    if not v["o_d"]:
        axes = (*axes[:2], axes[3], axes[2])
    found: dict[tuple[int, ...], list[int]] = {}
    for rank, place in enumerate(mesh({**v, "d_e": v["d_e"] / (1 + v["x_bi"])}, *axes)):
        if v["x_bi"] and axis in ("d", "x"):
            place["p"] = min(place["p"], int(v["p"]) - 1 - place["p"])
        found.setdefault(tuple(place[a] for a in axes if a not in within), []).append(rank)
    return list(found.values())
