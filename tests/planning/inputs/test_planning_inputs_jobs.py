"""A job file becomes every letter of the cost model, each with where it comes from."""

from fractions import Fraction
from pathlib import Path

import pytest
from job_files import CLUSTER, JOB, LAUNCH, MODEL, read, remarks, write

from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.inputs import read_job
from workings.planning.job import JobError
from workings.planning.letters import LETTERS
from workings.scenario import preset_names


def test_every_letter_has_a_figure_of_its_own_concept(tmp_path: Path) -> None:
    job = read(tmp_path)
    assert set(job.figures) == set(LETTERS)
    assert all(job.figures[n].letter == n and job.figures[n].concept is c for n, c in LETTERS.items())
    assert exactly(plan(), job.values(), ["M", "T_step"])["M"] > 0


def test_letters_have_the_values_that_the_file_and_its_presets_say(tmp_path: Path) -> None:
    values = read(tmp_path).values()
    expected = {"D": 4096, "L": 32, "K": 8, "V": 128256, "t": 2, "b": 64, "s": 8192, "b_m": 2, "n": 16,
                "n_node": 8, "W_1": 450 * 10**9, "W_2": 50 * 10**9, "M_dev": 81559 * 2**20,
                "T_tok": 15 * 10**12, "c_d": Fraction(1, 1440), "z_1": 1, "z_2": 0, "z_s": 1}  # fmt: skip
    assert {letter: values[letter] for letter in expected} == expected


def test_a_figure_says_whether_it_is_given_or_a_vendors_or_assumed(tmp_path: Path) -> None:
    figures = read(tmp_path).figures
    kinds = {n: figures[n].kind for n in ("t", "D", "W_1", "alpha_1", "eta", "w_p", "c_d", "t_e", "E")}
    assert kinds == {"t": "given", "D": "preset", "W_1": "vendor", "alpha_1": "preset", "eta": "assumed",
                     "w_p": "assumed", "c_d": "given", "t_e": "assumed", "E": "follows"}  # fmt: skip
    assert figures["t"].source == "cluster.toml: launch.tp"


def test_every_key_of_the_file_is_noted_and_what_is_left_out_too(tmp_path: Path) -> None:
    job = read(tmp_path)
    given = {"model.preset", "cluster.hardware", "cluster.devices", "cluster.price", "launch.tp",
             "launch.batch", "launch.sequence_length", "launch.microbatch", "launch.zero",
             "launch.recompute", "launch.training_tokens"}  # fmt: skip
    assert set(remarks(job, "read")) == given
    assert {"launch.sequence_parallel", "launch.flash_attention"} <= set(remarks(job, "defaulted"))


def test_every_file_that_was_opened_has_its_hash(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    write(tmp_path / "other", MODEL, "mine.toml")
    job = read(tmp_path, JOB.replace('preset = "llama3-8b"', 'file = "other/mine.toml"'))
    assert set(job.hashes) == {"cluster.toml", "other/mine.toml", "presets/models/llama3-8b.toml",
                               "presets/hardware/h100-sxm.toml"}  # fmt: skip
    assert all(len(value) == 64 for value in job.hashes.values())


def test_model_cluster_and_launch_may_be_files_of_their_own(tmp_path: Path) -> None:
    for name, text in (("model", MODEL), ("cluster-part", CLUSTER), ("launch", LAUNCH)):
        write(tmp_path, text, f"{name}.toml")
        bare = text.strip().partition("\n")[2]  # without its [table]
        write(tmp_path, bare, f"bare-{name}.toml")
    for prefix in ("", "bare-"):
        parts = f'[model]\nfile = "{prefix}model.toml"\n[cluster]\nfile = "{prefix}cluster-part.toml"\n'
        job = read(tmp_path, parts + f'[launch]\nfile = "{prefix}launch.toml"\n')
        assert job.values() == read(tmp_path).values()


def test_own_keys_are_put_over_those_of_a_file(tmp_path: Path) -> None:
    write(tmp_path, CLUSTER, "parts.toml")
    job = read(tmp_path, f'{MODEL}[cluster]\nfile = "parts.toml"\ndevices = 32\n{LAUNCH}')
    assert job.values()["n"] == 32


def test_a_launch_file_and_its_keys_must_not_contradict(tmp_path: Path) -> None:
    write(tmp_path, LAUNCH, "launch.toml")
    with pytest.raises(
        JobError, match=r"launch.tp: found 4, expected 2, which launch.toml has as launch.tp"
    ):
        read(tmp_path, MODEL + CLUSTER + '[launch]\nfile = "launch.toml"\ntp = 4\n')


def test_without_a_layout_neutral_values_stand_there_and_the_job_says_so(tmp_path: Path) -> None:
    job = read(tmp_path, f"{MODEL}{CLUSTER}[launch]\nbatch = 60\nsequence_length = 8192\n")
    assert not job.chosen
    assert {job.values()[n] for n in ("t", "c", "p", "e", "t_e", "v", "b_m")} == {1}
    assert not any(job.values()[n] for n in ("z_1", "z_2", "z_3", "z_s", "z_c", "z_f"))
    assert read(tmp_path).chosen


def test_settings_are_put_over_the_file_and_what_follows_follows(tmp_path: Path) -> None:
    text = JOB + "dp = 8\nmicrobatches = 4\n"
    job = read(tmp_path, text, tp="4", batch="128", link_one_way="400 GB/s", matmul_efficiency="0.6",
               recompute="full", price="3 USD/h")  # fmt: skip
    values = job.values()
    assert values["t"] == 4
    assert values["b"] == 128
    assert values["z_f"] == 1
    assert values["W_1"] == 400 * 10**9
    assert values["eta"] == Fraction(3, 5)
    assert values["c_d"] == Fraction(3, 3600)
    assert job.figures["t"].source == "--set tp"


def test_settings_name_another_model_or_device(tmp_path: Path) -> None:
    values = read(tmp_path, model="llama3-70b", hardware="b200-sxm").values()
    assert values["D"] == 8192
    assert values["C"] == 2250 * 10**12
    assert values["n"] == 16


def test_an_unknown_setting_is_refused(tmp_path: Path) -> None:
    with pytest.raises(JobError, match=r"--set: warp: found an unknown name, expected a key of"):
        read(tmp_path, warp="9")


def test_zero_stages_hold_each_other(tmp_path: Path) -> None:
    for stage in range(4):
        values = read(tmp_path, JOB.replace("zero = 1", f"zero = {stage}")).values()
        assert [values[f"z_{n}"] for n in (1, 2, 3)] == [int(stage >= n) for n in (1, 2, 3)]


def test_tokens_of_a_run_are_20_a_parameter_that_a_token_meets(tmp_path: Path) -> None:
    dense = read(tmp_path, JOB.replace('training_tokens = "15T"\n', ""))
    assert dense.values()["T_tok"] == 20 * 8_030_261_248
    sparse = read(
        tmp_path, JOB.replace('training_tokens = "15T"\n', "").replace("llama3-8b", "qwen3-30b-a3b")
    )
    assert sparse.values()["T_tok"] == 20 * 3_353_032_704


def test_scores_are_all_computed_where_they_are_kept(tmp_path: Path) -> None:
    assert read(tmp_path).values()["kappa"] == Fraction(1, 2)
    figure = read(tmp_path, JOB + "flash_attention = false\n").figures["kappa"]
    assert figure.value == 1
    assert figure.sure


def test_the_cover_and_the_limits_are_read(tmp_path: Path) -> None:
    review = '[review]\ndecision = "Rent it?"\nowner = "Ada"\nversion = "2"\ndate = 2026-03-01\n'
    job = read(tmp_path, JOB + review + 'limits = ["85 %", 0.95]\n')
    assert job.cover.decision == "Rent it?"
    assert job.cover.owner == "Ada"
    assert job.cover.date == "2026-03-01"
    assert job.limit == Fraction(17, 20)
    assert job.limit_if == Fraction(19, 20)


@pytest.mark.parametrize(
    ("text", "days"), [("30", 30), ('"30 days"', 30), ("12.5", Fraction(25, 2)), ('"6 weeks"', 42)]
)
def test_the_days_that_a_run_may_take_are_read(tmp_path: Path, text: str, days: Fraction) -> None:
    job = read(tmp_path, JOB + f"[review]\nmax_days = {text}\n")
    assert job.max_time == days * 86400
    assert job.max_cost is None


@pytest.mark.parametrize(
    "text", ['"5M USD"', '"$5M"', '"5 million USD"', '"5,000,000 USD"', '"5000k USD"', "5000000"]
)
def test_the_cost_that_a_run_may_have_is_read(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, JOB + f"[review]\nmax_cost = {text}\n").max_cost == 5_000_000


@pytest.mark.parametrize("text", ["0.35", '"35 %"', '"0.35"'])
def test_the_mfu_that_a_run_must_reach_is_read(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, JOB + f"[review]\nmin_mfu = {text}\n").min_mfu == Fraction(35, 100)


@pytest.mark.parametrize(
    "line",
    ["max_days = 0", "max_days = true", 'max_days = "5 GB"', 'max_days = "-3 days"',
     'max_cost = "5 EUR"', 'max_cost = "5M EUR"', 'max_cost = "0 USD"', "max_cost = [5]",
     "min_mfu = 0", "min_mfu = 35", 'min_mfu = "much"', 'min_mfu = "35 TFLOP/s"', "min_mfu = true"],
)  # fmt: skip
def test_a_limit_that_is_none_is_refused_by_its_key(tmp_path: Path, line: str) -> None:
    with pytest.raises(JobError, match=rf"review.{line[:7]}.*: found"):
        read(tmp_path, JOB + f"[review]\n{line}\n")


@pytest.mark.parametrize(
    "line",
    [f"max_days = 1{'0' * 400}", f"max_cost = 1{'0' * 25}", 'max_days = "0.0001 h"',
     'max_cost = "0.0000001 USD"'],
)  # fmt: skip
def test_a_limit_that_no_run_can_have_is_refused(tmp_path: Path, line: str) -> None:
    with pytest.raises(JobError, match=rf"review.{line[:8]}: found .*, expected from .* to 10\^24"):
        read(tmp_path, JOB + f"[review]\n{line}\n")


@pytest.mark.parametrize("shares", ['["1/3", 0.9]', "[0, 0.9]", "[0.95, 0.9]", '[".5", "110 %"]'])
def test_limits_of_memory_that_are_no_rising_shares_are_refused(tmp_path: Path, shares: str) -> None:
    with pytest.raises(JobError, match=r"review\.limits: found .* such as"):
        read(tmp_path, JOB + f"[review]\nlimits = {shares}\n")


def test_files_of_one_name_keep_a_hash_each(tmp_path: Path) -> None:
    job_folder, beside = tmp_path / "jobs", tmp_path / "beside"
    for folder in (job_folder, job_folder / "sub", beside):
        folder.mkdir()
    write(job_folder / "sub", MODEL, "cluster.toml")
    write(beside, LAUNCH, "cluster.toml")
    text = (
        '[model]\nfile = "sub/cluster.toml"\n' + CLUSTER + '[launch]\nfile = "../beside/cluster.toml"\n'
    )
    files = read(job_folder, text).files
    assert files["cluster.toml"].decode() == text
    assert files["sub/cluster.toml"].decode() == MODEL
    assert files["cluster.toml (2)"].decode() == LAUNCH


# --- scenarios -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", preset_names("scenarios"))
def test_every_scenario_is_a_job_that_can_be_evaluated(name: str) -> None:
    job = read_job(name)
    found = exactly(plan(), job.values(), ["M", "T_step", "u", "c_run"])
    assert job.chosen
    assert found["T_step"] > 0
    assert 0 < found["u"] < 1


def test_a_scenario_keeps_its_layout_and_its_widths() -> None:
    values = read_job("llama3-405b-16k").values()
    expected = {"t": 8, "p": 16, "n": 16384, "b": 2048, "s": 8192, "z_3": 1, "g": 4, "w_c": 2, "n_r": 1}
    assert {letter: values[letter] for letter in expected} == expected
    assert read_job("llama3-405b-16k", {"zero": "1"}).values()["z_3"] == 0


def test_replicas_share_tokens_where_no_attention_holds_them_together() -> None:
    job = read_job("xxl-220b")
    values = job.values()
    assert values["b"] == 16
    assert values["s"] == 512
    assert values["z_h"] == 0
    assert values["z_g"] == 0
    assert values["V"] == 0
    assert exactly(plan(), values, ["m"])["m"] == 1
