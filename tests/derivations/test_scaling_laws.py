"""Fitted scaling laws and the noise of two batches: published losses, sizes and budgets."""

from fractions import Fraction
from typing import Any

import pytest

from workings import catalogue
from workings.derivation.evaluation import DoesNotApplyError, value_of
from workings.formula.interval import rational


def at(id_: str, **letters: Any) -> float:
    exact: dict[str, Any] = {name: Fraction(n) for name, n in letters.items()}
    return float(rational(value_of(catalogue.get(id_), exact)))


BOTH_TERMS = {"A_P": "406.4", "B_T": "410.7", "alpha_P": "0.34", "beta_T": "0.28"}
FIT = {"E_0": "1.69", **BOTH_TERMS}


@pytest.mark.parametrize(
    ("parameters", "tokens", "loss"),
    [
        # nostalgebraist, “chinchilla's wild implications” (2022): Gopher and Chinchilla by the fit
        ("280e9", "300e9", 1.993),
        ("70e9", "1400e9", 1.936),
    ],
)
def test_losses_of_gopher_and_chinchilla_by_the_fit(parameters: str, tokens: str, loss: float) -> None:
    assert (
        abs(at("scaling-law-loss", P=parameters, T_tok=tokens, **FIT) - loss) < 0.001
    )  # it cuts digits off


def test_without_end_of_size_and_data_only_the_floor_is_left() -> None:
    assert abs(at("scaling-law-loss", P="1e200", T_tok="1e200", **FIT) - 1.69) < 1e-9


def test_the_best_size_is_better_than_sizes_beside_it_at_the_same_budget() -> None:
    for budget in ("1e20", "5.76e23", "3e26"):
        best = at("scaling-law-parameters", Phi=budget, **BOTH_TERMS)
        losses = [
            at("scaling-law-loss", P=size, T_tok=float(budget) / 6 / size, **FIT)
            for size in (0.9 * best, best, 1.1 * best)
        ]
        assert losses[1] < min(losses[0], losses[2])


def test_best_size_and_best_data_spend_the_budget() -> None:
    law = {"A_P": 3, "B_T": 50, "alpha_P": "0.5", "beta_T": "0.25", "Phi": "6e12"}
    size, data = at("scaling-law-parameters", **law), at("scaling-law-tokens", **law)
    assert abs(size * data / 1e12 - 1) < 1e-12


def test_the_printed_fit_gives_32_billion_at_gophers_budget_and_not_the_40_of_the_figure() -> None:
    # Hoffmann et al. 2022, equation 4 with appendix D.2; figure 4 says 40B
    assert round(at("scaling-law-parameters", Phi="5.76e23", **BOTH_TERMS) / 1e9) == 32


def test_equal_terms_share_the_budget_evenly() -> None:
    law = {"A_P": 7, "B_T": 7, "alpha_P": "0.3", "beta_T": "0.3", "Phi": "6e20"}
    assert abs(at("scaling-law-parameters", **law) / 1e10 - 1) < 1e-12


def test_llama_3s_printed_constants_give_ten_and_a_half_trillion_tokens() -> None:
    # Grattafiori et al. 2024, section 3.2.1 prints 16.55T; 0.538 would give it
    tokens = at("power-law-tokens", k="0.29", a_k="0.53", Phi="3.8e25")
    assert abs(tokens / 10.5e12 - 1) < 0.01
    assert abs(at("power-law-tokens", k="0.29", a_k="0.5378", Phi="3.8e25") / 16.55e12 - 1) < 0.01


@pytest.mark.parametrize(("exponent", "times"), [("0.73", 5.37), ("0.5", 3.162), ("0.27", 1.862)])
def test_ten_times_the_budget(exponent: str, times: float) -> None:
    # Hoffmann et al. 2022, section 1, quotes Kaplan et al. with 5.5 times the model, 1.8 times the data
    assert abs(at("power-law-growth", a_k=exponent, r_Phi=10) - times) < 0.005


def test_a_power_law_of_parameters_leaves_the_other_power_for_tokens() -> None:
    law = {"k": 2, "a_k": "0.5", "Phi": "36e20"}
    assert at("power-law-parameters", **law) == 12e10
    assert abs(at("power-law-tokens-left", **law) / 5e9 - 1) < 1e-12


# --- noise of two batches ----------------------------------------------------------------------


def test_two_batches_reveal_gradient_and_noise() -> None:
    # a squared gradient of 3 and a token's variance of 24: 3 + 24/8 and 3 + 24/64 are measured
    measured = {"B_1": 8, "B_2": 64, "g_1": 6, "g_2": "3.375"}
    assert at("gradient-from-two-batches", **measured) == 3
    assert at("noise-from-two-batches", **measured) == 24
    assert at("noise-scale-from-two-batches", **measured) == 8


def test_gradients_that_do_not_shrink_with_the_batch_have_no_noise_scale() -> None:
    with pytest.raises(DoesNotApplyError, match="g_1 > g_2"):
        at("noise-scale-from-two-batches", B_1=8, B_2=64, g_1=3, g_2=3)
    assert at("noise-from-two-batches", B_1=8, B_2=64, g_1=3, g_2=3) == 0
