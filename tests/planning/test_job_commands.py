"""What a person types for a job, and what is printed of what was not typed."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sweep_files import JOB

from workings.cli import main

REVIEWS = Path(__file__).parents[2] / "reports" / "reviews"


def ran(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def assumed(*arguments: str) -> str:
    """The paragraph of `lint` on what was assumed, on one line."""
    found = re.search(r"^assumed  (.*?)^\S", ran("lint", *arguments).output, re.MULTILINE | re.DOTALL)
    return " ".join(found[1].split()) if found else ""


def gradients(*arguments: str) -> str:
    """The bytes of gradient traffic in a finding of `lint`."""
    words = " ".join(ran("lint", *arguments).output.split())
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
