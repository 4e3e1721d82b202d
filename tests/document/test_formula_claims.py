"""Claimed formulas: the verdict is computed, not written."""

from pathlib import Path

import pytest

from workings import catalogue
from workings.document.formula_claims import verdict
from workings.document.front import DocumentError
from workings.document.read import read_document
from workings.formula import parse_expression


def judged(says: str, id_: str, large: list[str] | None = None, **letters: str) -> tuple[str, str]:
    put = {name: parse_expression(text) for name, text in letters.items()}
    return verdict(parse_expression(says), put, catalogue.get(id_), large or [], [])


def test_the_same_formula_written_otherwise_agrees() -> None:
    assert judged("2*S - 2*S/R", "ring-all-reduce", R="N") == ("agrees", "")


def test_a_constant_factor_is_named() -> None:
    assert judged("(P - 1)/(2*M)", "pipeline-bubble", P="p", M="m") == (
        "wrong", "It is 1/2 of what follows.",
    )  # fmt: skip
    assert judged("6*(p - 1)/m", "pipeline-bubble")[1] == "It is 6 times of what follows."


def test_an_approximation_agrees_where_its_letters_are_large_and_only_there() -> None:
    assert judged("2*S", "ring-all-reduce", ["N"])[0] == "agrees for large N"
    assert judged("3*S", "ring-all-reduce", ["N"])[0] == "wrong"
    assert judged("2*S", "ring-all-reduce")[0] == "wrong"


def test_what_is_another_derivation_depends_on_the_convention() -> None:
    readings = [("bubble over ideal time", catalogue.get("pipeline-bubble"))]
    found = verdict(
        parse_expression("(p - 1)/m"), {}, catalogue.get("pipeline-bubble-total"), [], readings
    )
    assert found == ("depends on a convention", "bubble over ideal time.")


def test_zero_is_not_taken_for_agreement() -> None:
    assert judged("0*p", "pipeline-bubble")[0] == "wrong"


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ('says = "q"\nours = "pipeline-bubble"', "claim 1: says: found q, which pipeline-bubble"),
        ('says = "p +"\nours = "pipeline-bubble"', "claim 1: line 1, column 4"),
        ('says = "p"\nours = "nothing"', "claim 1: no derivation 'nothing'"),
        ('says = "p"\nours = "pipeline-bubble"\nextra = 1', "found key 'extra'"),
    ],
)
def test_a_bad_claim_is_one_sentence_with_its_number(tmp_path: Path, claim: str, message: str) -> None:
    (tmp_path / "f.toml").write_text(f"[[claim]]\n{claim}\n", encoding="utf-8")
    source = tmp_path / "source.md"
    source.write_text('+++\ntitle = "t"\n+++\n\n```{formulas} f.toml\n```\n', encoding="utf-8")
    with pytest.raises(DocumentError, match=message):
        read_document(source)
