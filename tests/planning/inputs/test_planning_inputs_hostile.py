"""Bad input: one clear sentence, nothing run, and never a traceback or a long wait."""

import os
import tracemalloc
from contextlib import suppress
from pathlib import Path

import pytest
from effort import at_most
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from job_files import JOB, launch, read, write

from workings.errors import UserError
from workings.planning.inputs import read_job
from workings.planning.job import JobError

HUGE = 100 * 2**20
CALLS = 1_000_000


def refused(path: Path) -> str:
    """What is said of a file, with little work."""
    with pytest.raises(UserError) as caught, at_most(CALLS):
        read_job(path)
    message = str(caught.value)
    assert len(message) < 1500
    assert message.isprintable()
    return message


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("devices = 16", "devices = 0"), "cluster.devices: found 0, expected a whole number from 1"),
        (
            ("devices = 16", f"devices = {10**20}"),
            "found 100,000,000,000,000,000,000, expected a whole number",
        ),
        (("devices = 16", "devices = -8"), "found -8"),
        (("devices = 16", "devices = 16.5"), "found 16.5, expected a whole number"),
        (("devices = 16", 'devices = "16"'), "found '16', expected a whole number"),
        (("devices = 16", "devices = true"), "found true, expected a whole number"),
        (("tp = 2", "tp = 7"), "cluster.devices: found 16, expected a multiple of tp × cp × pp = 7"),
        (("tp = 2", "tp = 0"), "launch.tp: found 0"),
        (("tp = 2", "tp = [2]"), "launch.tp: found a list, expected a whole number"),
        (
            ("tp = 2", "tq = 2"),
            "launch.tq: found an unknown key, expected one of the ",
        ),
        (("tp = 2", "pp = 16\nvirtual_stages = 3"), "found 3, expected at most"),
        (
            ("batch = 64", "batch = 63"),
            "launch.batch: found 63, expected a multiple of microbatch × dp = 2 × 8",
        ),
        (
            ("batch = 64", "batch = 64\nmicrobatches = 5"),
            "launch.microbatches: found 5, expected batch / ",
        ),
        (("zero = 1", "zero = 4"), "found 4, expected a whole number from 0 to 3"),
        (('recompute = "none"', 'recompute = "some"'), "expected none, selective, full, operations"),
        (("[model]", "[models]"), "models: found an unknown key, expected one of"),
        (("[launch]", "[launch"), "not valid TOML"),
        (('"llama3-8b"', '"llama9"'), "no model preset 'llama9'"),
        (('"llama3-8b"', '"../../../etc/passwd"'), "no model preset '../../../etc/passwd'"),
        (('preset = "llama3-8b"', 'hf = "none.json"'), "none.json: no such file"),
        (
            ('preset = "llama3-8b"', 'preset = "llama3-8b"\nhf = "x.json"'),
            "expected no other model beside",
        ),
        (('preset = "llama3-8b"', 'file = ""'), "model.file: found '', expected a line"),
        (('preset = "llama3-8b"', "d_model = 64"), "model.d_ff: found nothing"),
        (
            ('preset = "llama3-8b"', 'preset = "llama3-8b"\nkv_heads = 5'),
            "expected a divisor of 32 heads",
        ),
        (
            ('preset = "llama3-8b"', 'preset = "llama3-8b"\nactive_experts = 2'),
            "expected model.experts beside it",
        ),
        (("devices = 16", 'devices = 16\nmemory = "80 XB"'), "cluster.memory: found 'XB'"),
        (("devices = 16", "devices = 16\nmemory = 80.5"), "cluster.memory: found 80.5"),
        (('price = "2.50 USD/h"', "price = 2.5"), "found 2.5, expected a quantity such as '2 USD/h'"),
        (
            ("sequence_length = 8192", 'sequence_length = "8q"'),
            "found '8q', expected tokens of a sequence",
        ),
    ],
)
def test_bad_values_are_named_with_what_was_expected(
    tmp_path: Path, change: tuple[str, str], said: str
) -> None:
    assert said in refused(write(tmp_path, JOB.replace(*change)))


@pytest.mark.parametrize(
    "text", ["\x1b[31m", "\u202e", "\x7f", "a\nb", "x" * 10_000, "<script>", "${jndi}"]
)
def test_hostile_names_are_shown_plainly_and_short(tmp_path: Path, text: str) -> None:
    escaped = "".join(f"\\U{ord(c):08x}" for c in text)
    for bad in (f'"{escaped}" = 1\n' + JOB, JOB + f'"{escaped}" = 1\n', JOB.replace("llama3-8b", escaped),
                JOB + f'[review]\nowner = "{escaped * 60}"\n'):  # fmt: skip
        refused(write(tmp_path, bad))


def test_a_file_of_100_mb_is_not_read(tmp_path: Path) -> None:
    for name in ("big.toml", "big.json", "big.sh"):
        with (tmp_path / name).open("wb") as file:
            file.truncate(HUGE)
    tracemalloc.start()
    for text in (
        JOB.replace('preset = "llama3-8b"', 'file = "big.toml"'),
        JOB.replace('preset = "llama3-8b"', 'hf = "big.json"'),
        JOB.replace("[launch]", '[launch]\nmegatron = "big.sh"'),
        JOB.replace("[launch]", '[launch]\ntorchtitan = "big.toml"'),
        JOB.replace('hardware = "h100-sxm"', 'file = "big.toml"'),
    ):
        assert "found more than 1,000,000 bytes" in refused(write(tmp_path, text))
    assert "big.toml: found more than" in refused(tmp_path / "big.toml")
    assert tracemalloc.get_traced_memory()[1] < HUGE / 10
    tracemalloc.stop()


def test_folders_missing_files_and_pipes_are_no_jobs(tmp_path: Path) -> None:
    (tmp_path / "folder.toml").mkdir()
    assert "found a folder, expected a file" in refused(tmp_path / "folder.toml")
    assert "no such file" in refused(tmp_path / "none.toml")
    refused(tmp_path / ("x" * 5000 + ".toml"))
    os.mkfifo(tmp_path / "pipe.toml")
    assert "no such file" in refused(tmp_path / "pipe.toml")
    refused(Path("a\0b.toml"))
    (tmp_path / "nul.toml").write_bytes(b"a\0b")
    assert "found a NUL character" in refused(tmp_path / "nul.toml")
    (tmp_path / "latin.toml").write_bytes(b"\xff\xfe")
    assert "no UTF-8" in refused(tmp_path / "latin.toml")


@pytest.mark.parametrize("name", ["run.sh", "launches/run.sh", "config.json", "job"])
def test_a_launch_in_place_of_a_job_is_told_where_it_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "job").write_text("torchrun pretrain_gpt.py", encoding="utf-8")
    said = (
        f"found {name}, expected a job file in TOML or a scenario's name; a launch goes with --megatron"
    )
    with pytest.raises(JobError, match=said):
        read_job(name)


def test_a_name_that_is_no_scenario_says_which_there_are() -> None:
    with pytest.raises(UserError, match="expected one of deepseek-v3-2048, gpt3-2048"):
        read_job("no-such-scenario")


@pytest.mark.parametrize(
    "text",
    [
        "TP=$(touch never)\n--tensor-model-parallel-size $TP",
        "--tensor-model-parallel-size `touch never`",
        "--tensor-model-parallel-size '8",
        "--tensor-model-parallel-size $(((((",
        "A=(1 2 3\n--tensor-model-parallel-size 8",
        "A=x\n" + "A=$A$A\n" * 60 + "--tensor-model-parallel-size $A",
        "A=(x)\n" + "A=(${A[@]} ${A[@]})\n" * 60 + "--tensor-model-parallel-size ${A[@]}",
        "--tensor-model-parallel-size " + "9" * 5000,
        "--tensor-model-parallel-size -8",
        "--tensor-model-parallel-size 8 --num-layers 1e9",
    ],
)
def test_a_hostile_script_is_refused_and_never_run(
    tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(JobError):
        launch(tmp_path, text, more="devices = 16")
    assert not Path("never").exists()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", "tensor_model_parallel_size = __import__('os').system('true')"),
        ("a.py", "tensor_model_parallel_size = 2**10**10"),
        ("a.py", "(" * 5000),
        ("a.py", "x = " + "[" * 150 + "]" * 150 + "\ntensor_model_parallel_size = 'a'"),
        ("a.py", "tensor_model_parallel_size = 8.5"),
        ("a.json", "[" * 100_000),
        ("a.json", '{"tensor_model_parallel_size": 1e5}'),
        ("a.json", '"text"'),
        ("a.yaml", "tensor_model_parallel_size: !!python/object/apply:os.system ['true']"),
        ("a.yaml", "a: &a [1]\ntensor_model_parallel_size: *a"),
        ("a.yaml", "- - -\n\t: :"),
        ("a.yaml", "just words"),
    ],
)
def test_hostile_settings_are_refused_and_never_run(tmp_path: Path, name: str, text: str) -> None:
    with pytest.raises(JobError):
        launch(tmp_path, text, name, more="devices = 16")


QUIET = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


SIGNS = st.sampled_from("$(){}[]'\"\\ \n=;#&|`A-8:,") | st.characters(codec="utf-8")


@QUIET
@given(text=st.text(SIGNS, max_size=80), name=st.sampled_from(["a.sh", "a.yaml", "a.py", "a.json"]))
def test_no_launch_whatever_breaks_the_reader(tmp_path: Path, text: str, name: str) -> None:
    with pytest.raises(UserError):
        launch(tmp_path, f"{text}\n--num-layers 2\n{text}", name, more="devices = 8")


KEYS = "tp batch microbatch zero recompute sequence_length devices price goodput model d_model memory"


@QUIET
@given(
    key=st.sampled_from(KEYS.split()),
    value=st.text(max_size=12) | st.integers().map(str) | st.floats().map(str),
)
def test_no_setting_whatever_breaks_a_job(tmp_path: Path, key: str, value: str) -> None:
    with suppress(UserError):
        read(tmp_path, JOB, **{key: value})
