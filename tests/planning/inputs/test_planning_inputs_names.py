"""An input may be named by its key, its section and key, an option or the letter of a review."""

from fractions import Fraction
from pathlib import Path

import pytest
from job_files import JOB, read, remarks

from workings.planning.inputs.names import SECTIONS, key_of, named
from workings.planning.job import JobError
from workings.planning.letters import LETTERS, PARTS

TOGETHER = {"z_1": "zero", "z_2": "zero", "z_3": "zero", "z_c": "recompute", "z_f": "recompute",
            "o_d": "order",
            "z_zb": "schedule", "z_bi": "schedule", **dict.fromkeys(PARTS, "recompute")}  # fmt: skip
FOLLOW = {"z_h", "z_g"}  # from the model's heads


def test_every_letter_that_a_plan_starts_from_has_a_key_or_says_which_it_is_part_of(
    tmp_path: Path,
) -> None:
    without = {letter for letter in LETTERS if key_of(letter) is None}
    assert without == {*TOGETHER, *FOLLOW}
    for letter, key in TOGETHER.items():
        with pytest.raises(JobError, match=f"--set: {letter}: .* expected {key} .* in .launch."):
            read(tmp_path, **{letter: "1"})


@pytest.mark.parametrize(
    ("name", "text", "letter", "value"),
    [
        ("t", "4", "t", 4), ("launch.tp", "4", "t", 4), ("stages", "2", "p", 2), ("p", "2", "p", 2),
        ("M_grp", "2 GB", "M_grp", 2 * 10**9), ("assume.communicator", "2 GB", "M_grp", 2 * 10**9),
        ("W_2", "40 GB/s", "W_2", 40 * 10**9), ("C", "900 TFLOP/s", "C", 900 * 10**12),
        ("M_dev", "70 GB", "M_dev", 70 * 10**9), ("gpus", "32", "n", 32), ("seq", "4k", "s", 4096),
        ("L", "16", "L", 16), ("model.blocks", "16", "L", 16), ("x_off", "50 %", "x_off", Fraction(1, 2)),
        ("d", "8", "n", 16),
    ],
)  # fmt: skip
def test_a_setting_goes_by_key_section_option_or_letter(
    tmp_path: Path, name: str, text: str, letter: str, value: Fraction
) -> None:
    assert read(tmp_path, **{name: text}).values()[letter] == value


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "launch.communicator",
            "expected communicator in [assume], bytes that the buffers of one communicator take",
        ),
        ("assume.t", "expected tp in [launch], tensor-parallel degree"),
        ("communicators", "expected a key such as communicator"),
        ("M_comm", "expected an input: M_comm (buffers of all communicators) follows from others"),
        (
            "u_M",
            "expected an input: u_M (share of the bytes that the device reports) follows from others",
        ),
        ("z_h", "expected an input: z_h (1 where the blocks have attention) follows from others"),
        (
            "x" * 10**6,
            "expected a key of [model], [cluster], [launch] or [assume], such as tp, or its letter",
        ),
        ("\x1b[31m", "expected a key of [model], [cluster]"),
    ],
)
def test_a_name_that_is_none_is_refused_with_the_one_that_is_meant(
    tmp_path: Path, name: str, said: str
) -> None:
    with pytest.raises(JobError) as refused:
        read(tmp_path, **{name: "1"})
    text = str(refused.value)
    assert text.startswith("--set: ")
    assert said in text
    assert text.isprintable()
    assert len(text) < 2500


def test_one_key_by_two_names_is_refused(tmp_path: Path) -> None:
    with pytest.raises(JobError, match="--set: t: found tp set twice, as tp too, expected it once"):
        read(tmp_path, tp="2", t="4")


def test_no_letter_is_a_key_of_another_thing() -> None:
    keys = {key for section in SECTIONS.values() for key in section}
    for letter in LETTERS:
        found = named(letter)
        assert found is None or letter not in keys or found.key == letter


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (
            '[assume]\nM_grp = "2 GB"\n',
            "assume.M_grp: found 'M_grp', expected communicator in .assume.",
        ),
        ("[assume]\ntp = 4\n", "assume.tp: found 'tp', expected tp in .launch., tensor-parallel degree"),
        ("[assume]\nluck = 1\n", "assume.luck: found 'luck', expected an assumption: one of"),
    ],
)
def test_an_assumption_by_another_name_is_refused_with_its_key(
    tmp_path: Path, table: str, said: str
) -> None:
    with pytest.raises(JobError, match=said):
        read(tmp_path, f"{JOB}{table}")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("t = 4", "launch.t: found an unknown key, expected tp in .launch., tensor-parallel degree"),
        ('W_2 = "1 GB/s"', "launch.W_2: found an unknown key, expected network_one_way in .cluster."),
        ('recomput = "full"', "launch.recomput: found an unknown key, expected a key such as recompute"),
    ],
)
def test_a_key_in_the_wrong_table_is_refused_with_the_right_one(
    tmp_path: Path, line: str, said: str
) -> None:
    with pytest.raises(JobError, match=said):
        read(tmp_path, f"{JOB}{line}\n")


def test_a_layout_that_is_changed_keeps_its_devices(tmp_path: Path) -> None:
    """A job that says no devices has those of its layout, also where tp is set to another value."""
    alone = JOB.replace("devices = 16\n", "").replace("tp = 2", "tp = 2\ndp = 8")
    job = read(tmp_path, alone, tp="4")
    assert [job.values()[letter] for letter in ("n", "t")] == [16, 4]
    assert "launch.dp" in remarks(job, "ignored")
    with pytest.raises(JobError, match="devices: found 16, expected a multiple of tp × cp × pp = 3"):
        read(tmp_path, alone, tp="3")
    assert read(tmp_path, alone, tp="4", devices="32").values()["n"] == 32
