"""What `[vary]` may hold, and the sentence for what it may not."""

from pathlib import Path

from looping import each
from varied import VARY, beside, refused, vary_of


def test_lists_ranges_and_presets_are_values_in_their_order(tmp_path: Path) -> None:
    vary = vary_of(
        tmp_path,
        'batch = [4, 8, 16]\nmemory = ["40 GB", "80 GB"]\ntp = { from = 1, to = 8, times = 2 }\n'
        'blocks = { from = 80, to = 100, step = 8 }\nhardware = ["h100-sxm", "a100-80gb-sxm"]',
    )
    assert [(one.key, one.values) for one in vary.keys] == [
        ("batch", ("4", "8", "16")),
        ("memory", ("40 GB", "80 GB")),
        ("tp", ("1", "2", "4", "8")),
        ("blocks", ("80", "88", "96")),
        ("hardware", ("h100-sxm", "a100-80gb-sxm")),
    ]
    assert vary.size == 3 * 2 * 4 * 3 * 2


def test_a_range_keeps_its_unit_and_its_decimals(tmp_path: Path) -> None:
    vary = vary_of(tmp_path, 'memory = { from = "40 GB", to = "41 GB", step = "0.5 GB" }')
    assert vary.keys[0].values == ("40 GB", "40.5 GB", "41 GB")


def test_dp_varies_where_a_scenario_has_plain_replicas(tmp_path: Path) -> None:
    beside(tmp_path, "tp = 8\ndp = 8")
    (dp,) = vary_of(tmp_path, "dp = [8, 16]", "own.toml").keys
    assert (dp.key, dp.values) == ("dp", ("8", "16"))


def test_dp_beside_fsdp_could_mean_either_and_the_keys_are_named(tmp_path: Path) -> None:
    beside(tmp_path, "tp = 8\nfsdp = 8")
    said = refused(tmp_path, "dp = [8, 16]", "own.toml")
    assert said.startswith(f"hw2.md:{VARY}: vary: dp: ")
    assert "expected layout.fsdp, or layout.dp" in said
    beside(tmp_path, "tp = 8")
    assert "expected layout.fsdp" in refused(tmp_path, "dp = [8, 16]\nfsdp = [2, 4]", "own.toml")


def test_a_range_by_step_may_begin_at_nothing(tmp_path: Path) -> None:
    (latency,) = vary_of(tmp_path, 'link_latency = { from = "0 us", to = "4 us", step = "2 us" }').keys
    assert latency.values == ("0 us", "2 us", "4 us")


@each("table, line, says", [
    ("tp = { from = 0, to = 8, times = 2 }", 0, "tp: found from 0 to 8, expected numbers above 0"),
    ("tp = { from = -1, to = 8, step = 1 }", 0, "tp: found from -1 to 8, expected numbers from 0"),
    ("tp = [4]", 0, "tp: found 1 value, expected 2 to 1000"),
    ("tp = 4", 0, "tp: found '4', expected a list such as [4, 8] or a range"),
    ("batch = [4, 8]\ntp = [4, 8, 4]", 1, "tp: found '4' twice"),
    ('model = ["gpt2", "GPT2"]', 0, "model: found 'GPT2' twice"),
    ('sequence_length = ["2k", 2048]', 0, "sequence_length: found '2048' twice"),
    ("tp = [4, true]", 0, "tp: found 'True' in the list"),
    ("tp = [4, nan]", 0, "tp: found 'nan'"),
    ('tp = ["many", "few"]', 0, "tp: "),
    ("batch = [4, 8]\ntpp = [4, 8]", 1, "tpp: found no key of the page's scenario, expected one of "),
    ('memory = ["80 GB", "3 FLOP"]', 0, "memory: "),
    ('hardware = ["h100-sxm", "h1000"]', 0, "hardware: found 'h1000', expected one of "),
    ("tp = [1, 2]\n'layout.tp' = [4, 8]", 1, "layout.tp: found layout.tp set too"),
    ("tp = { from = 8, to = 1, times = 2 }", 0, "tp: found from 8 to 1, expected numbers"),
    ("tp = { from = 1, to = 8 }", 0, "tp: found neither step nor times, expected one of the two"),
    ("tp = { from = 1, to = 8, step = 1, times = 2 }", 0, "tp: found both step and times"),
    ("tp = { from = 1, step = 1 }", 0, "tp: found a range without 'to'"),
    ("tp = { from = 1, to = 8, step = 0 }", 0, "tp: step: found 0, expected more than 0"),
    ("tp = { from = 1, to = 8, times = 1 }", 0, "tp: times: found 1, expected more than 1"),
    ("tp = { from = 1, to = 8, by = 2 }", 0, "tp: found 'by' in the range"),
    ("tp = { from = 1, to = 1e9, step = 1 }", 0, "tp: found a range of more than 1000 values"),
    ('memory = { from = "40 GB", to = "80 GiB", step = "20 GB" }', 0, "memory: found 'GiB' beside 'GB'"),
    ('memory = { from = "40 GB", to = "80 GB", times = "2 GB" }', 0, "memory: found 'GB' beside 'GB'"),
    ('tp = [1, 2]\nrequire = ["tp"]', 1, "require: 'tp': expected a comparison"),
    ('tp = [1, 2]\nrequire = [\n  "tp < 4",\n  "fsdp < 4",\n]', 3, "require: 'fsdp < 4': found 'fsdp'"),
    ('tp = [1, 2]\nrequire = "{no-such-entry} < 4"', 1, "require: '{no-such-entry} < 4': "),
    ('tp = [1, 2]\nrequire = [3]', 1, "require: found '3', expected conditions as text"),
    ('tp = [1, 2]\nrequire = ["tp < (4"]', 1, "require: 'tp < (4': "),
    ('hardware = ["h100-sxm", "tpu-v4"]\nrequire = "hardware < 4"', 1, "found 'hardware', the name of"),
    ("", -5, "found no [vary] in the front matter"),
    ('require = ["{tp} < 4"]', 0, "found 0 keys, expected 1 to 20"),
])  # fmt: skip
def test_what_cannot_be_varied_is_refused_with_its_line(
    tmp_path: Path, table: str, line: int, says: str
) -> None:
    said = refused(tmp_path, table)
    place = f"hw2.md:{VARY + line}: "
    assert said.startswith(place), said
    assert says in said
    assert "\n" not in said
    assert "--set" not in said
