"""What a program may rely on: keys and types of each `--format json`, and exit codes, as recorded."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from documents import run
from looping import each

from workings.contract import SCHEMA, printed

RECORDED = json.loads((Path(__file__).parent / "data" / "contract.json").read_text(encoding="utf-8"))
OBJECTS: Mapping[str, Any] = RECORDED["objects"]
TYPES = {bool: "boolean", int: "integer", float: "number", str: "text", list: "list", dict: "object",
         type(None): "null"}  # fmt: skip


@cache
def shown(*arguments: str) -> str:
    return run(*arguments).stdout


def types_of(commands: list[list[str]]) -> dict[str, set[str]]:
    """The types of each top-level key that commands print."""
    found: dict[str, set[str]] = {}
    for arguments in commands:
        for key, value in json.loads(shown(*arguments)).items():
            found.setdefault(key, set()).add(TYPES[type(value)])
    return found


def test_the_contract_holds_every_command_that_prints_data_and_is_of_this_schema() -> None:
    assert RECORDED["schema"] == SCHEMA
    commands = {arguments[0] for entry in OBJECTS.values() for arguments in entry["commands"]}
    assert commands == {
        "list", "show", "value", "work", "solve", "simplify", "plan", "lint", "size", "sweep", "review",
        "check",
    }  # fmt: skip


@each("name", OBJECTS)
def test_a_command_prints_the_keys_and_types_that_are_recorded(name: str) -> None:
    recorded = {key: set(words.split(" or ")) for key, words in OBJECTS[name]["keys"].items()}
    printed_types = types_of(OBJECTS[name]["commands"])
    assert list(printed_types) == list(recorded)
    for key, types in printed_types.items():  # null is rare: it need not be among what is printed here
        assert types | {"null"} == recorded[key] | {"null"}, key
        assert types <= recorded[key], key


@each("name", OBJECTS)
def test_every_object_says_its_schema_first(name: str) -> None:
    made = shown(*OBJECTS[name]["commands"][0])
    assert made.startswith(f'{{\n "schema": {SCHEMA},\n')
    assert made.isascii()


@each("code", RECORDED["exit_codes"])
def test_exit_codes_are_those_that_are_recorded(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for arguments in RECORDED["exit_codes"][code]:
        made = run(*arguments)
        assert made.exit_code == int(code), arguments
        assert bool(made.stdout) == (code != "2"), arguments
        if code == "2":
            assert made.stderr.startswith("workings: ")
            assert made.stderr.count("\n") == 1


def test_what_is_printed_can_do_nothing_to_a_terminal() -> None:
    assert printed({"name": "a\x1b[31m\u202eb"}) == '{\n "name": "a\\u001b[31m\\u202eb"\n}\n'
