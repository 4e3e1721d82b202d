"""One title for one entry, one letter for one meaning: what is kept and what is sent are told apart."""

import re
from collections import Counter

from workings import api, catalogue
from workings.derivation import Derivation
from workings.formula import names_in

KEPT = {"gradient_width", "master_width", "moment_width"}
SENT = {"reduce_width"}
_SAYS_SENT = re.compile(
    r"\b(sen[dt]s?|reduc\w*|scatter\w*|exchang\w*|travels?|communicat\w*|hops?|transfers?|gathered|bandwidth)\b"
)


def quantities(what: Derivation, name: str, argument: str) -> set[str]:
    """The concepts that an argument of a used result is made of."""
    formula = what.uses[name].arguments[argument]
    return {what.letters[letter].name for letter in names_in(formula) if letter in what.letters}


def test_titles_are_unique() -> None:
    twice = [title for title, n in Counter(what.title for what in catalogue.every()).items() if n > 1]
    assert not twice


def test_what_is_sent_has_the_width_of_what_is_sent() -> None:
    """A message is made of no stored gradients, and what is kept by none that are communicated."""
    for what in catalogue.every():
        for name, use in what.uses.items():
            for argument in use.arguments:
                concept, made_of = use.derivation.letters[argument].name, quantities(what, name, argument)
                assert concept != "message" or not made_of & KEPT, (what.id, name)
                assert concept not in KEPT or not made_of & SENT, (what.id, name)


def says_sent(what: Derivation) -> bool:
    """Whether a derivation, or one whose result it uses, speaks of sending."""
    texts = (what.title, what.convention, *(line.reason for line in what.lines))
    return any(_SAYS_SENT.search(text.lower()) for text in texts) or any(
        says_sent(use.derivation) for use in what.uses.values()
    )


def test_a_formula_with_communicated_gradients_says_that_something_is_sent() -> None:
    for what in catalogue.every():
        if any(concept.name in SENT for concept in what.letters.values()):
            assert says_sent(what), what.id


def test_stored_and_communicated_gradients_count_where_they_are_meant() -> None:
    """At a scenario where both take different bytes, each formula hears one of them."""
    here = "llama3-8b-8"
    hears = {
        "bf16-gradient-saving": "gradient_width",
        "training-state": "gradient_width",
        "unreduced-gradient-buffer": "gradient_width",
        "sp-norm-gradient-bytes": "reduce_width",
        "ddp-step-bytes": "reduce_width",
        "dp-message": "reduce_width",
    }
    for id_, name in hears.items():
        what = catalogue.get(id_)
        widths = {concept.name for concept in what.letters.values()} & {"gradient_width", "reduce_width"}
        assert widths == {name}, id_
        letter = next(n for n, c in what.letters.items() if c.name == name)
        assert letter in what.needed
    stored = api.value("training-state", here, {"w_g": "8 byte"}).value
    assert stored - api.value("training-state", here, {"w_g": "4 byte"}).value > 0


def test_recomputing_every_block_takes_less_than_a_third_more() -> None:
    """What HFU's page says: logits are not computed again."""
    for preset in ("llama3-8b-8", "gpt3-512"):
        whole = api.value("model-training-flops", preset).value
        again = api.value("full-recompute-flops", preset).value - whole
        assert again < whole / 3, preset
    convention = catalogue.get("hardware-flops-utilization").convention
    assert "f_re < f_tok/3" in convention
