"""Fitted scaling laws.

Losses of many runs are fitted by a floor, a part that parameters lower and a part that tokens lower,
each by a power. Where a budget fixes parameters times tokens, the law has a best split of it: there one
percent more parameters takes off as much loss as the tokens it costs add. Other fits skip the loss and
give the best size, or the best number of tokens, as a power of the budget. A coefficient and an
exponent belong together: either of them rounded, or taken from another fit, moves the result by much at
large budgets.
"""

from fractions import Fraction

from workings.derivation import derivation, like, only_if
from workings.derivations.scale.chinchilla import CHINCHILLA
from workings.derivations.sources import KAPLAN, LLAMA_3
from workings.simulate.scaling import balanced_data, cheapest_loss, power_between
from workings.simulate.steps import touch_weights
from workings.units import ONE
from workings.vocabulary.model import PARAMETERS
from workings.vocabulary.scale import (
    BUDGET_GROWTH,
    COMPUTE_BUDGET,
    DATA_COEFFICIENT,
    DATA_EXPONENT,
    LAW_COEFFICIENT,
    LAW_EXPONENT,
    LOSS_FLOOR,
    SIZE_COEFFICIENT,
    SIZE_EXPONENT,
)
from workings.vocabulary.training import TRAINING_TOKENS

LOSS_OF_SIZE = {"A_P": SIZE_COEFFICIENT, "alpha_P": SIZE_EXPONENT}
LOSS_OF_DATA = {"B_T": DATA_COEFFICIENT, "beta_T": DATA_EXPONENT}
PUBLISHED = (
    "Published fit (`E_0`, `A_P`, `B_T`, `alpha_P`, `beta_T`): 1.69, 406.4, 410.7, 0.34, 0.28 (Hoffmann "
    "et al. 2022, appendix D.2)."
)
Bracket = tuple[Fraction, Fraction]


def close_in_on_both_powers(
    P: int, T_tok: int, E_0: Fraction, A_P: Fraction, B_T: Fraction, alpha_P: Fraction, beta_T: Fraction
) -> Bracket:
    """Both powers closed in on by whole numbers; what is added to the floor, with its bounds."""
    (p_low, p_high), (t_low, t_high) = power_between(P, alpha_P), power_between(T_tok, beta_T)
    return E_0 + A_P / p_high + B_T / t_high, E_0 + A_P / p_low + B_T / t_low


SCALING_LAW_LOSS = derivation(
    "scaling-law-loss",
    title="Loss that a fitted scaling law foretells",
    phrases="L(N,D) = E + A/N^alpha + B/D^beta; Chinchilla parametric loss; expected loss of a 70B model "
    "on 1.4T tokens; predict pretraining loss from parameters and tokens; 1.69 + 406.4/N^0.34 + "
    "410.7/D^0.28; Hoffmann loss fit approach 3; irreducible loss plus size and data terms",
    unit=ONE,
    letters={
        "P": PARAMETERS,
        "T_tok": TRAINING_TOKENS,
        "E_0": LOSS_FLOOR,
        **LOSS_OF_SIZE,
        **LOSS_OF_DATA,
    },
    source=CHINCHILLA.at("section 3.3, equation 2, and appendix D.2, equation 10"),
    oracle=close_in_on_both_powers,
    convention=f"In nats a token, of the data and tokenizer of the fit. {PUBLISHED}",
    leaves_out="Learning rate, batch, data that is repeated: runs of the fit were tuned.",
    chain="""
    L_PT = E_0 + A_P/P^alpha_P + B_T/T_tok^beta_T     -- the floor, what size adds, what data adds
    """,
)


BUDGET = {**LOSS_OF_SIZE, **LOSS_OF_DATA, "Phi": COMPUTE_BUDGET}
LEAST_EXPONENTS = Fraction(3, 10)  # below it the best size lies beyond all numbers


def best_size(
    A_P: Fraction, B_T: Fraction, alpha_P: Fraction, beta_T: Fraction, Phi: Fraction
) -> Bracket:
    """Sizes tried up and down, the budget's other tokens going to data, until neither way helps."""
    only_if(alpha_P + beta_T >= LEAST_EXPONENTS)
    pairs = Phi / touch_weights(1, 1)
    return cheapest_loss((A_P, alpha_P), (B_T, beta_T), pairs)


def try_sizes(**law: Fraction) -> Bracket:
    """The best size, searched for by the loss."""
    return best_size(**law)


SCALING_LAW_PARAMETERS = derivation(
    "scaling-law-parameters",
    title="Parameters of least loss at a budget, by a fitted scaling law",
    phrases="N_opt = G (C/6)^a; efficient frontier of the parametric fit; Chinchilla approach 3 optimal "
    "model size; a = beta/(alpha+beta); minimise loss subject to FLOPs = 6ND; argmin of L(N,D) at fixed "
    "compute; compute-optimal size from A B alpha beta",
    unit=ONE,
    noun="parameters",
    fractional="a law fitted to measured runs",
    letters=BUDGET,
    source=CHINCHILLA.at("section 3.3, equation 4"),
    oracle=try_sizes,
    convention="6 FLOPs a parameter and token; along `P*T = Phi/6` the loss is least where "
    f"`alpha_P*A_P/P^alpha_P = beta_T*B_T/T^beta_T`, solved for the size. {PUBLISHED} With "
    "them it is 32 billion at Gopher's 5.76e23 FLOPs, where the paper's figure says 40: its exponents "
    "are printed rounded.",
    chain="""
    P_opt = (alpha_P*A_P/(beta_T*B_T)*(Phi/6[FLOP])^beta_T)^(1/(alpha_P + beta_T))
                                  -- a percent more parameters takes off what the tokens it costs add
      = (alpha_P*A_P/(beta_T*B_T))^(1/(alpha_P + beta_T))
          *(Phi/6[FLOP])^(beta_T/(alpha_P + beta_T))
                                  -- a root of each factor: the paper's `G`, and `a` its second exponent
    """,
)


def give_the_rest_to_data(Phi: Fraction, **law: Fraction) -> Bracket:
    """The best size, searched for by the loss; the tokens that it leaves of the budget."""
    low, high = best_size(Phi=Phi, **law)
    return Phi / touch_weights(1, 1) / high, Phi / touch_weights(1, 1) / low


SCALING_LAW_TOKENS = derivation(
    "scaling-law-tokens",
    title="Tokens of least loss at a budget, by a fitted scaling law",
    phrases="D_opt = (1/G) (C/6)^b; Chinchilla approach 3 optimal data size; b = alpha/(alpha+beta); how "
    "many tokens minimise the fitted loss; tokens on the efficient frontier; compute-optimal tokens from "
    "A B alpha beta",
    unit=ONE,
    noun="tokens",
    fractional="a law fitted to measured runs",
    letters=BUDGET,
    source=CHINCHILLA.at("section 3.3, equation 4"),
    oracle=give_the_rest_to_data,
    convention="6 FLOPs a parameter and token; along `P*T = Phi/6` the loss is least where "
    f"`alpha_P*A_P/P^alpha_P = beta_T*B_T/T^beta_T`, solved for the tokens. {PUBLISHED}",
    chain="""
    T_opt = (beta_T*B_T/(alpha_P*A_P)*(Phi/6[FLOP])^alpha_P)^(1/(alpha_P + beta_T))
                                  -- a percent more tokens takes off what the parameters it costs add
      = (beta_T*B_T/(alpha_P*A_P))^(1/(alpha_P + beta_T))
          *(Phi/6[FLOP])^(alpha_P/(alpha_P + beta_T))
                                  -- a root of each factor: one over the paper's `G`, and its `b`
    """,
)


def try_tokens(P: int, A_P: Fraction, B_T: Fraction, alpha_P: Fraction, beta_T: Fraction) -> Bracket:
    """Tokens tried up and down until a little more of them, for less of the size, gains nothing."""
    only_if(alpha_P + beta_T >= LEAST_EXPONENTS and beta_T >= LEAST_EXPONENTS / 2)
    return balanced_data((A_P, alpha_P), (B_T, beta_T), P)


SCALING_LAW_TOKENS_FOR_SIZE = derivation(
    "scaling-law-tokens-for-size",
    title="Tokens for which a size is the best, by a fitted scaling law",
    phrases="compute-optimal tokens for a given model size; how many tokens should a 400M model train on "
    "by the parametric fit; D for fixed N on the efficient frontier; data that goes with a model size in "
    "Chinchilla approach 3; dataset size that matches parameters",
    unit=ONE,
    noun="tokens",
    fractional="a law fitted to measured runs",
    letters={"P": PARAMETERS, **LOSS_OF_SIZE, **LOSS_OF_DATA},
    source=CHINCHILLA.at("section 3.3, equation 4"),
    oracle=try_tokens,
    convention="Where parameters times tokens are fixed, the loss is least where "
    f"`alpha_P*A_P/P^alpha_P = beta_T*B_T/T^beta_T`; here that is solved for the tokens. {PUBLISHED} "
    "With them it grows faster than the size; 20 a parameter is the mean of the paper's three fits.",
    leaves_out="What serving a smaller model saves, which speaks for more tokens.",
    chain="""
    T_fit = (beta_T*B_T/(alpha_P*A_P/P^alpha_P))^(1/beta_T)
                                  -- a percent more tokens takes off what the parameters it costs add
      = (beta_T*B_T/(alpha_P*A_P))^(1/beta_T)*P^(alpha_P/beta_T)
                                  -- a root of each factor
    """,
)


def close_in_on_the_power(k: Fraction, a_k: Fraction, Phi: Fraction) -> Bracket:
    """The power closed in on by whole numbers."""
    low, high = power_between(Phi, a_k)
    return k * low, k * high


POWER_LAW_PARAMETERS = derivation(
    "power-law-parameters",
    title="Parameters that a fitted power law gives a budget",
    phrases="N_opt = A C^a; N_opt proportional to C^0.5; Kaplan C^0.73; IsoFLOP fit of optimal model "
    "size; exponent 0.49 or 0.46 of optimal parameters; power-law fit of best model size against "
    "compute; scaling exponent of parameters",
    unit=ONE,
    noun="parameters",
    fractional="a law fitted to measured runs",
    letters={"k": LAW_COEFFICIENT, "a_k": LAW_EXPONENT, "Phi": COMPUTE_BUDGET},
    source=CHINCHILLA.at("sections 3.1 and 3.2, table 2"),
    oracle=close_in_on_the_power,
    convention="Published exponents of parameters: 0.50, 0.49 and 0.46 (Hoffmann et al.'s three "
    "approaches), 0.73 (Kaplan et al.); on other data 0.50 (C4) and 0.53 (code). The tokens' exponent is "
    "one less it. `k` comes from a size and budget of the same fit.",
    chain="""
    P_k = k*(Phi/1[FLOP])^a_k     -- the law, of a budget in FLOPs
    """,
)


POWER_LAW_TOKENS = like(
    "power-law-tokens",
    POWER_LAW_PARAMETERS,
    title="Tokens that a fitted power law gives a budget",
    phrases="N*(C) = A C^alpha training tokens; Llama 3 (alpha, A) = (0.53, 0.29); D_opt = B C^b; best "
    "number of tokens from a power law fit; 16.55T tokens at 3.8e25 FLOPs; exponent 0.5 of optimal data; "
    "Kaplan D proportional to C^0.27",
    noun="tokens",
    source=LLAMA_3.at("section 3.2.1, equation 1"),
    convention="Llama 3: `a_k` = 0.53, `k` = 0.29, as printed; at 3.8e25 FLOPs they give 10.5 trillion "
    "tokens, while the paper's 16.55 trillion need an exponent of 0.538. Hoffmann et al.'s exponents of "
    "tokens are 0.50, 0.51 and 0.54, Kaplan et al.'s 0.27.",
    oracle=close_in_on_the_power,
    chain="""
    T_k = k*(Phi/1[FLOP])^a_k     -- the law, of a budget in FLOPs
    """,
)


def train_what_is_left(k: Fraction, a_k: Fraction, Phi: Fraction) -> Bracket:
    """The power closed in on; the budget over what one token costs that many parameters."""
    low, high = close_in_on_the_power(k, a_k, Phi)
    return Phi / (touch_weights(1, 1) * high), Phi / (touch_weights(1, 1) * low)


POWER_LAW_TOKENS_LEFT = like(
    "power-law-tokens-left",
    POWER_LAW_PARAMETERS,
    title="Tokens that a budget leaves where a power law gives the parameters",
    phrases="D_opt = C/(6 N_opt); tokens for the optimal model size of a fit; data from the rest of the "
    "budget; C over 6 times optimal parameters; tokens that go with Kaplan's model size; exponent of "
    "tokens one minus a",
    noun="tokens",
    uses={"P_k": POWER_LAW_PARAMETERS.at()},
    oracle=train_what_is_left,
    convention="6 FLOPs a parameter and token, all of the budget spent.",
    chain="""
    T_left = Phi/(6[FLOP]*P_k)                   -- the budget, over what a token costs that model
      = (Phi/1[FLOP])^(1 - a_k)/(6*k)              -- put the law in: exponents add to one
    """,
)


def compare_two_budgets(k: Fraction, a_k: Fraction, Phi: Fraction, r_Phi: Fraction) -> Bracket:
    """The law closed in on at a budget and at one so many times larger; the larger over the smaller."""
    low, high = close_in_on_the_power(k, a_k, Phi)
    least, most = close_in_on_the_power(k, a_k, r_Phi * Phi)
    return least / high, most / low


POWER_LAW_GROWTH = derivation(
    "power-law-growth",
    title="Times that the best size grows with the budget",
    phrases="10x compute gives 5.5x parameters and 1.8x tokens; how much larger a model for ten times "
    "the compute; 10^0.73; Kaplan growth of model size with budget; model size multiplier for twice the "
    "FLOPs; C^a growth factor",
    unit=ONE,
    letters={**POWER_LAW_PARAMETERS.letters, "r_Phi": BUDGET_GROWTH},
    uses={"P_k": POWER_LAW_PARAMETERS.at(), "P_r": POWER_LAW_PARAMETERS.at(Phi="r_Phi*Phi")},
    source=KAPLAN.at("section 1.1 and figure 3"),
    oracle=compare_two_budgets,
    convention="With the exponent of parameters it is the model's growth, with that of tokens (one less "
    "it) the data's.",
    chain="""
    r_a = P_r/P_k     -- the law at two budgets, of which one is so many times the other
      = (k*(r_Phi*Phi/1[FLOP])^a_k)/(k*(Phi/1[FLOP])^a_k)     -- put them in
      = r_Phi^a_k     -- coefficient and budget cancel
    """,
)
