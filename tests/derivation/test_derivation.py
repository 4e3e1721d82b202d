"""What a derivation is made of: results, used results, conditions, values."""

from collections.abc import Mapping
from fractions import Fraction

import pytest

from workings import catalogue
from workings.derivation import Derivation, Source, Use, derivation, describe_use, like
from workings.derivation.evaluation import DoesNotApplyError, needed_letters, unfolded, value_of
from workings.derivation.pins import Spot
from workings.formula import DoesNotEvaluateError, FormulaError, plain
from workings.proof import Divides
from workings.units import BYTE, ONE, Dimension
from workings.vocabulary.collectives import GROUP, MESSAGE
from workings.vocabulary.concept import Concept
from workings.vocabulary.training import TOKENS

SOURCE = catalogue.get("ring-all-reduce").source


def declare(
    chain: str,
    letters: Mapping[str, Concept] | None = None,
    uses: Mapping[str, Use] | None = None,
    given: tuple[str, ...] = (),
    unit: Dimension = BYTE,
) -> Derivation:
    return derivation(
        "mine", title="Mine", unit=unit, letters=letters or {"N": GROUP, "S": MESSAGE},
        source=SOURCE, oracle=lambda **_: 0, chain=chain, uses=uses, given=given,
    )  # fmt: skip


def test_the_result_is_the_last_form_reached_by_equality_and_bounds_are_kept_apart() -> None:
    what = declare("V = S + S\n = 2*S\n <= 3*S\n ≈ [N -> oo] 2*S")
    assert (what.head, plain(what.result)) == ("V", "2*S")


def test_the_result_of_a_minimum_is_the_least_value() -> None:
    assert plain(catalogue.get("checkpoint-optimum").result) == "2*sqrt(L*c*e) - c"


def test_a_chain_of_equivalences_is_solved_for_the_letter_on_the_left() -> None:
    what = catalogue.get("fsdp-fits")
    assert (what.head, what.solved_letter) == (None, "N")
    assert plain(what.result) == "(S + A/2)/(M_max - A/2)"
    assert plain(what.condition) == "N > (S + A/2)/(M_max - A/2)"


def test_one_publication_is_cited_at_several_places() -> None:
    book = Source("Author", "Title", 2025, "section 1", "https://example.org")
    assert str(book.at("table 2")) == "Author, Title (2025), table 2"
    assert (book.at("table 2").url, book.where) == (book.url, "section 1")


def test_a_member_of_a_family_is_like_another_but_for_what_it_changes() -> None:
    first = declare("V = S + S\n = 2*S", given=("N > 1 -- one rank sends nothing",))
    second = like("twice", first, title="Twice", chain="V = 2*(S + S)\n = 4*S", convention="Twice.")
    assert (second.id, second.title, second.phrases) == ("twice", "Twice", ())
    assert (plain(second.result), second.convention) == ("4*S", "Twice.")
    assert (second.letters, second.source, second.oracle) == (first.letters, first.source, first.oracle)
    assert (second.given, second.otherwise) == (("N > 1",), {"N > 1": "one rank sends nothing"})
    assert second.module == __name__
    assert like("same", first, title="The same").result == first.result


def test_a_used_result_is_evaluated_at_its_arguments() -> None:
    ring = catalogue.get("ring-all-gather")
    what = declare("T = V + V", uses={"V": ring.at(N="2*N", S="S/4")})
    assert value_of(what, {"N": Fraction(3), "S": Fraction(48)}) == 2 * 5 * 2
    assert plain(unfolded(what)) == "(2*N - 1)/(2*N)*(S/4) + (2*N - 1)/(2*N)*(S/4)"
    assert describe_use(what.uses["V"]) == "ring-all-gather at N = 2*N, S = S/4"
    assert describe_use(ring.at()) == "ring-all-gather"


def test_a_used_result_refuses_letters_it_does_not_have() -> None:
    with pytest.raises(FormulaError, match="ring-all-gather has no letter K"):
        catalogue.get("ring-all-gather").at(K="3")


def test_only_letters_that_the_result_needs_are_asked_for() -> None:
    assert catalogue.get("compute-bound-batch-per-shard").needed == ("C", "W", "M_X", "w")
    smallest = catalogue.get("fsdp-smallest-n")
    assert smallest.needed == ("L", "D", "F", "B", "w_p", "w_g", "w_o", "a", "M_max")
    pinned = {Spot("model-state"): Fraction(1), Spot("saved-activations"): Fraction(1)}
    assert needed_letters(smallest, pinned) == ("L", "M_max")


def test_a_given_result_replaces_the_used_one() -> None:
    what = catalogue.get("fsdp-memory")
    pinned = {Spot("model-state"): Fraction(100), Spot("saved-activations"): Fraction(20)}
    assert value_of(what, {"N": Fraction(11), "L": Fraction(2)}, pinned) == 20


def test_conditions_are_read_once_and_checked_at_every_value() -> None:
    what = declare("V = S/N", given=("N divides 12", "S > 3"))
    assert isinstance(what.conditions[0], Divides)
    assert value_of(catalogue.get("checkpoint-memory"), CHECKPOINT) > 0  # type: ignore[operator]
    with pytest.raises(DoesNotApplyError, match=r"\(here L = 12, k = 5; set blocks, segments\)$"):
        value_of(catalogue.get("checkpoint-memory"), {**CHECKPOINT, "k": Fraction(5)})


CHECKPOINT = {name: Fraction(2) for name in ("B", "D", "F", "a")} | {
    "L": Fraction(12), "k": Fraction(4)
}  # fmt: skip


def test_a_violated_condition_names_only_the_letters_in_it() -> None:
    what = catalogue.get("fsdp-fits")
    values = {name: Fraction(2) for name in what.letters}
    with pytest.raises(
        DoesNotApplyError, match=r"A/2 \(here M_max = 2 bytes, A = 32 bytes; set memory\): half of"
    ):
        value_of(what, values)


def test_a_missing_letter_is_named_with_its_meaning_and_how_to_set_it() -> None:
    with pytest.raises(DoesNotEvaluateError, match=r"mine needs S \(bytes of the whole message\)"):
        value_of(declare("V = S/N"), {"N": Fraction(2)})


def test_a_chain_that_cannot_be_read_names_the_derivation_and_the_line() -> None:
    with pytest.raises(FormulaError, match=r"^mine: line 2 of the chain: found 'x'"):
        _ = declare("V = S\n = 2 x").lines


def test_another_chain_leaves_the_rest_as_it_was() -> None:
    what = catalogue.get("ring-all-reduce")
    other = what.with_chain("V = S -- wrong")
    assert (other.id, other.letters, other.oracle) == (what.id, what.letters, what.oracle)
    assert plain(other.result) == "S"
    assert plain(what.result) == "2*(N - 1)/N*S"


def test_equivalences_that_end_unsolved_have_no_solved_letter() -> None:
    what = declare("S/N < S\n <=> 2*N > N + 1", {"N": TOKENS, "S": MESSAGE}, unit=ONE)
    assert what.solved_letter is None


def test_what_need_not_be_whole_says_so_and_a_limit_on_a_count_says_it_of_itself() -> None:
    mean = catalogue.get("causal-pairs")
    assert mean.remarks[1] == "Need not be whole: on average over the context-parallel ranks."
    limit = catalogue.get("fsdp-fits")
    assert limit.bounds_count
    assert limit.remarks[0] == "Need not be whole: a limit, on one side of which the counts lie."
    assert not catalogue.get("fsdp-smallest-n").bounds_count  # the first whole number beyond it
    assert all("whole:" not in text for text in catalogue.get("fullest-stage").remarks)
