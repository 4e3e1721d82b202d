"""Model presets: their sizes give the parameter counts that were published, to the last one."""

from pathlib import Path

import pytest
from model_totals import active, scenario_of, total, value

from workings.scenario import Scenario, preset_names, read_preset
from workings.values.counted import counted_by

# Where each count was published is said at the top of the preset.
PUBLISHED = {
    "gpt2": 124_439_808,
    "gpt-neox-20b": 20_554_567_680,
    "llama2-7b": 6_738_415_616,
    "llama3-8b": 8_030_261_248,
    "llama3-70b": 70_553_706_496,
    "llama3-405b": 405_853_388_800,
    "mistral-7b": 7_241_732_096,
    "mixtral-8x7b": 46_702_792_704,
    "yi-6b": 6_061_035_520,
    "yi-34b": 34_388_917_248,
    "gemma2-2b": 2_614_341_888,
    "gemma2-9b": 9_241_705_984,
    "gemma2-27b": 27_227_128_320,
    "olmo-7b": 6_888_095_744,
    "qwen2-7b": 7_615_616_512,
    "qwen3-8b": 8_190_735_360,
    "qwen3-30b-a3b": 30_532_122_624,
    "qwen3-235b-a22b": 235_093_634_560,
    "deepseek-v2": 235_741_434_880,
    "deepseek-v3": 671_026_419_200,
    "llama3-1b": 1_235_814_400,
    "llama3-3b": 3_212_749_824,
    "gemma3-4b": 3_880_099_328,
    "gemma3-12b": 11_765_788_416,
    "gemma3-27b": 27_009_002_240,
    "olmo2-7b": 7_298_617_344,
    "olmo2-13b": 13_716_198_400,
    "olmo2-32b": 32_234_279_936,
    "qwen2.5-72b": 72_706_203_648,
    "qwen3-32b": 32_762_123_264,
    "mixtral-8x22b": 140_630_071_296,
    "gpt-oss-20b": 20_914_757_184,
    "gpt-oss-120b": 116_829_156_672,
    "kimi-k2": 1_026_408_232_448,
}
# What no formula counts: biases of experts, a sink of attention for each query head of a block.
NOT_COUNTED = {
    "gpt-oss-20b": 24 * (32 * 3 * 2880 + 64),
    "gpt-oss-120b": 36 * (128 * 3 * 2880 + 64),
}
COUNTED = {name: count - NOT_COUNTED.get(name, 0) for name, count in PUBLISHED.items()}


def preset(folder: Path, name: str) -> Scenario:
    return scenario_of(folder, f'preset = "{name}"')


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_preset_has_the_published_number_of_parameters(tmp_path: Path, name: str) -> None:
    assert total(preset(tmp_path, name)) == COUNTED[name]


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_preset_says_its_number_of_parameters_at_its_top(name: str) -> None:
    folder = Path(__file__).parents[1] / "src" / "workings" / "presets" / "models"
    first = (folder / f"{name}.toml").read_text(encoding="utf-8").splitlines()[0]
    assert first.startswith(f"# {COUNTED[name]:,} parameters")
    assert name not in NOT_COUNTED or f"are counted of {PUBLISHED[name]:,}," in first


def test_every_whole_model_has_its_count_checked() -> None:
    rounded = {"gpt3-175b", "nemotron4-15b", "nemotron4-340b"}  # published in millions and more
    feed_forward_only = {"xxl-ffn"}
    assert set(preset_names("models")) == set(PUBLISHED) | rounded | feed_forward_only


def test_gpt3_has_the_174600_million_of_its_table(tmp_path: Path) -> None:
    count = total(preset(tmp_path, "gpt3-175b"))  # Brown et al. 2020, table D.1
    assert count == 174_604_259_328
    assert round(count, -8) == 174_600_000_000


def test_nemotron_has_the_rounded_counts_of_its_reports(tmp_path: Path) -> None:
    small, large = (preset(tmp_path, name) for name in ("nemotron4-15b", "nemotron4-340b"))
    without = [value("dense-non-embedding-parameters", scenario) for scenario in (small, large)]
    assert [round(count, -8) for count in without] == [12_500_000_000, 331_600_000_000]
    assert round(value("embedding-parameters", large), -8) == 9_400_000_000


@pytest.mark.parametrize(
    ("name", "published"),
    [  # Gemma 2 report, table 2
        ("gemma2-2b", 2_024_517_888),
        ("gemma2-9b", 8_324_201_984),
        ("gemma2-27b", 26_047_480_320),
    ],
)
def test_gemma_has_the_published_non_embedding_parameters(
    tmp_path: Path, name: str, published: int
) -> None:
    assert value("dense-non-embedding-parameters", preset(tmp_path, name)) == published


@pytest.mark.parametrize(
    ("name", "billions"),
    [
        ("mixtral-8x7b", "12.9"),  # mistral.ai's Mixtral announcement
        ("qwen3-30b-a3b", "3.4"),  # Qwen3 says 3.3: cut off, not rounded
        ("qwen3-235b-a22b", "22.2"),  # Qwen3 says 22
        ("deepseek-v2", "21.4"),  # DeepSeek-V2's README says 21
        ("deepseek-v3", "37.6"),  # 37 in DeepSeek-V3's README is without the input's table
        ("mixtral-8x22b", "39.2"),  # mistral.ai says 39
        ("kimi-k2", "32.9"),  # 32 in Kimi K2's README is without the input's table
    ],
)
def test_active_parameters_with_both_tables(tmp_path: Path, name: str, billions: str) -> None:
    assert f"{active(preset(tmp_path, name)) / 10**9:.1f}" == billions


def test_the_active_37_billion_of_deepseek_leave_out_the_table_that_is_only_looked_up(
    tmp_path: Path,
) -> None:
    count = value("mla-moe-active-without-input-table", preset(tmp_path, "deepseek-v3"))
    assert round(count, -9) == 37 * 10**9


def test_kimis_active_32_billion_and_the_gpt_oss_figures_leave_it_out_too(tmp_path: Path) -> None:
    entries = {
        "kimi-k2": ("mla-moe-active-without-input-table", "31.7"),  # README: 32B
        "gpt-oss-20b": ("moe-active-without-input-table", "3.6"),  # KerasHub: 3.6 billion
        "gpt-oss-120b": ("moe-active-without-input-table", "5.1"),  # KerasHub: 5.1 billion
    }
    for name, (entry, billions) in entries.items():
        assert f"{int(value(entry, preset(tmp_path, name))) / 10**9:.1f}" == billions, name


def test_deepseeks_file_holds_the_model_its_prediction_module_and_copies_of_both_tables(
    tmp_path: Path,
) -> None:
    scenario = preset(tmp_path, "deepseek-v3")
    learned = {"router_bias": "0"}  # the file's routing biases are float32, as its scales are
    model = value("mla-moe-parameters", scenario, **learned)
    module = value("mtp-parameters", scenario, **learned)
    tables = value("embedding-parameters", scenario)
    # safetensors metadata of deepseek-ai/DeepSeek-V3: BF16 and F8_E4M3
    assert model + module + tables == 3_918_786_560 + 680_571_043_840


@pytest.mark.parametrize("name", ["llama3-8b", "mixtral-8x7b", "deepseek-v3"])
def test_an_own_figure_replaces_a_presets(tmp_path: Path, name: str) -> None:
    own = scenario_of(tmp_path, f'preset = "{name}"\nembeddings = 1')
    rows, width = (own.values[f"model.{key}"].value for key in ("vocab", "d_model"))
    assert total(own) == PUBLISHED[name] - rows * width


def test_presets_of_whole_models_say_how_many_heads_norms_and_matrices_they_have() -> None:
    for name in PUBLISHED:
        figures = read_preset("models", name)
        assert {"vocab", "embeddings", "ffn_matrices", "heads", "norms"} <= set(figures), name
        latent = "kv_rank" in figures
        assert ("head_dim" in figures) is ("kv_heads" in figures) is not latent, name


def test_models_are_counted_by_the_derivation_of_their_kind(tmp_path: Path) -> None:
    kinds = {name: counted_by(preset(tmp_path, name)) for name in ("gpt2", "mixtral-8x7b", "deepseek-v2")}
    assert kinds == {
        "gpt2": "dense-parameters",
        "mixtral-8x7b": "moe-parameters",
        "deepseek-v2": "mla-moe-parameters",
    }
