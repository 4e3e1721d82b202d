"""Published tables are read as they are written, and every letter of a row finds its value."""

from fractions import Fraction
from pathlib import Path

import pytest
from looping import each
from validating.letters import letters_of, worth
from validating.published import Table, TableError, read_table, tables

from workings.planning.utilization import COUNTED, COUNTS

ALL = {f"{kind}/{table.id}": table for kind in ("time", "memory") for table in tables(kind)}

WRITTEN = """
title = "A table"
short = "A"
source = "somewhere"
unit = "s"
ours = "T_step"
theirs = "2*published"
base = ["gpt"]
hardware = "h100-sxm"
given = { s = 2048, V = 51200, b = "3*n", D = 128, z_s = 1, L = 6, L_E = 2 }
columns = ["name", "n", "H", "published"]
rows = [["small", 8, 2, 1.25], ["large", 16, 4, 0.5]]

[[open]]
rows = "small"
given = { v = 4 }
says = "v = 4"

[[remark]]
rows = "l*"
says = "too large"

[[remark]]
rows = "*"
says = "too small"
"""


def table(folder: Path, text: str = WRITTEN) -> Table:
    (folder / "a.toml").write_text(text, encoding="utf-8")
    return read_table(folder / "a.toml")


def test_a_row_has_its_own_letters_and_an_exact_figure(tmp_path: Path) -> None:
    row = table(tmp_path).rows[0]
    assert (row.name, row.given, row.published) == ("small", {"n": 8, "H": 2}, Fraction(5, 4))


def test_letters_follow_from_the_table_the_row_the_family_and_the_devices(tmp_path: Path) -> None:
    one = table(tmp_path)
    found = letters_of(one, one.rows[1])
    assert [int(found[k]) for k in ("b", "F", "d_h", "n_pos")] == [48, 512, 32, 2048]
    assert [int(found[k]) for k in ("W_1", "n_node")] == [450 * 10**9, 8]
    assert [int(found[k]) for k in ("L_0", "r_E")] == [4, 1]  # blocks with experts come last


def test_another_value_replaces_a_given_one(tmp_path: Path) -> None:
    one = table(tmp_path)
    assert letters_of(one, one.rows[0], {"D": 64})["F"] == 256


def test_what_is_open_and_why_it_differs_is_said_of_rows_by_their_names(tmp_path: Path) -> None:
    one = table(tmp_path)
    small, large = one.rows
    assert [[end.says for end in one.open_for(row)] for row in (small, large)] == [["v = 4"], []]
    assert (one.remark(small), one.remark(large)) == ("too small", "too large")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[[remark]]", "[[remarks]]", "a.toml: found remarks, expected"),
        ('unit = "s"', "", "a.toml: found no 'unit', expected it"),
        ('["small", 8, 2, 1.25]', '["small", 8, 2]', "a.toml: found 3 cells"),
        ('unit = "s"', "unit = s", "a.toml: "),
    ],
)
def test_a_table_that_cannot_be_read_is_named(tmp_path: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(TableError, match=said.replace("[", r"\[")):
        table(tmp_path, WRITTEN.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("z_s = 1", "z_z = 1", r"a, small: found \['z_z'\], expected the plan's letters"),
        ('"3*n"', '"3*h"', "a, small: found {'b': '3\\*h'}, expected formulas of known letters"),
        ('["gpt"]', '["gtp"]', r"shared.toml: found no \[gtp\], expected one"),
    ],
)
def test_a_letter_that_has_no_value_is_named(tmp_path: Path, old: str, new: str, said: str) -> None:
    one = table(tmp_path, WRITTEN.replace(old, new))
    with pytest.raises(TableError, match=said):
        letters_of(one, one.rows[0])


# Sizes that their papers print, counted here from the rows: the tables are copied right.
SIZES = {
    "1.7B": 1.7, "3.6B": 3.6, "7.5B": 7.5, "18.4B": 18.4, "39.1B": 39.1, "76.1B": 76.1, "145.6B": 145.6,
    "310.1B": 310.1, "529.6B": 529.6, "1008B": 1008.0,
}  # fmt: skip


@pytest.mark.parametrize("name", SIZES)
def test_rows_of_megatron_s_table_have_the_size_that_it_prints(name: str) -> None:
    rows = {row.name: row.given for row in ALL["time/megatron-2021-1"].rows}
    blocks, width = int(rows[name]["L"]), int(rows[name]["D"])
    billions = (12 * blocks * width**2 + 13 * blocks * width + (51200 + 2048) * width) / 1e9
    assert round(billions, 1) == SIZES[name]


# Sizes that the pipeline papers print, counted from their rows with one table of tokens.
PIPELINES: dict[str, dict[str, float]] = {
    "zero-bubble": {"1.5B": 1.5, "6.2B": 6.2, "14.6B": 14.6, "28.3B": 28.3},
    "vocabulary": {f"{n} GPUs, s 2048, V 256k": billions for n, billions in ((8, 4.0), (32, 21.0))}
    | {"16 GPUs, s 2048, V 128k": 10.0},
}  # fmt: skip


@pytest.mark.parametrize("source", PIPELINES)
def test_rows_of_pipelines_have_the_size_that_their_papers_print(source: str) -> None:
    found = ALL[f"memory/{source}"]
    for row in found.rows:
        if row.name in PIPELINES[source]:
            x = {letter: int(value) for letter, value in letters_of(found, row).items()}
            billions = (12 * x["L"] * x["D"] ** 2 + x["V"] * x["D"]) / 1e9
            printed = PIPELINES[source][row.name]
            assert round(billions, 1 if source == "zero-bubble" else 0) == printed


@pytest.mark.parametrize("source", PIPELINES)
def test_a_run_has_the_same_letters_in_both_tables(source: str) -> None:
    """Time and memory of one run come from one layout."""
    of = {kind: ALL[f"{kind}/{source}"] for kind in ("time", "memory")}
    rows = {kind: {row.name: row for row in table.rows} for kind, table in of.items()}
    both = rows["time"].keys() & rows["memory"].keys()
    assert both
    only_memory = {"A_kept", "x_frag", "w_t", COUNTED}  # and what a published MFU counts
    for name in both:
        time, memory = (letters_of(of[kind], rows[kind][name]) for kind in ("time", "memory"))
        assert {k for k in time if time[k] != memory.get(k)} <= only_memory


# Pages that print a time and a utilization: one follows from the other.
UTILIZED = [
    ("korthikanti-2022", "22B, selective", 41.5), ("korthikanti-2022", "175B, selective", 51.4),
    ("korthikanti-2022", "530B, selective", 56.0), ("korthikanti-2022", "1T, selective", 56.3),
    ("megascale-175b", "256 GPUs", 53.0), ("megascale-175b", "12288 GPUs", 41.2),
    ("dgxc", "175B, 128 GPUs", 53.54), ("dgxc", "70B, 64 GPUs", 54.10),
    ("mosaic-h100", "70B, s 2048, 64 GPUs", 42.57),
    ("mosaic-h100", "1B, s 2048, 64 GPUs", 40.85),
    ("mosaic-a100", "13B, s 2048", 59.57),
]  # fmt: skip


@pytest.mark.parametrize(("source", "name", "printed"), UTILIZED)
def test_times_come_to_the_utilization_that_is_printed(source: str, name: str, printed: float) -> None:
    found = ALL[f"time/{source}"]
    row = next(one for one in found.rows if one.name == name)
    x = {letter: float(value) for letter, value in letters_of(found, row).items()}
    block = x["D"] * x["d_h"] * 2 * (x["H"] + x["K"]) + x["n_f"] * x["D"] * x["F"]
    flops = 6 * (x["L"] * block + x["V"] * x["D"]) + 12 * x["L"] * x["H"] * x["d_h"] * x["s"]
    seconds = float(worth(found.theirs, {**letters_of(found, row), "published": row.published}))
    mine = 100 * flops * x["b"] * x["s"] / (x["n"] * x["C"] * seconds)
    assert mine == pytest.approx(printed, rel=0.006)


@each("name", ALL)
def test_rows_of_a_table_have_names_of_their_own(name: str) -> None:
    names = [row.name for row in ALL[name].rows]
    assert len(set(names)) == len(names)


@each("name", ALL)
def test_a_layout_is_whole(name: str) -> None:
    """Devices, batch and micro-batches divide."""
    for row in ALL[name].rows:
        x = letters_of(ALL[name], row)
        replicas = x["n"] / (x["t"] * x["c"] * x["p"])
        assert replicas.denominator == 1, row.name
        if not ALL[name].id.startswith("mosaic"):  # its engine cuts a last, smaller micro-batch
            assert (x["b"] / (replicas * x["b_m"])).denominator == 1, row.name


@pytest.mark.parametrize("name", ALL)
def test_a_published_mfu_is_read_in_its_source_s_own_count(name: str) -> None:
    """Where the figure is one of the model's FLOPs the table says what it counts, and that is taken."""
    one = ALL[name]
    assert bool(one.counts) == ("Phi_s" in one.theirs)
    for row in one.rows:
        assert letters_of(one, row)[COUNTED] == COUNTS[one.counts or "causal"]


def test_a_table_of_mfu_that_does_not_say_what_it_counts_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"a\.toml: counts: found None, expected one of causal"):
        table(tmp_path, WRITTEN.replace("2*published", "Phi_s/(n*C*published)"))
