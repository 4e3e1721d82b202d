"""A measured peak is held against the plan's three cases, and carried on by what nobody measures."""

from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner
from sweep_files import JOB, reading

from workings.cli import main
from workings.planning.assumed import ASSUMPTIONS
from workings.planning.calibrating.measured import measured_of
from workings.planning.calibrating.output import as_toml, text
from workings.planning.calibration import Calibration, calibrate
from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.job import Job, JobError

ACCOUNTS = ("fragments", "communicator", "workspace", "device_context")


def measured(folder: Path, content: str, job: str = JOB) -> Calibration:
    path = folder / "measured.toml"
    path.write_text(content, encoding="utf-8")
    return calibrate(reading(folder, job), measured_of(path), plan())


def memory(job: Job, **moved: Fraction) -> Fraction:
    letters = {figure.concept.name: letter for letter, figure in job.figures.items()}
    given = job.values() | {letters[name]: value for name, value in moved.items()}
    return exactly(plan(), given, ["M"])["M"]


def gb(value: Fraction | float) -> str:
    return f'peak_memory = "{float(value) / 1e9:.6f} GB"\n'


def ends(name: str) -> tuple[Fraction, Fraction]:
    _, low, high = ASSUMPTIONS[name].numbers
    return low, high


@pytest.mark.parametrize("fragments", [Fraction(1, 100), Fraction(6, 100), Fraction(99, 1000)])
def test_a_peak_within_reach_of_fragments_is_put_into_them_alone(
    tmp_path: Path, fragments: Fraction
) -> None:
    was = reading(tmp_path)({})
    found = measured(tmp_path, gb(memory(was, fragments=fragments)))
    assert float(found.job.figures["x_frag"].value) == pytest.approx(float(fragments), abs=1e-6)
    for letter in ("M_grp", "M_work", "M_ctx"):
        assert found.job.figures[letter].value == was.figures[letter].value
    assert "lies inside what the plan has for it" in text(found)
    assert found.explained


def test_what_fragments_do_not_reach_goes_to_the_fixed_bytes_in_turn(tmp_path: Path) -> None:
    was = reading(tmp_path)({})
    most = memory(was, fragments=ends("fragments")[1])
    found = measured(tmp_path, gb(most + Fraction(12 * 10**8)))
    assert found.job.figures["x_frag"].value == ends("fragments")[1]
    # Three groups share them: tensor-parallel, data-parallel, and all ranks.
    assert float(found.job.figures["M_grp"].value) == pytest.approx(1.1e9, rel=1e-4)
    for letter, name in (("x_frag", "fragments"), ("M_grp", "communicator")):
        low, high = ends(name)
        assert low <= found.job.figures[letter].value <= high


@pytest.mark.parametrize("share", [Fraction(9, 10), Fraction(98, 100), Fraction(103, 100), Fraction(2)])
def test_a_review_of_the_calibrated_job_has_the_measured_memory(tmp_path: Path, share: Fraction) -> None:
    was = reading(tmp_path)({})
    wanted = memory(was) * share
    found = measured(tmp_path, gb(wanted))
    (tmp_path / "calibrated.toml").write_text(as_toml(found), encoding="utf-8")
    again = reading(tmp_path, JOB + '[assume]\nfile = "calibrated.toml"\n')({})
    assert again.values() == found.job.values()
    low = {name: ends(name)[0] for name in ACCOUNTS}
    reached = max(wanted, memory(was, **low))  # the accounts go no lower
    assert float(memory(again)) == pytest.approx(float(reached), abs=2e5)
    assert all(again.figures[letter].sure for letter in ("x_frag", "M_grp", "M_work", "M_ctx"))
    assert "peak_memory of measured.toml" in again.figures["M_grp"].source


def test_a_peak_above_the_worst_case_warns_and_names_the_bytes_that_are_missing(tmp_path: Path) -> None:
    was = reading(tmp_path)({})
    worst = exactly(
        plan(), {n: f.value if f.high is None else f.high for n, f in was.figures.items()}, ["M"]
    )["M"]
    found = measured(tmp_path, gb(worst + 3 * 10**9))
    said = text(found)
    assert not found.explained
    assert "lies above what the plan has for it" in said
    assert "3 GB or more are in no account" in said
    assert "in no account of the plan" in found.job.figures["M_ctx"].source
    assumed = as_toml(found).partition("[measured]")[0].split("\n")
    assert all(line.startswith(("#", "[", *ACCOUNTS)) for line in assumed if line)
    just = measured(tmp_path, gb(worst - 10**6))
    assert just.explained


def test_a_peak_below_the_best_case_leaves_a_plan_on_the_safe_side(tmp_path: Path) -> None:
    was = reading(tmp_path)({})
    found = measured(tmp_path, gb(memory(was) / 2))
    assert found.explained
    assert "lies below what the plan has for it" in text(found)
    assert "no account goes lower" in text(found)
    assert memory(found.job) == memory(was, **{name: ends(name)[0] for name in ACCOUNTS})


def test_an_account_that_is_measured_or_given_stays_as_it_is(tmp_path: Path) -> None:
    job = JOB + '[assume]\ndevice_context = "0.7 GB"\n'
    was = reading(tmp_path, job)({})
    content = gb(memory(was) * 2) + 'communicator = "1.4 GB"\n'
    found = measured(tmp_path, content, job)
    assert found.job.figures["M_ctx"].value == 7 * 10**8
    assert found.job.figures["M_grp"].value == 14 * 10**8
    assert float(memory(found.job)) == pytest.approx(float(memory(was) * 2), abs=2e5)
    assert as_toml(found).count("communicator = ") == 1


def test_an_account_that_a_layout_does_not_have_takes_none_of_a_peak(tmp_path: Path) -> None:
    alone = JOB.replace("devices = 64", "devices = 1").replace("tp = 2", "tp = 1")
    was = reading(tmp_path, alone)({})
    most = memory(was, fragments=ends("fragments")[1])
    found = measured(tmp_path, gb(most + Fraction(10**8)), alone)
    assert found.job.figures["M_grp"].value == was.figures["M_grp"].value
    assert float(found.job.figures["M_work"].value) == pytest.approx(2e8, rel=1e-4)
    assert float(memory(found.job)) == pytest.approx(float(most + 10**8), abs=2e5)


def test_where_every_account_is_settled_none_carries_the_peak_on(tmp_path: Path) -> None:
    settled = "\n".join(f'{name} = {"0.05" if name == "fragments" else chr(34) + "1 GB" + chr(34)}'
                        for name in ACCOUNTS)  # fmt: skip
    job = f"{JOB}[assume]\n{settled}\n"
    found = measured(tmp_path, gb(90e9), job)
    assert "every account is given or measured, so none carries it on" in text(found)
    assert memory(found.job) == memory(reading(tmp_path, job)({}))


@pytest.mark.parametrize(
    ("share", "said"),
    [("80 GB", "within the 97 % that a measured peak may take"),
     ("84 GB", "above the 97 % that a measured peak may take")],
)  # fmt: skip
def test_the_peak_is_held_against_the_limits_of_the_verdict(
    tmp_path: Path, share: str, said: str
) -> None:
    assert said in text(measured(tmp_path, f'peak_memory = "{share}"\n'))


def test_the_command_exits_1_above_the_worst_case_alone(tmp_path: Path) -> None:
    job, results = tmp_path / "job.toml", tmp_path / "measured.toml"
    job.write_text(JOB, encoding="utf-8")
    for peak, code in (("200 GB", 1), ("20 GB", 0), ("50.6 GB", 0)):
        results.write_text(f'peak_memory = "{peak}"\n', encoding="utf-8")
        made = CliRunner().invoke(main, ["calibrate", str(job), str(results)])
        assert made.exit_code == code


def test_a_link_measured_above_its_wire_is_refused_in_a_calibration_too(tmp_path: Path) -> None:
    with pytest.raises(JobError, match="network_one_way: found 90 GB/s, expected at most the 50 GB/s"):
        measured(tmp_path, 'network_one_way = "90 GB/s"\n')
