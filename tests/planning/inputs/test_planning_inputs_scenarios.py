"""A scenario read as a job takes what it leaves out as a job file does, and says what it took."""

from pathlib import Path

import pytest
from job_files import read, remarks, write

from workings.planning.inputs import read_job
from workings.planning.job import Job, JobError

MODEL = '[model]\npreset = "mixtral-8x7b"\n'
SCENARIO = (
    MODEL
    + """
[hardware]
preset = "h100-sxm"
[layout]
dp = 16
tp = 2
pp = 2
[training]
batch = 64
sequence_length = 4096
microbatch = 1
"""
)
SAME = (
    MODEL
    + """
[cluster]
hardware = "h100-sxm"
[launch]
dp = 16
tp = 2
pp = 2
etp = 1
batch = 64
sequence_length = 4096
microbatch = 1
"""
)


def scenario(folder: Path, text: str = SCENARIO) -> Job:
    return read_job(write(folder, text, "scenario.toml"))


def test_the_order_of_ranks_is_that_of_scenario_job_or_setting(tmp_path: Path) -> None:
    other = SCENARIO.replace("pp = 2\n", 'pp = 2\nep = 2\norder = "tp-cp-pp-dp"\n')
    assert scenario(tmp_path).values()["o_d"] == 1
    assert scenario(tmp_path, other).values()["o_d"] == 0
    assert read_job("llama3-405b-16k").values()["o_d"] == 0
    assert read_job("llama3-405b-16k", {"order": "tp-cp-ep-dp-pp"}).values()["o_d"] == 1
    with pytest.raises(JobError, match=r"order: found 'pp-dp', expected tp-cp-ep-dp-pp"):
        read_job("gpt3-512", {"order": "pp-dp"})


def test_with_stages_first_experts_must_lie_where_the_rest_of_their_blocks_lies(tmp_path: Path) -> None:
    apart = SCENARIO.replace("pp = 2\n", 'pp = 2\nep = 4\norder = "tp-cp-pp-dp"\n')
    with pytest.raises(JobError, match=r"layout.ep: found 4, expected etp × ep = tp × cp = 2"):
        scenario(tmp_path, apart)
    assert scenario(tmp_path, apart.replace("tp-cp-pp-dp", "tp-cp-dp-pp")).values()["o_d"] == 1


def test_a_scenario_and_the_job_file_that_says_the_same_are_one_job(tmp_path: Path) -> None:
    assert scenario(tmp_path).values() == read(tmp_path, SAME).values()


def test_what_gradients_are_reduced_in_is_said_to_be_assumed(tmp_path: Path) -> None:
    job = scenario(tmp_path)
    assert job.values()["g"] == 4
    assert job.figures["g"].kind == "assumed"
    assert "reduce_width" in remarks(job, "defaulted")["launch.*_width"]
    said = scenario(tmp_path, SCENARIO + 'reduce_width = "2 byte"\n')
    assert said.values()["g"] == 2
    assert said.figures["g"].kind == "given"


def test_a_preset_and_the_review_of_the_same_run_have_the_same_widths_and_stage() -> None:
    reviews = Path(__file__).parents[3] / "reports" / "reviews"
    for name, folder in (("gpt3-512", "gpt3-175b-512"), ("moe-1024", "moe-1024")):
        preset, job = read_job(name).values(), read_job(reviews / folder / "job.toml").values()
        for letter in ("g", "w", "w_c", "w_g", "w_p", "w_o", "a", "w_l", "z_1", "z_2", "z_3", "t_e"):
            assert preset[letter] == job[letter]


def test_fsdp_keeps_no_copy_of_its_weights_and_shares_all_state(tmp_path: Path) -> None:
    job = scenario(tmp_path, SCENARIO.replace("dp = 16", "dp = 2\nfsdp = 8"))
    values = job.values()
    assert [values[letter] for letter in ("z_3", "w_c", "n_r", "g")] == [1, 0, 2, 4]
    assert "as the scenario's pages have it" in remarks(job, "defaulted")["training.working_width"]
    said = scenario(tmp_path, SCENARIO.replace("dp = 16", "fsdp = 16") + 'working_width = "2 byte"\n')
    assert said.values()["w_c"] == 2


@pytest.mark.parametrize(
    ("layout", "noted"),
    [("tp = 2\nep = 2", True), ("tp = 2\nep = 2\netp = 2", False), ("tp = 2", True)],
)
def test_a_scenario_splits_no_expert_where_it_does_not_say_so(
    tmp_path: Path, layout: str, noted: bool
) -> None:
    job = scenario(tmp_path, SCENARIO.replace("tp = 2", layout))
    assert job.values()["t_e"] == (2 if "etp" in layout else 1)
    assert ("layout.etp" in remarks(job, "defaulted")) == noted


def test_a_model_without_experts_gets_no_remark_on_them(tmp_path: Path) -> None:
    job = scenario(tmp_path, SCENARIO.replace("mixtral-8x7b", "llama3-8b"))
    assert "layout.etp" not in remarks(job, "defaulted")


def test_without_a_micro_batch_a_scenario_has_one_of_all_sequences(tmp_path: Path) -> None:
    job = scenario(tmp_path, SCENARIO.replace("microbatch = 1\n", ""))
    assert job.values()["b_m"] == 4  # 64 sequences, 16 replicas
    assert "training.microbatches" in remarks(job, "defaulted")
