"""Who gives too few letters is shown a command that works as it stands."""

import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from workings import catalogue
from workings.cli import main
from workings.derivation import Derivation
from workings.site.example import Examples, examples_in
from workings.values.working_command import _chapters, command_for

SOURCE = Path(__file__).parents[2] / "reports" / "catalogue" / "source.md"
# Entries that the values of their chapters do not serve: no command is shown.
WITHOUT = 31
EVERY = catalogue.every()
SOME = [pytest.param(EVERY[::40], id="few"), pytest.param(EVERY, id="all", marks=pytest.mark.slow)]


def outcome(command: str) -> tuple[int, str]:
    program, *arguments = shlex.split(command)
    assert program == "workings"
    done = CliRunner().invoke(main, arguments)
    return done.exit_code, done.output


def test_the_message_ends_with_a_command_that_prints_a_value() -> None:
    code, said = outcome("workings value decoded-tokens-cost")
    assert code == 2
    shown = said.strip().partition("; for example: ")[2]
    assert shown.startswith("workings value decoded-tokens-cost --at ")
    assert outcome(shown)[0] == 0


def test_what_is_served_is_shown_for_a_model_on_a_device() -> None:
    for id_ in ("decode-step-time", "largest-serving-batch", "decoded-tokens-cost"):
        shown = command_for(catalogue.get(id_))
        assert shown is not None
        assert " --at llama3-70b --set hardware=h200-sxm " in shown


@pytest.mark.parametrize("entries", SOME)
def test_every_command_that_is_shown_works(entries: tuple[Derivation, ...]) -> None:
    commands = [command_for(what) for what in entries]
    failed = {command: said for command in commands if command
              for code, said in [outcome(command)] if code}  # fmt: skip
    assert failed == {}
    assert commands.count(None) <= WITHOUT


def test_chapters_are_worked_out_at_what_the_catalogue_is() -> None:
    kept = {topic: Examples(tuple(one["at"]), one["set"]) for topic, one in _chapters().items()}
    assert kept == dict(examples_in(SOURCE))
