"""Scenarios: good ones give every figure; bad ones one sentence with file, key, found, expected."""

import re
from fractions import Fraction
from pathlib import Path

import pytest
from effort import at_most

from workings import catalogue
from workings.derivation import derivation
from workings.derivation.evaluation import DoesNotApplyError
from workings.derivation.pins import Spot
from workings.scenario import (
    PRESETS,
    Scenario,
    ScenarioError,
    inputs,
    keys,
    load_scenario,
    preset_names,
    read_preset,
)
from workings.units import BYTE, FLOP, ONE, SECOND, Dimension, parse_quantity
from workings.values.binding import bind
from workings.values.worked import work

XXL = (PRESETS / "scenarios" / "xxl-220b.toml").read_text(encoding="utf-8")
WHOLE = r"expected a whole number from 1 to 10\^15"


def changed(old: str, new: str) -> str:
    assert old in XXL
    return XXL.replace(old, new)


def load(folder: Path, content: str | bytes, settings: dict[str, str] | None = None) -> Scenario:
    path = folder / "mine.toml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return load_scenario(path, settings)


# --- good input ---------------------------------------------------------------------------------


def test_the_preset_gives_every_figure_with_its_unit() -> None:
    scenario = load_scenario("xxl-220b")
    expected: dict[str, tuple[Fraction | int, Dimension]] = {
        "model.d_model": (16384, ONE), "model.blocks": (126, ONE), "layout.devices": (64, ONE),
        "training.tokens": (8192, ONE), "hardware.memory": (95 * 10**9, BYTE),
        "hardware.memory_marketing": (95 * 2**30, BYTE),
        "hardware.compute": (46 * 10**13, FLOP / SECOND),
        "hardware.axis_bandwidth": (18 * 10**10, BYTE / SECOND),
        "training.moment_width": (4, BYTE),
    }  # fmt: skip
    for key, (value, dimension) in expected.items():
        quantity = scenario.values[key]
        assert quantity.value == value, key
        assert quantity.dimension == dimension, key


def test_figures_of_presets_come_with_their_source_and_own_figures_without() -> None:
    sources = load_scenario("xxl-220b").sources
    assert "Llama 3" in sources["model.d_model"]
    assert "one way" in sources["hardware.link_one_way"]
    assert "hardware.compute" not in sources  # the scenario states its own


def test_what_a_scenario_does_not_say_is_one(tmp_path: Path) -> None:
    scenario = load(tmp_path, changed("[layout]\nfsdp = 16\ntp = 4", "[layout]\ntp = 4"))
    assert scenario.values["layout.fsdp"].value == 1
    assert scenario.values["layout.devices"].value == 4
    assert scenario.values["training.microbatches"].value == 1


def test_memory_to_plan_with_is_the_marketing_size_unless_said(tmp_path: Path) -> None:
    line = next(line for line in XXL.splitlines() if line.startswith("memory ="))
    scenario = load(tmp_path, changed(line, ""))
    assert scenario.values["hardware.memory"].value == 95 * 2**30


def axis(folder: Path, hardware: str) -> Fraction:
    """What a device of 10 GB/s a link, one way, sends along one axis of its network, in GB/s."""
    head, _, rest = XXL.partition("[hardware]")
    own = f'compute = "1 TFLOP/s"\nlink_one_way = "10 GB/s"\nmemory_marketing = "1 GB"\n{hardware}\n'
    training = rest[rest.index("[training]") :]
    text = f"{head}[hardware]\n{own}{training}"
    return load(folder, text).values["hardware.axis_bandwidth"].value / 10**9


def test_links_are_doubled_on_a_torus_and_nowhere_else(tmp_path: Path) -> None:
    assert axis(tmp_path, "") == 10  # nothing said: a switch, and nothing is doubled
    assert axis(tmp_path, 'network = "switch"') == 10
    assert axis(tmp_path, 'network = "torus"') == 20
    with pytest.raises(ScenarioError, match=r"hardware.network: found 'mesh', expected switch or"):
        axis(tmp_path, 'network = "mesh"')


def test_gpus_of_ours_are_on_a_switch_and_tpus_on_a_torus() -> None:
    for name in preset_names("hardware"):
        values = load_scenario("gpt3-512", {"hardware": name}).values
        torus = name.startswith("tpu")
        assert values["hardware.torus"].value == torus
        assert ("hardware.torus_axis" in values) == torus
        one_way = values["hardware.link_one_way"].value
        assert values["hardware.axis_bandwidth"].value == one_way * (2 if torus else 1)


@pytest.mark.parametrize("kind", ["models", "hardware"])
def test_every_preset_states_the_source_of_each_figure(kind: str) -> None:
    names = preset_names(kind)
    assert names
    for name in names:
        entries = {k: v for k, v in read_preset(kind, name).items() if k != "name"}
        assert entries
        for key, entry in entries.items():
            assert set(entry) == {"value", "source"}, f"{name}: {key}"
            assert len(entry["source"]) > 20


def test_every_hardware_preset_says_both_sizes_in_bytes_and_a_one_way_link() -> None:
    for name in preset_names("hardware"):
        preset = read_preset("hardware", name)
        for key in ("memory_marketing", "memory_reported", "link_one_way", "compute"):
            if key in preset:
                assert parse_quantity(preset[key]["value"]).value > 10**9


@pytest.mark.parametrize("name", preset_names("scenarios"))
def test_every_scenario_of_ours_is_valid(name: str) -> None:
    assert load_scenario(name).values["layout.devices"].value >= 1  # a job reads them unchecked


def test_the_keys_that_are_known_without_validating_are_those_that_are_validated() -> None:
    assert inputs.Model.__struct_fields__ == keys.MODEL
    assert inputs.Hardware.__struct_fields__ == keys.HARDWARE
    assert set(keys.WIDTHS) == {k for k in inputs.Training.__struct_fields__ if k.endswith("_width")}


# --- bad input ----------------------------------------------------------------------------------

BAD = {
    "unknown key": (
        XXL + "\nfoo = 1\n",
        r"training\.foo: found an unknown key, expected one of batch, sequence_length"),
    "unknown section": (
        XXL + "\n[foo]\na = 1\n",
        r"foo: found an unknown key, expected one of model, hardware, training, layout"),
    "unknown key with a line break": (
        XXL + '\n"a\\nb" = 1\n', r"training\.a b: found an unknown key, expected one of batch"),
    "unknown key that looks like a message": (
        XXL + '\n"a - at b" = 1\n', r"training\.a - at b: found an unknown key, expected one of"),
    "negative size": (changed("batch = 4", "batch = -4"), rf"training\.batch: found '-4', {WHOLE}"),
    "zero": (changed("batch = 4", "batch = 0"), rf"training\.batch: found '0', {WHOLE}"),
    "boolean": (changed("batch = 4", "batch = true"), rf"training\.batch: found 'True', {WHOLE}"),
    "fraction": (changed("batch = 4", "batch = 4.0"), rf"training\.batch: found '4\.0', {WHOLE}"),
    "nan": (changed("batch = 4", "batch = nan"), rf"training\.batch: found 'nan', {WHOLE}"),
    "number as text": (
        changed("batch = 4", 'batch = "4"'), rf"training\.batch: found '4', {WHOLE}"),
    "date": (
        changed("batch = 4", "batch = 2026-01-01"),
        rf"training\.batch: found '2026-01-01', {WHOLE}"),
    "list": (changed("batch = 4", "batch = [4]"), rf"training\.batch: found '\[4\]', {WHOLE}"),
    "beyond 10^15": (
        changed("batch = 4", "batch = 1000000000000001"),
        rf"training\.batch: found '1000000000000001', {WHOLE}"),
    "beyond 64 bits": (
        changed("batch = 4", f"batch = {10**40}"), rf"training\.batch: found '10+', {WHOLE}"),
    "GB without a number": (
        changed('"95 GB"', '"GB"'),
        r"hardware\.memory: found 'GB', expected a number with its unit, such as '95 GB'"),
    "number without a unit": (
        changed('"95 GB"', '"95"'),
        r"hardware\.memory: found '95', expected a positive quantity in byte"),
    "bare number": (
        changed('"95 GB"', "95"), r"hardware\.memory: found '95', expected text, with its unit"),
    "wrong unit": (
        changed('"95 GB"', '"95 GB/s"'),
        r"hardware\.memory: found '95 GB/s', expected a positive quantity in byte"),
    "speed without seconds": (
        changed('"460 TFLOP/s"', '"460 TFLOP"'),
        r"hardware\.compute: found '460 TFLOP', expected a positive quantity in FLOP/s"),
    "unknown unit": (
        changed('"95 GB"', '"95 gigs"'),
        r"hardware\.memory: found 'gigs', expected a unit such as GB, "),
    "negative memory": (
        changed('"95 GB"', '"-95 GB"'),
        r"hardware\.memory: found '-95 GB', expected a positive quantity in byte"),
    "no memory": (
        changed('"95 GB"', '"0 GB"'),
        r"hardware\.memory: found '0 GB', expected a positive quantity in byte"),
    "memory of 200 digits": (
        changed('"95 GB"', f'"{"9" * 200} GB"'), r"hardware\.memory: found '9+', expected text"),
    "tp that does not divide": (
        changed("tp = 4", "tp = 3"),
        r"layout\.tp: found 3, expected a divisor of model\.d_ff = 53248"),
    "devices that are not the product": (
        changed("fsdp = 16", "fsdp = 16\ndevices = 65"),
        r"layout\.devices: found 65, expected dp × fsdp × tp × cp × pp = 64"),
    "more stages than blocks": (
        changed("fsdp = 16", "fsdp = 16\npp = 127"),
        r"layout\.pp: found 127, expected at most model\.blocks = 126"),
    "missing section": (
        changed('[model]\npreset = "xxl-ffn"\n', ""), r"model: found nothing, expected a value"),
    "missing key": (
        changed("batch = 4\n", ""), r"training\.batch: found nothing, expected a value"),
    "empty file": ("", r"model: found nothing, expected a value"),
    "section that is a number": (
        "model = 3\n" + changed('[model]\npreset = "xxl-ffn"\n', ""),
        r"model: found '3', expected a table"),
    "section that is a list": (
        changed("[model]", "[[model]]"), r"model: found .*, expected a table"),
    "unknown preset": (
        changed('"xxl-ffn"', '"xxl"'), r"model\.preset: found 'xxl', expected xxl-ffn"),
    "preset above the presets": (
        changed('"xxl-ffn"', '"../x"'),
        r"model\.preset: found '\.\./x', expected one of .*xxl-ffn"),
    "preset that is another preset": (
        changed('"xxl-ffn"', '"../hardware/tpu-v5p"'),
        r"model\.preset: found '\.\./hardware/tpu-v5p', expected one of"),
    "preset that is a file of the system": (
        changed('"xxl-ffn"', '"/etc/passwd"'),
        r"model\.preset: found '/etc/passwd', expected one of"),
    "preset with a null byte": (
        changed('"xxl-ffn"', '"xxl\\u0000"'), r"model\.preset: found 'xxl\\x00', expected one of"),
    "preset that is a number": (
        changed('"xxl-ffn"', "3"), r"model\.preset: found '3', expected one of .*xxl-ffn"),
    "not TOML": ("model = ", r"not valid TOML: Invalid value"),
    "HTML": ("<html></html>", r"not valid TOML: Invalid statement"),
    "twice the same section": (XXL + "\n[model]\n", r"not valid TOML: Cannot declare"),
    "deep nesting": (f"a = {'[' * 5000}{']' * 5000}", r"not valid TOML: maximum recursion depth"),
    "deep tables": (f"a = {'{a=' * 3000}1{'}' * 3000}", r"not valid TOML: maximum recursion depth"),
    "number of 5,000 digits": (
        changed("batch = 4", f"batch = {'9' * 5000}"), r"not valid TOML: Exceeds the limit"),
    "two megabytes": ("#" * 2_000_000, r"larger than 1,000,000 bytes"),
    "not UTF-8": (b"\xff\xfe[model]", r"not valid TOML: 'utf-8' codec can't decode byte 0xff"),
    "null byte": (b'a = "\0"', r"not valid TOML: Illegal character"),
}  # fmt: skip


@pytest.mark.parametrize(("content", "message"), BAD.values(), ids=BAD.keys())
def test_bad_input_is_one_sentence_with_file_key_found_and_expected(
    tmp_path: Path, content: str | bytes, message: str
) -> None:
    with pytest.raises(ScenarioError, match=rf"^mine\.toml: {message}") as caught, at_most(200_000):
        load(tmp_path, content)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize(
    "where", ["nope.toml", "../x", "", "/etc", ".", "a\0b", "x" * 5000, "xxl-220b.toml"]
)
def test_a_scenario_that_is_not_there_is_named(where: str) -> None:
    with pytest.raises(ScenarioError, match="no such file, expected one, or a preset") as caught:
        load_scenario(where)
    assert len(str(caught.value)) < 500


def test_an_unknown_preset_names_those_there_are() -> None:
    with pytest.raises(ScenarioError, match=r"no scenario preset 'nope', expected .*xxl-220b"):
        load_scenario("nope")


# --- settings -----------------------------------------------------------------------------------


def tokens(**settings: str) -> Fraction:
    return load_scenario("xxl-220b", settings).values["training.tokens"].value


def test_a_setting_of_an_input_changes_what_depends_on_it() -> None:
    assert tokens(batch="16") == 16 * 2048
    assert tokens(batch="1,000", sequence_length="4e3") == 4_000_000
    scenario = load_scenario("xxl-220b", {"Y": "8", "memory": "80 GiB"})
    assert scenario.values["layout.devices"].value == 128
    assert scenario.values["hardware.memory"].value == 80 * 2**30


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("batch", "abc", rf"xxl-220b\.toml: training\.batch: found 'abc', {WHOLE}"),
        ("batch", "0", rf"xxl-220b\.toml: training\.batch: found '0', {WHOLE}"),
        ("batch", "-1", rf"xxl-220b\.toml: training\.batch: found '-1', {WHOLE}"),
        ("batch", "1.5", rf"xxl-220b\.toml: training\.batch: found '1\.5', {WHOLE}"),
        ("batch", "", rf"xxl-220b\.toml: training\.batch: found '', {WHOLE}"),
        ("batch", "3,2,1", rf"xxl-220b\.toml: training\.batch: found '3,2,1', {WHOLE}"),
        ("batch", "٣", rf"xxl-220b\.toml: training\.batch: found '٣', {WHOLE}"),
        ("batch", "9" * 40, rf"xxl-220b\.toml: training\.batch: found '9+', {WHOLE}"),
        ("Y", "3", r"xxl-220b\.toml: layout\.tp: found 3, expected a divisor of model\.d_ff"),
        ("devices", "65", r"xxl-220b\.toml: layout\.devices: found 65, expected dp × fsdp × tp"),
        ("memory", "GB", r"xxl-220b\.toml: hardware\.memory: found 'GB', expected a number"),
        ("memory", "95", r"xxl-220b\.toml: hardware\.memory: found '95', expected text, with its"),
        ("C", "5 GB", r"xxl-220b\.toml: hardware\.compute: found '5 GB', expected a positive"),
        ("N", "156 GB", r"found '156 GB', expected a plain number$"),
        ("N", "1.5", r"found '1\.5', expected a whole number from 1$"),
        ("N", "0", r"found '0', expected a whole number from 1$"),
        ("N", "x", r"found 'x', expected a number"),
        ("S", "5", r"found '5', expected a quantity in byte, such as '95 GB', '2 byte' or 'bf16'$"),
        ("S", "-5 GB", r"found '-5 GB', expected a number from 0$"),
        ("a", "0 byte", r"found '0 byte', expected a number above 0$"),
        ("q", "1", r"fsdp-memory knows no such name, it takes N \(N_fsdp: devices"),
        ("colour", "4", r"fsdp-memory knows no such name"),
        ("N", "9" * 5000, r"number 9+… is longer than 80 digits"),
    ],
)  # fmt: skip
def test_a_bad_setting_is_one_sentence_that_names_it(name: str, text: str, message: str) -> None:
    what = catalogue.get("fsdp-memory")
    with pytest.raises(ScenarioError, match=rf"^--set {name}: {message}") as caught:
        work(what, load_scenario("xxl-220b", {name: text}), {name: text})
    assert len(str(caught.value)) < 500


def test_a_setting_names_a_letter_a_concept_or_a_used_result() -> None:
    what, scenario = catalogue.get("fsdp-memory"), load_scenario("xxl-220b")
    for name in ("N", "N_fsdp"):
        assert bind(what, scenario, {name: "7"}).values["N"] == 7
    for name, spot in (("S", Spot("fsdp-memory", "S")), ("model-state", Spot("model-state"))):
        assert bind(what, scenario, {name: "7 GB"}).pinned == {spot: 7 * 10**9}


def test_a_result_used_further_down_can_be_given_too() -> None:
    what, scenario = catalogue.get("fsdp-smallest-n"), load_scenario("xxl-220b")
    pinned = bind(what, scenario, {"P": "1,000", "A": "0 GB"}).pinned
    assert pinned == {Spot("ffn-parameters"): 1000, Spot("saved-activations"): 0}
    state = work(what, scenario, {"P": "1,000", "A": "0 GB", "M_max": "10 kB"})
    assert state.value == 2  # 16 bytes a parameter, and strictly less than 10 kB each


def test_a_letter_that_means_two_results_must_be_given_by_id() -> None:
    one, two = catalogue.get("model-state"), catalogue.get("saved-activations")
    both = derivation(
        "both", title="", unit=BYTE, letters={**one.letters, **two.letters}, source=one.source,
        oracle=lambda **_: 0, chain="V = S + T", uses={"S": one.at(), "T": two.at()},
    )  # fmt: skip
    outer = derivation(
        "outer", title="", unit=BYTE, letters=both.letters, source=one.source, oracle=lambda **_: 0,
        chain="U = S + V", uses={"S": two.at(), "V": both.at()},
    )  # fmt: skip
    scenario = load_scenario("xxl-220b")
    third = derivation(
        "third", title="", unit=BYTE, letters=both.letters, source=one.source, oracle=lambda **_: 0,
        chain="W = U + 1[byte]", uses={"U": outer.at()},
    )  # fmt: skip
    assert bind(outer, scenario, {"S": "1 GB"}).pinned == {Spot("outer", "S"): 10**9}  # its own letter
    with pytest.raises(
        ScenarioError, match=r"^--set S: found 2 things of that letter.*saved-activations"
    ):
        bind(third, scenario, {"S": "1 GB"})
    assert bind(third, scenario, {"model-state": "1 GB"}).pinned == {Spot("model-state"): 10**9}
    assert bind(third, scenario, {"both.S": "1 GB"}).pinned == {Spot("both", "S"): 10**9}


def test_a_violated_condition_gives_no_number() -> None:
    what = catalogue.get("fsdp-memory")
    with pytest.raises(
        DoesNotApplyError, match=r"needs L to be divisible by 2 \(here L = 125; set blocks\)$"
    ):
        work(what, load_scenario("xxl-220b"), {"L": "125"})
    fits = catalogue.get("fsdp-fits")
    with pytest.raises(DoesNotApplyError, match=r"needs M_max > A/2 \(here .*beyond 10\^300"):
        work(fits, load_scenario("xxl-220b"), {"A": "1e350 byte"})


@pytest.mark.parametrize(
    ("training", "many", "each"),
    [
        ("batch = 64", 1, 16),  # all of a replica's sequences at once
        ("batch = 64\nmicrobatches = 8", 8, 2),
        ("batch = 64\nmicrobatch = 2", 8, 2),
        ("batch = 64\nmicrobatch = 2\nmicrobatches = 8", 8, 2),
    ],
)
def test_micro_batches_and_their_size_follow_from_each_other(
    tmp_path: Path, training: str, many: int, each: int
) -> None:
    values = load_scenario(_four_replicas(tmp_path, training)).values
    found = [values[f"training.{key}"].value for key in ("microbatches", "microbatch")]
    assert found == [many, each]


@pytest.mark.parametrize(
    "training", ["batch = 64\nmicrobatch = 3", "batch = 64\nmicrobatch = 2\nmicrobatches = 4"]
)
def test_micro_batches_that_do_not_make_up_the_batch_are_refused(tmp_path: Path, training: str) -> None:
    with pytest.raises(ScenarioError, match=r"training\.batch: found 64, expected microbatches × microb"):
        load_scenario(_four_replicas(tmp_path, training))


def test_setting_one_of_them_lets_the_other_follow(tmp_path: Path) -> None:
    path = _four_replicas(tmp_path, "batch = 64\nmicrobatch = 2")
    assert load_scenario(path, {"microbatches": "4"}).values["training.microbatch"].value == 4
    assert load_scenario(path, {"microbatch": "1"}).values["training.microbatches"].value == 16


def _four_replicas(folder: Path, training: str) -> Path:
    path = folder / "s.toml"
    path.write_text(
        '[model]\npreset = "xxl-ffn"\n[hardware]\npreset = "h100-sxm"\n[layout]\ndp = 4\n'
        f"[training]\nsequence_length = 8\n{training}\n", encoding="utf-8",
    )  # fmt: skip
    return path


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("embeddings = 3", "model.embeddings: found 3, expected 1 where the tables are tied, 2"),
        ("ffn_matrices = 5", "model.ffn_matrices: found 5, expected 2 where the feed-forward is"),
        ("heads = 40\nkv_heads = 7", "model.kv_heads: found 7, expected a divisor of model.heads = 40"),
    ],
)
def test_sizes_that_no_model_has_are_refused(tmp_path: Path, line: str, message: str) -> None:
    path = _four_replicas(tmp_path, "batch = 64")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('preset = "xxl-ffn"', f'preset = "xxl-ffn"\n{line}'), encoding="utf-8")
    with pytest.raises(ScenarioError, match=re.escape(message)):
        load_scenario(path)
