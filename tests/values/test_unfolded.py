"""The results that a worked formula uses, worked out each once."""

import pytest

from workings import catalogue
from workings.derivation.evaluation import DoesNotApplyError
from workings.formula import DoesNotEvaluateError, evaluate, names_in, plain
from workings.formula.interval import rational
from workings.scenario import load_scenario
from workings.units import Format
from workings.values.binding import bind
from workings.values.unfolded import Unfolded, unfold
from workings.values.worked import Worked, work

SCENARIOS = ("xxl-220b", "llama3-405b-16k", "mixtral-8x7b-64", "deepseek-v3-2048", "gpt3-512")


def of(id_: str, scenario: str = "xxl-220b", **settings: str) -> tuple[Worked, list[Unfolded]]:
    what, place, style = catalogue.get(id_), load_scenario(scenario), Format()
    done = work(what, place, settings, style)
    return done, list(unfold(done, bind(what, place, settings), style))


def test_results_come_before_those_that_use_them_each_once() -> None:
    _, found = of("fsdp-smallest-n")
    assert [one.name for one in found] == ["P", "S", "A", "N_fit"]
    assert plain(found[-1].done.symbolic) == plain(catalogue.get("fsdp-fits").result).replace(
        "S", "fsdp-fits.S"
    ).replace("A", "fsdp-fits.A")
    assert {key: (what.id, letter) for key, (what, letter) in found[1].inner.items()} == {
        "model-state.P": ("ffn-parameters", "P")
    }


def test_a_result_is_shown_to_the_digit_with_which_its_user_shows_it() -> None:
    done, found = of("fsdp-fits")
    said = {one.letter: one.shown for one in done.inputs}
    assert {one.name: one.done.shown.number for one in found} == {
        "P": "219,848,638,464", "S": said["S"].number, "A": said["A"].number,
    }  # fmt: skip


def test_its_formula_is_in_the_letters_of_the_formula_at_the_top() -> None:
    _, [flops] = of("split-matmul-flops", "xxl-220b", t="8", B="4096", D="64", F="32")
    assert plain(catalogue.get("matmul-flops").result, units=False) == "2*B*D*F"
    assert plain(flops.done.symbolic, units=False) == "2*B*F*D"
    assert flops.done.value == 2 * 4096 * 64 * 32


def test_what_is_set_in_the_place_of_a_result_is_not_worked_out() -> None:
    _, found = of("fsdp-fits", S="3520 GB")
    assert [one.name for one in found] == ["A"]


def test_a_formula_that_uses_nothing_has_nothing_to_unfold() -> None:
    assert of("ffn-parameters")[1] == []


def test_every_line_recomputed_as_printed_gives_the_value() -> None:
    counted = 0
    for id_ in catalogue.ids():
        what = catalogue.get(id_)
        if not set(names_in(what.result)) & set(what.uses):
            continue
        for scenario in SCENARIOS:
            try:
                _, found = of(id_, scenario)
            except (DoesNotApplyError, DoesNotEvaluateError):
                continue
            for one in found:
                again = rational(evaluate(one.done.substituted, {}))
                assert float(again) == pytest.approx(float(one.done.value), rel=1e-3), (id_, one.name)
                assert set(names_in(one.done.symbolic)) <= {*what.letters, *one.inner}
                counted += 1
            break
    assert counted > 100
