"""What follows from a scenario's input stands in one table, whose formulas anybody may evaluate."""

from fractions import Fraction

import pytest

from workings.formula import evaluate, parse_expression
from workings.proof.setting import parse_given
from workings.scenario import load_scenario, preset_names
from workings.scenario.derived import FIGURES, RULES, broken, following, names, short
from workings.scenario.names import keys
from workings.units import Quantity


def test_a_letter_of_a_formula_means_one_key() -> None:
    every = set(keys().values()) | {figure.key for figure in FIGURES}
    assert len({short(key) for key in every}) == len(every)
    letters = {name for figure in FIGURES for name in names(parse_expression(figure.formula))}
    letters |= {name for rule in RULES for name in names(parse_given(rule.holds))}
    assert letters - {short(key) for key in every} == {"torus"}, "the network as a figure"


def test_every_figure_that_follows_is_its_formula_at_the_others() -> None:
    seen = set()
    for name in preset_names("scenarios"):
        scenario = load_scenario(name)
        known = {short(key): quantity.value for key, quantity in scenario.values.items()}
        for figure in FIGURES:
            if figure.key in scenario.followed and set(names(parse_expression(figure.formula))) <= set(
                known
            ):
                others = [one for one in FIGURES if one.key == figure.key]
                values = {evaluate(parse_expression(one.formula), known) for one in others
                          if set(names(parse_expression(one.formula))) <= set(known)}  # fmt: skip
                assert known[short(figure.key)] in values
                seen.add(figure.key)
    assert len(seen) >= 10


@pytest.mark.parametrize(("layout", "ranks", "copies"), [((1, 8), 8, 1), ((8, 1), 8, 1), ((2, 8), 8, 2)])
def test_state_is_sharded_by_fsdp_or_by_all_replicas(
    layout: tuple[int, int], ranks: int, copies: int
) -> None:
    dp, fsdp = layout
    scenario = load_scenario("xxl-220b", {"layout.dp": str(dp), "fsdp": str(fsdp), "batch": "16"})
    assert scenario.values["layout.dense_state_ranks"].value == ranks
    assert scenario.values["layout.state_copies"].value == copies


def test_the_first_rule_that_is_broken_says_what_was_expected() -> None:
    values = {key: Quantity(Fraction(n)) for key, n in {"model.blocks": 4, "layout.pp": 2,
              "layout.virtual_stages": 3}.items()}  # fmt: skip
    found = broken(values)
    assert found is not None
    assert (found[0].key, found[1]) == ("layout.virtual_stages", "at most model.blocks / pp = 2")
    assert broken({**values, "layout.virtual_stages": Quantity(Fraction(2))}) is None
    assert "layout.data_parallel" not in following(values), "it needs dp and fsdp"
