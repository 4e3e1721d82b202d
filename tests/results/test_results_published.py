"""A reader of a source finds where each of its formulas stands, and the entry that has it."""

import json

import pytest
from click.testing import CliRunner

from workings import catalogue
from workings.catalogue.published import publications, published_in
from workings.cli import main
from workings.errors import UserError
from workings.results.published import published


def test_every_formula_of_every_source_names_entries_of_the_catalogue() -> None:
    assert {id_ for one in publications() for formula in one.formulas for id_ in formula.ids} <= set(
        catalogue.ids()
    )
    assert all(formula.place and formula.words and formula.ids for one in publications()
               for formula in one.formulas)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("zero", {"zero"}),
        ("Pope", {"pope-2022-efficiently-scaling-inference"}),
        ("2205.05198", {"korthikanti-activation-recomputation"}),
        ("Nobody", set()),
        ("Casper", {"korthikanti-activation-recomputation", "megatron-lm-1", "megatron-lm-2"}),
    ],
)
def test_a_source_is_named_by_its_name_an_author_or_its_number(text: str, names: set[str]) -> None:
    if names:
        assert {one.name for one in published_in(text)} == names
    else:
        with pytest.raises(UserError, match="expected a word of a source's name, one of chinchilla"):
            published_in(text)


def test_a_name_that_several_begin_with_means_all_of_them() -> None:
    assert all(one.name.startswith("scaling-book") for one in published_in("scaling book"))
    assert len(published_in("scaling book")) > 5


def test_formulas_stand_in_the_order_of_their_source() -> None:
    listed = published("korthikanti").formulas
    own = published_in("korthikanti")[0].formulas
    assert [one.formula for one in listed] == list(own)


def test_a_question_chooses_among_the_formulas_of_a_source() -> None:
    first = published("pope", "time to gather the weights").formulas[0]
    assert first.formula.place.startswith("Appendix A.2.2")
    assert first.formula.ids == ("mesh-gather-time-large",)


def test_a_question_that_shares_no_word_with_a_source_is_an_error() -> None:
    with pytest.raises(UserError, match="found no formula of zero for 'qwertz', expected its own words"):
        published("zero", "qwertz")


def test_the_command_lists_places_words_and_ids() -> None:
    done = CliRunner().invoke(main, ["list", "--source", "zero-bubble"])
    assert done.exit_code == 0
    assert "arXiv:2401.10241" in " ".join(done.output.split())
    assert "pipeline-bubble" in done.output


def test_a_topic_beside_a_source_is_refused() -> None:
    done = CliRunner().invoke(main, ["list", "serving", "--source", "zero"])
    assert done.exit_code == 2
    assert "--source: found a topic, serving, beside it, expected one of the two" in done.output


def test_the_command_prints_the_same_as_data() -> None:
    done = CliRunner().invoke(main, ["list", "--source", "zero", "--search", "bytes", "--json"])
    data = json.loads(done.output)
    assert data["source"] == "zero"
    assert {"source", "place", "words", "ids", "wrong"} == set(data["formulas"][0])


def test_a_formula_that_is_wrong_in_print_is_listed_with_what_is_right() -> None:
    [wrong] = [one.formula for one in published("korthikanti").formulas
               if "megatron-selective-flops" in one.formula.ids]  # fmt: skip
    assert "2*s/(9*h)" in wrong.wrong
    shown = CliRunner().invoke(main, ["list", "--source", "korthikanti"]).output
    assert "not right as it is printed: The source's own 4*B*s^2*h a block" in shown
    assert "more have no entry: reports/coverage says why." in shown
