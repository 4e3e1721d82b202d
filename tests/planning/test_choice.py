"""plan, review and a job without a layout name one first choice, and none that a program refuses."""

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner
from jobs import experts_64, gpt3_175b, llama3_8b, llama3_405b
from sweep_files import JOB, reading

from workings.cli import main
from workings.planning.accuracy import FEATURES, SOURCES, Run
from workings.planning.best import with_best_layout
from workings.planning.choice import at, first_choice, wishes
from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.frameworks import FRAMEWORKS, refused
from workings.planning.inputs.jobs import read_job
from workings.planning.inputs.megatron.writing import megatron_arguments
from workings.planning.inputs.options import job_from_options
from workings.planning.job import Job, JobError
from workings.planning.letters import LAYOUT
from workings.planning.naming import named
from workings.planning.pairs import pair_error
from workings.planning.search import search
from workings.review.build import review
from workings.review.recommended import recommended

NOTHING = dict.fromkeys((*(one.letter for one in FEATURES), "E"), Fraction(0))  # of a run with no feature
REVIEWS = Path(__file__).parents[2] / "reports" / "reviews"
LETTERS = {"tp": "t", "cp": "c", "pp": "p", "ep": "e", "etp": "t_e", "chunks": "v", "micro": "b_m"}


def first_row(file: Path) -> dict[str, Fraction]:
    """The layout in the first line that `plan` prints."""
    done = CliRunner().invoke(main, ["plan", str(file)])
    assert done.exit_code == 0, done.output
    head, first, *_ = (re.split(" {2,}", line.strip()) for line in done.output.splitlines())
    row = dict(zip(head, first, strict=False))
    found = {letter: Fraction(row[name]) for name, letter in LETTERS.items() if name in row}
    found |= {f"z_{stage}": Fraction(int(row["zero"]) >= stage) for stage in (1, 2, 3)}
    return found | {"z_s": Fraction(row["sp"] == "yes"), "z_c": Fraction(row["recompute"] == "core"),
                    "z_f": Fraction(row["recompute"] == "full")}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gpt3-175b-512", "Recommended: instead "),
        ("moe-1024", "Recommended: instead "),
        ("llama3-405b-128k", "Recommended: keep this layout"),
    ],
)
def test_the_first_line_of_plan_is_the_layout_that_the_review_holds_against_the_job_s(
    name: str, said: str
) -> None:
    """It is taken instead where it is surely faster, timed where it may be, and else left."""
    file = REVIEWS / name / "job.toml"
    found = review(read_job(file))
    advice = recommended(found.desk, found.answer, found.found)
    first = first_row(file)
    if not found.desk.base["E"]:  # nothing of experts is printed then
        first["t_e"] = first["t"]
    best = exactly(plan(), {**found.desk.job.values(), **first})
    assert advice.startswith(said)
    asked = " ".join((advice, *found.answer.conditions))
    assert (named(best) in asked) == ("keep" not in said)
    assert found.found is not None
    assert found.found.option is not None
    layout = found.found.option.layout
    same = [n for n in first if n in layout and (n != "t_e" or found.desk.base["E"])]
    assert {n: layout[n] for n in same} == {n: first[n] for n in same}


def test_a_job_without_a_layout_is_reviewed_in_the_one_that_plan_puts_first(tmp_path: Path) -> None:
    (tmp_path / "job.toml").write_text(
        JOB.replace("tp = 2\n", "").replace('"4M"', "512").replace("devices = 64", "devices = 16"),
        encoding="utf-8",
    )
    found = review(read_job(tmp_path / "job.toml"))
    first = first_row(tmp_path / "job.toml")
    assert {n: found.desk.base[n] for n in first} == first
    assert "Recommended: keep this layout" in recommended(found.desk, found.answer, found.found)


@pytest.mark.parametrize("framework", FRAMEWORKS)
@pytest.mark.parametrize("make", [llama3_405b, gpt3_175b, experts_64])
def test_no_layout_of_a_search_is_one_that_the_named_program_refuses(
    framework: str, make: object
) -> None:
    job = replace(make(), framework=framework)  # type: ignore[operator]
    found = search(job, plan(), wishes(job))
    constraints = refused(framework, "NVIDIA Hopper")
    assert constraints
    for option in found.best:
        assert all(constraint.allows(option.layout) for constraint in constraints)
    first = first_choice(job, found, plan())
    if first is not None and framework == "megatron":
        assert megatron_arguments(at(job, first))


def test_without_a_name_nothing_more_is_refused() -> None:
    assert refused("", "NVIDIA Hopper") == ()
    assert refused("megatron", "NVIDIA Hopper")[:-1] == refused("megatron", "NVIDIA Blackwell")
    job = read_job(REVIEWS / "llama3-405b-16384" / "job.toml")
    free = search(job := replace(job, framework=""), plan(), wishes(job, 40))
    assert any(option.layout["z_2"] and option.layout["p"] > 1 for option in free.best)


def test_a_review_names_the_programs_that_would_refuse_what_it_recommends() -> None:
    job = llama3_405b(z_1=0, z_2=0)  # which all three take
    found = review(job)
    advice = recommended(found.desk, found.answer, found.found)
    assert found.found is not None
    best = found.found.proposed
    assert best is not None
    theirs = {n: int(best[n]) for n in LAYOUT}
    for one in FRAMEWORKS.values():
        refuses = not all(constraint.allows(theirs) for constraint in one.refuses)
        assert (one.name in advice) == refuses


def test_deepspeed_s_own_refusal_is_said_before_anything_is_planned(tmp_path: Path) -> None:
    text = JOB.replace("tp = 2\n", 'tp = 2\npp = 2\nzero = 2\nframework = "deepspeed"\n')
    with pytest.raises(JobError, match=r"launch\.zero: found 2, expected at most 1: DeepSpeed refuses"):
        reading(tmp_path, text)({})
    assert reading(tmp_path, text.replace("zero = 2", "zero = 1"))({}).framework == "deepspeed"


def test_a_program_that_nobody_knows_is_refused_by_its_key(tmp_path: Path) -> None:
    with pytest.raises(JobError, match=r"launch\.framework: found 'jax', expected one of megatron"):
        reading(tmp_path, JOB.replace("tp = 2\n", 'tp = 2\nframework = "jax"\n'))({})


def test_a_launch_of_a_program_names_it(tmp_path: Path) -> None:
    run = "torchrun pretrain_gpt.py --micro-batch-size 1 --global-batch-size 64 --seq-length 4096 --bf16"
    (tmp_path / "run.sh").write_text(run, encoding="utf-8")
    head = re.split(r"\[launch\]", JOB)[0]
    text = head + '[launch]\nmegatron = "run.sh"\n'
    assert reading(tmp_path, text)({}).framework == "megatron"
    with pytest.raises(JobError, match=r"launch\.framework: found 'deepspeed', expected megatron"):
        reading(tmp_path, text + 'framework = "deepspeed"\n')({})


def test_the_best_layout_of_a_job_is_its_first_choice() -> None:
    job: Job = replace(llama3_8b(), chosen=False)
    unsaid = {n: replace(f, kind="assumed") for n, f in job.figures.items()}
    job = replace(job, figures=unsaid)
    first = first_choice(job, search(job, plan(), wishes(job)), plan())
    assert first is not None
    found = with_best_layout(job, plan()).values()
    assert {n: found[n] for n in first.layout} == first.layout


@pytest.mark.parametrize("slow", [0, 1])
def test_what_published_runs_of_its_kind_make_slower_is_not_named_first(
    slow: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of layouts that the model cannot tell apart, where runs of one kind took twice as long."""
    kinds = [{**NOTHING, "z_2": Fraction(z_2)} for z_2 in (0, 1)]
    runs = [
        Run("NVIDIA Hopper", "16-bit", Fraction(1 + (kind["z_2"] == slow)), kind, f"paper {place}")
        for kind in kinds for place in range(SOURCES)
    ]  # fmt: skip
    error = pair_error()
    monkeypatch.setattr("workings.planning.choice.pair_error", lambda: error)
    monkeypatch.setattr("workings.planning.pairs.step_times", lambda: tuple(runs))
    job = job_from_options(model="llama3-70b", gpu="h100-sxm", gpus=512, seq=4096, global_batch="16M")
    found = search(job, plan(), wishes(job))
    by_model = search(job, plan(), wishes(job)._replace(late=(Fraction(1), Fraction(1))))
    assert by_model.best[0].values["T_step"] <= min(o.values["T_step"] for o in found.best) or slow
    first = first_choice(job, found, plan())
    assert first is not None
    assert first.layout["z_2"] == 1 - slow


def test_layouts_are_ordered_and_tied_by_what_runs_of_their_kind_keep_to() -> None:
    job = job_from_options(model="llama3-70b", gpu="h100-sxm", gpus=512, seq=4096, global_batch="16M")
    late = (Fraction(1), Fraction(11, 10))
    asked = wishes(job)._replace(late=late)
    found = search(job, plan(), asked).best
    kept = [o.values["T_step"] * late[o.layout["z_2"]] for o in found]
    assert {o.layout["z_2"] for o in found} == {0, 1}
    assert kept == sorted(kept)
    assert [o.tied for o in found] == [k <= kept[0] * (1 + pair_error()) for k in kept]
    assert [o.values["T_step"] for o in found] != sorted(o.values["T_step"] for o in found)


@pytest.mark.parametrize(("device", "left_out"), [("NVIDIA H100 SXM", True), ("NVIDIA B200", False)])
def test_what_megatron_warns_of_before_blackwell_is_left_out_there(device: str, left_out: bool) -> None:
    job = replace(llama3_8b(), framework="megatron", device=device)
    found = search(job, plan(), wishes(job, 60)).best
    warned = [o for o in found if o.layout["z_3"] and max(o.layout["t"], o.layout["c"]) > 1]
    assert any(option.layout["z_3"] for option in found)
    assert (not warned) == left_out
