"""`entry`: a derivation as data, what `show` prints."""

import json

from documents import run

import workings
from workings import catalogue


def test_an_entry_has_every_line_letter_condition_and_its_source() -> None:
    what, made = catalogue.get("fsdp-fits"), workings.entry("fsdp-fits").to_dict()
    assert [line["reason"] for line in made["chain"]] == [line.reason for line in what.lines]
    assert set(made["letters"]) == set(what.letters)
    assert made["letters"]["N"]["concept"] == "N_fsdp"
    assert made["given"] == list(what.given)
    assert made["source"]["url"] == what.source.url
    assert made["formula"] == "N > (S + A/2)/(M_max - A/2)"


def test_it_prints_as_its_formula() -> None:
    assert repr(workings.entry("fsdp-memory")) == "fsdp-memory: M = (S + A/2)/N + A/2"
    assert repr(workings.get("fsdp-memory")).startswith("fsdp-memory: Memory of one FSDP device")


def test_show_prints_the_same_data_in_any_notation() -> None:
    for more, notation in (((), None), (("--notation", "megatron"), "megatron")):
        shown = json.loads(run("show", "block-forward-flops", "--format", "json", *more).stdout)
        assert shown == workings.entry("block-forward-flops", notation).to_dict()
    own = workings.entry("block-forward-flops")
    assert "h" in shown["letters"]
    assert "h" not in own.to_dict()["letters"]


def test_templates_are_refused_where_none_is_used() -> None:
    for form in ("text", "json"):
        made = run("show", "fsdp-memory", "--format", form, "--templates", "mine")
        assert made.exit_code == 2
        assert (
            made.stderr
            == f"workings: --templates: found it beside --format {form}, expected md, tex or html\n"
        )


def test_a_least_value_says_where_it_is_least() -> None:
    least = next(w for w in catalogue.every() if any(x.relation == "minimise" for x in w.lines))
    formulas = [line["formula"] for line in workings.entry(least.id).to_dict()["chain"]]
    assert any("[least over " in formula for formula in formulas)
