"""A formula for another kind of model is refused, and the one that answers is named."""

import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

import workings
from workings import catalogue
from workings.derivation import Derivation
from workings.derivation.evaluation import DoesNotApplyError, check_conditions
from workings.errors import UserError
from workings.formula import DoesNotEvaluateError
from workings.scenario import Scenario, load_scenario, preset_names
from workings.units import Quantity
from workings.values.binding import bind
from workings.values.worked import work
from workings.vocabulary import kinds
from workings.vocabulary.kinds import GATED, WITHOUT_ATTENTION, WITHOUT_EXPERTS, Kind, together

ANSWERED_BEFORE = Path(__file__).parent / "data" / "answered_before.toml"
MOST_WITHOUT = 0.02


@cache
def scenario(name: str) -> Scenario:
    """A scenario preset; or, named for a model, one of that model."""
    if name in preset_names("models"):
        return load_scenario("llama3-8b-8", {"model": name, "tp": "1"})
    return load_scenario(name)


@cache
def outcome(id_: str, name: str) -> UserError | None:
    """Why an entry does not answer at a scenario preset; None where it does."""
    try:
        work(catalogue.get(id_), scenario(name))
    except UserError as error:
        return error
    return None


def test_a_formula_for_another_kind_of_model_is_refused_and_names_its_successor() -> None:
    what = replace(workings.get("ring-all-reduce"), holds_for={WITHOUT_ATTENTION: "ring-all-gather"})
    settings = {"group": "8", "message": "1 GB"}
    with pytest.raises(DoesNotApplyError, match="this model has attention; ring-all-gather answers here"):
        bind(what, load_scenario("llama3-8b-8"), settings)
    assert bind(what, load_scenario("xxl-220b"), settings).values
    assert bind(what, None, settings).values  # who gives every letter knows the model


@pytest.mark.parametrize(
    ("id_", "name", "instead"),
    [
        ("devices-for-state", "llama3-8b-8", "devices-for-training-state"),
        ("dense-parameters", "mixtral-8x7b-64", "moe-parameters"),
        ("block-activations-llama", "gpt3-512", "block-activations"),
        # the entry that is named is for another kind too: the one that it names is named at once
        ("ffn-parameters", "deepseek-v3-2048", "mla-moe-parameters"),
        ("gpt-parameters", "moe-1024", "moe-parameters"),
        ("block-activations", "mixtral-8x7b-64", "block-activations-experts"),
    ],
)
def test_the_entry_that_answers_at_this_scenario_is_named(id_: str, name: str, instead: str) -> None:
    found = outcome(id_, name)
    assert isinstance(found, DoesNotApplyError)
    assert found.instead == instead
    assert str(found).endswith(f"; {instead} answers here")
    assert outcome(instead, name) is None


def test_the_state_of_llama_3_8b_takes_two_devices() -> None:
    assert work(catalogue.get("devices-for-training-state"), scenario("llama3-8b-8")).value == 2


def user(holds_for: dict[Kind | str, str] | None = None, **arguments: str) -> Derivation:
    """An entry that uses the parameters of a feed-forward stack."""
    stack = catalogue.get("ffn-parameters")
    saving = catalogue.get("bf16-gradient-saving")
    return replace(saving, uses={"P": stack.at(**arguments)}, holds_for=holds_for or {})


def test_an_entry_is_for_the_models_that_its_results_are_for_unless_it_says_so_itself() -> None:
    llama = scenario("llama3-8b-8")
    with pytest.raises(DoesNotApplyError, match="uses another result: ffn-parameters does not apply"):
        bind(user(), llama)
    assert bind(user(), llama, {"ffn-parameters": "5"}).pinned  # given, so not used
    assert bind(user(F="4*D"), llama).values  # of a stack of its own, not of the model
    assert bind(user({WITHOUT_EXPERTS: ""}), llama).values
    with pytest.raises(DoesNotApplyError, match="it is for models without experts"):
        bind(user({WITHOUT_EXPERTS: ""}), scenario("mixtral-8x7b-64"))


def test_a_violated_condition_names_the_entry_that_answers_where_one_is_declared() -> None:
    what = catalogue.get("fsdp-memory")
    there = replace(what, holds_for={"2 divides L": "fsdp-device-memory"})
    with pytest.raises(DoesNotApplyError, match=r"\); fsdp-device-memory answers here$"):
        check_conditions(there, {"L": Fraction(3)})


def all_kinds() -> Iterator[Kind]:
    return (kind for kind in vars(kinds).values() if isinstance(kind, Kind))


def test_a_kind_is_shown_by_figures_of_the_section_that_it_is_about() -> None:
    class Noting(dict[str, Quantity]):
        """The figures of a scenario, noting which of them are read."""

        def get(self, key: str, default: Quantity | None = None) -> Quantity | None:  # type: ignore[override]
            read.add(key.split(".", maxsplit=1)[0])
            return super().get(key, default)

        def __getitem__(self, key: str) -> Quantity:
            read.add(key.split(".", maxsplit=1)[0])
            return super().__getitem__(key)

    for kind in all_kinds():
        read: set[str] = set()
        for name in preset_names("scenarios"):
            kind.shown_by(Noting(scenario(name).values))
        assert read <= {kind.about}, kind.says


def test_every_kind_is_somebodys_and_reads_as_a_sentence() -> None:
    used = {kind for what in catalogue.every() for kind in what.kinds}
    assert set(all_kinds()) - {GATED} <= used | {kinds.PLAIN, kinds.LINEAR}
    assert all(
        "  " not in what.for_whom and what.for_whom[-1:] in ("", ".") for what in catalogue.every()
    )


def test_several_kinds_are_said_as_one_phrase() -> None:
    assert catalogue.get("adafactor-state").for_whom == (
        "It is for models with attention, without experts and without latent attention."
    )
    whose = ["models whose heads fill it", "models with one head"]
    assert together(whose) == "models with one head and whose heads fill it"
    assert together(whose[:1]) == whose[0]


def test_every_successor_counts_the_same_thing_and_answers_where_it_is_named() -> None:
    for what in catalogue.every():
        assert {text for text in what.holds_for if isinstance(text, str)} <= set(what.given), what.id
        for id_ in filter(None, what.holds_for.values()):
            named = catalogue.get(id_)
            assert (named.unit, named.noun) == (what.unit, what.noun), f"{what.id} names {id_}"
            names = (*preset_names("scenarios"), *preset_names("models"))
            there = (n for n in names if outcome(what.id, n) is not None)
            assert any(answers_once_given(id_, n) for n in there), f"{what.id} names {id_}"


def answers_once_given(id_: str, name: str) -> bool:
    """Whether an entry answers at a preset, or would if letters that no scenario has were given.

    That nothing fits is an answer as well.
    """
    error = outcome(id_, name)
    return error is None or isinstance(error, DoesNotEvaluateError) or says_that_none_does(error)


def says_that_none_does(error: UserError | None) -> bool:
    """Whether a violated condition says what that means, such as that no batch is large enough."""
    meanings = {meaning for what in catalogue.every() for meaning in what.otherwise.values()}
    return error is not None and any(meaning in str(error) for meaning in meanings)


def answered_before() -> Iterator[tuple[str, str]]:
    groups = tomllib.loads(ANSWERED_BEFORE.read_text(encoding="utf-8"))["answered"]
    for group in groups:
        names = preset_names("scenarios") if group["at"] == "all" else group["at"]
        yield from ((id_, name) for id_ in group["ids"] for name in names)


def successor(id_: str, name: str) -> str:
    """The entry that answers an entry's question at a scenario where it does not itself; or nothing."""
    error = outcome(id_, name)
    if says_that_none_does(error):
        return f"{id_} itself, with none"
    instead = error.instead if isinstance(error, DoesNotApplyError) else ""
    there = outcome(instead, name) if instead else error
    if there is not None and not says_that_none_does(there):
        return ""
    what, other = catalogue.get(id_), catalogue.get(instead)
    return instead if (what.unit, what.noun) == (other.unit, other.noun) else ""


def test_what_answered_before_and_is_refused_now_has_a_successor() -> None:
    """Every such pair is printed (`pytest -s` shows it) with the entry that answers now, or why not."""
    refused = [(id_, name) for id_, name in answered_before() if outcome(id_, name) is not None]
    now = {pair: successor(*pair) for pair in refused}
    without = [pair for pair, instead in now.items() if not instead]
    for (id_, name), instead in now.items():
        sys.stdout.write(f"{id_} at {name}: {instead or f'no successor ({outcome(id_, name)})'}\n")
    entries = Counter(id_ for id_, _ in without)
    assert len(without) <= MOST_WITHOUT * len(refused), f"{len(without)} of {len(refused)}: {entries}"


def test_a_figure_set_by_hand_reaches_the_letter_that_is_another_reading_of_it() -> None:
    cost, gather = catalogue.get("training-flops-six-n"), catalogue.get("mesh-gather-time")
    run = {"parameters": "7", "training_tokens": "1"}
    assert work(cost, scenario("mixtral-8x7b-64"), run).value == 42
    assert bind(gather, None, {"d_ff": "96"}).values["F"] == 96
    asked = {"d_ff": "96"}
    wide = load_scenario("llama3-8b-8", asked)
    assert bind(gather, wide, asked).values["F"] == 144  # three matrices, as of two


def test_a_token_of_a_mixture_meets_its_own_experts_only() -> None:
    mixtral = scenario("mixtral-8x7b-64")
    active = work(catalogue.get("moe-active-parameters"), mixtral).value
    six_n = work(catalogue.get("training-flops-six-n"), mixtral, {"T_tok": "1"}).value
    assert six_n == 6 * active < 6 * 13 * 10**9
