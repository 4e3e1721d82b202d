"""`find`: what a notebook gets for words, and what `list` prints of the same."""

import json

import pytest
from documents import run

import workings


def test_what_is_found_is_looped_over_indexed_and_counted() -> None:
    found = workings.find("fsdp memory")
    assert len(found) == len(found.ids) == len(list(found))
    assert found[0].id == found.ids[0]
    assert workings.value(found[found.ids.index("fsdp-memory")].id, at="xxl-220b").value > 0


def test_it_prints_as_a_short_list_that_says_how_many_more() -> None:
    few, many = repr(workings.find("fsdp-memory")), repr(workings.find("", "collectives")).splitlines()
    assert few.startswith("fsdp-memory ")
    assert "  Memory of one FSDP device" in few.splitlines()[0]
    assert len(many) == 13
    assert many[-1] == f"and {len(workings.list_ids('collectives')) - 12} more"


def test_list_prints_the_same_data() -> None:
    for arguments, found in (
        (("list", "--search", "ring time"), workings.find("ring time")),
        (("list", "memory"), workings.find(topic="memory")),
        (("list", "collectives", "--search", "ring"), workings.find("ring", "collectives")),
    ):
        assert json.loads(run(*arguments, "--format", "json").stdout) == found.to_dict()
        assert run(*arguments, "--json").stdout == run(*arguments, "--format", "json").stdout


def test_what_finds_nothing_is_refused_as_the_command_refuses_it() -> None:
    for arguments, words, topic in (
        (("list", "--search", "xyzzy"), "xyzzy", None), (("list", "nosuch"), "", "nosuch"),
    ):  # fmt: skip
        with pytest.raises(workings.UserError) as refused:
            workings.find(words, topic)
        assert run(*arguments).stderr == f"workings: {refused.value}\n"
