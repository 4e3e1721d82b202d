"""What a person types for a job, and what is printed of what was not typed."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sweep_files import JOB

from workings.cli import main
from workings.planning.inputs.options import job_from_options
from workings.planning.naming import named
from workings.review.build import review

REVIEWS = Path(__file__).parents[2] / "reports" / "reviews"


def ran(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def assumed(*arguments: str) -> str:
    """The paragraph of `lint` on what was assumed, on one line."""
    found = re.search(r"^assumed  (.*?)^\S", ran("lint", *arguments).output, re.MULTILINE | re.DOTALL)
    return " ".join(found[1].split()) if found else ""


def gradients(*arguments: str) -> str:
    """The bytes of gradient traffic in a finding of `lint`."""
    words = " ".join(ran("lint", *arguments, "--set", "dp_hidden=0").output.split())
    return str(re.findall(r"V_d = ([0-9.]+ [A-Z]+)", words)[0])


def test_lint_says_which_widths_and_stage_it_took() -> None:
    said = assumed("gpt3-512")
    assert "zero 1 (optimizer state is shared)" in said
    assert "gradient 4, moment 4, activation 2, gather 2, reduce 4" in said
    assert "working" not in said  # the scenario gives it
    assert "working_width 0 byte (as the scenario's pages have it: FSDP" in assumed("xxl-220b")


def test_a_scenario_and_a_review_of_the_same_run_move_the_same_gradients() -> None:
    assert gradients("gpt3-512") == gradients(str(REVIEWS / "gpt3-175b-512" / "job.toml"))


def test_what_is_set_is_assumed_no_more() -> None:
    assert "zero" not in assumed("gpt3-512", "--set", "zero=2")
    assert "reduce" not in assumed("gpt3-512", "--set", "g=2 byte")


def test_a_job_that_says_everything_gets_no_such_paragraph(tmp_path: Path) -> None:
    widths = "".join(
        f'{name}_width = "{size} byte"\n'
        for name, size in (("master", 4), ("gradient", 4), ("moment", 4), ("working", 2),
                           ("activation", 2), ("gather", 2), ("reduce", 4), ("logit", 4))
    )  # fmt: skip
    more = 'zero = 1\nrecompute = "none"\nsequence_parallel = true\nflash_attention = true\n'
    job = tmp_path / "job.toml"
    job.write_text(f"{JOB}microbatch = 1\n{more}{widths}", encoding="utf-8")
    assert ran("lint", str(job)).exit_code == 0
    assert assumed(str(job)) == ""


@pytest.mark.parametrize("command", ["review", "plan", "lint", "sweep"])
def test_help_of_a_setting_speaks_of_jobs(command: str) -> None:
    said = " ".join(ran(command, "--help").output.split())
    assert "tp=4, launch.tp=4 or, by its letter in a review, t=4" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("lint", "gpt3-512", "--set", "tp"), "--set tp: expected NAME=VALUE, such as tp=4"),
        (("plan", "gpt3-512", "--only", "tp"), "--only tp: expected NAME=VALUE, such as tp=1,2"),
        (("plan", "gpt3-512", "--only", "tp=3"), ", tp: found '3', expected one of 1, 2, 4, 8"),
        (("plan", "gpt3-512", "--only", "depth=3"), "found an axis 'depth', expected one of tp, cp, pp"),
        (("lint", "gpt3-512", "--set", "t=4", "--set", "tp=4"), "found tp set twice"),
    ],
)
def test_what_cannot_be_read_is_named_as_it_was_typed(arguments: tuple[str, ...], said: str) -> None:
    made = ran(*arguments)
    assert made.exit_code == 2
    assert said in made.output


def test_axes_of_a_search_and_a_sweep_go_by_letter_too() -> None:
    by_key, by_letter = (ran("plan", "llama3-8b-8", "--only", f"{name}=2") for name in ("tp", "t"))
    assert by_key.exit_code == 0
    assert by_key.output == by_letter.output
    one, other = (ran("sweep", "llama3-8b-8", "--best", "--over", f"{n}=1,2") for n in ("tp", "t"))
    assert one.exit_code == 0
    assert one.output == other.output


LLAMA = ("--model", "llama3-8b", "--gpu", "h100-sxm", "--gpus", "8", "--per-node", "8", "--seq", "8192",
         "--global-batch", "64")  # fmt: skip
FORMATS = ("text", "json", "github", "sarif")


def judged(form: str, *arguments: str) -> Result:
    return ran("lint", *LLAMA, "--format", form, *arguments)


def test_lint_without_a_layout_judges_the_one_that_plan_puts_first() -> None:
    best = json.loads(ran("plan", *LLAMA, "--format", "json").output)["best"][0]["layout"]
    keys = {"t": "tp", "c": "cp", "p": "pp", "v": "virtual_stages", "b_m": "microbatch"}
    again = ("none", "selective", "full")[best["z_c"] + 2 * best["z_f"]]
    given = [f"{key}={best[letter]}" for letter, key in keys.items()]
    given += [f"zero={best['z_1'] + best['z_2'] + best['z_3']}", f"recompute={again}"]
    given += [f"sequence_parallel={'true' if best['z_s'] else 'false'}"]
    searched, same = judged("json"), judged("json", *(word for one in given for word in ("--set", one)))
    assert searched.exit_code == same.exit_code == 0
    assert json.loads(searched.stdout)["rules"] == json.loads(same.stdout)["rules"]


def test_lint_without_a_layout_judges_the_one_that_a_review_takes() -> None:
    line = {"model": "xxl-ffn", "gpu": "h100-sxm", "gpus": "64", "per_node": "8", "seq": "8192",
            "global_batch": "4M"}  # fmt: skip
    taken = named(review(job_from_options({}, **line)).desk.base)
    words = (word for name, text in line.items() for word in (f"--{name.replace('_', '-')}", text))
    assert f"is judged: {taken}\n" in ran("lint", *words).output


@pytest.mark.parametrize("form", FORMATS)
def test_the_layout_that_was_taken_is_said_on_one_line_beside_what_a_program_reads(form: str) -> None:
    made = judged(form)
    where, other = (made.stdout, made.stderr) if form == "text" else (made.stderr, made.stdout)
    [line] = [line for line in where.splitlines() if "no layout is given" in line]
    assert re.search(r"of those searched the fastest that fits is judged: (\w+ \d+ · )*DP \d", line)
    assert "no layout is given" not in other
    if form in ("json", "sarif"):
        assert json.loads(made.stdout)


@pytest.mark.parametrize("form", FORMATS)
def test_a_layout_that_is_given_is_judged_without_a_word_on_searches(form: str) -> None:
    made = judged(form, "--tp", "2")
    assert made.stderr == ""
    assert "searched" not in made.stdout


def test_lint_keeps_what_is_given_of_a_layout_and_says_so() -> None:
    said = judged("text", "--zero", "1", "--recompute", "full").output.splitlines()[0]
    assert "that fits with zero 1 and recompute full, as given, is judged: " in said
    assert said.endswith("ZeRO stage 1 and blocks computed again")


def test_lint_fails_where_the_best_layout_breaks_what_strict_asks_for() -> None:
    heavy = ("--model", "llama3-405b", "--gpu", "h100-sxm", "--gpus", "1024", "--per-node", "8", "--seq",
             "8192", "--global-batch", "8M", "--framework", "megatron")  # fmt: skip
    made = ran("lint", *heavy)
    assert "warning" in made.output
    assert made.exit_code == 0
    assert ran("lint", *heavy, "--strict").exit_code == 1


def test_where_no_layout_fits_lint_says_what_comes_nearest_and_exits_2() -> None:
    made = ran("lint", *LLAMA, "--set", "model=llama3-405b")
    assert made.exit_code == 2
    assert made.stdout == ""
    assert "no layout fits" in made.stderr


def test_what_a_search_leaves_out_is_said_after_what_it_took() -> None:
    odd = ("--set", "heads=26", "--set", "kv_heads=13", "--set", "gpus=24")
    _, heads, replicas = (x for x in judged("text", *odd).output.splitlines() if x.startswith("search "))
    assert "leaves out tensor parallelism of 2, 4 and 8: kv_heads = 13 (--set)" in heads
    assert "at most 8 replicas, the greatest common divisor of 24 devices and 64 sequences" in replicas
    assert judged("text").output.count("search ") == 1
