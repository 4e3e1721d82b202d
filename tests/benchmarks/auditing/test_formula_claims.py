"""Claimed formulas: the verdict is computed, not written."""

from dataclasses import replace
from pathlib import Path

import pytest
from auditing.comparing import Comparison
from auditing.formula_claims import verdict
from audits import BENCHMARKS, latex_of, markdown_of

from workings import catalogue
from workings.document.front import DocumentError
from workings.document.read import read_document
from workings.formula import parse_expression, parse_formula
from workings.proof import parse_given


def judged(
    says: str, id_: str, large: list[str] | None = None, where: dict[str, str] | None = None,
    readings: dict[str, str] | None = None, letters: dict[str, str] | None = None,
    fixed: dict[str, str] | None = None, given: tuple[str, ...] = (),
) -> tuple[str, str]:  # fmt: skip
    put = {name: parse_expression(text) for name, text in (letters or {}).items()}
    stated = {name: parse_expression(text) for name, text in (fixed or {}).items()}
    special = {name: parse_expression(text) for name, text in (where or {}).items()}
    claim = Comparison(parse_formula(says), catalogue.get(id_), put, stated, special,
                       tuple(map(parse_given, given)))  # fmt: skip
    others = [(name, replace(claim, what=catalogue.get(id_))) for name, id_ in (readings or {}).items()]
    return verdict(claim, large or [], others)


def test_the_same_formula_written_otherwise_agrees() -> None:
    assert judged("2*S - 2*S/R", "ring-all-reduce", letters={"R": "N"}) == ("agrees", "")


def test_a_constant_factor_is_named() -> None:
    assert judged("(P - 1)/(2*M)", "pipeline-bubble", letters={"P": "p", "M": "m"}) == (
        "wrong", "It is 1/2 of ours.",
    )  # fmt: skip
    assert judged("6*(p - 1)/m", "pipeline-bubble")[1] == "It is 6 times ours."


def test_an_approximation_agrees_where_its_letters_are_large_and_only_there() -> None:
    assert judged("2*S", "ring-all-reduce", ["N"]) == ("agrees in the limit", "For large {math}`N`.")
    assert judged("3*S", "ring-all-reduce", ["N"])[0] == "wrong"
    assert judged("2*S", "ring-all-reduce")[0] == "wrong"


def test_what_is_another_derivation_depends_on_the_convention() -> None:
    readings = {"bubble over ideal time": "pipeline-bubble"}
    found = judged("(p - 1)/m", "pipeline-bubble-total", readings=readings)
    assert found == ("depends on a convention", "bubble over ideal time.")


def test_a_claim_may_be_right_in_a_special_case_which_is_named() -> None:
    multi_head = {"K": "H", "F": "4*D", "n_f": "2"}
    assert judged("12", "block-per-width-squared", where=multi_head) == (
        "right in a special case", "Where {math}`K = H`, {math}`F = 4*D`, {math}`n_f = 2`.",
    )  # fmt: skip
    assert judged("13", "block-per-width-squared", where=multi_head) == (
        "wrong", "It is 13/12 of ours, where {math}`K = H`, {math}`F = 4*D`, {math}`n_f = 2`.",
    )  # fmt: skip


def test_what_the_text_itself_states_is_no_special_case() -> None:
    bytes_of_two = {"g": "2"}
    assert judged("4*(d - 1)/d*P", "ddp-step-bytes", fixed=bytes_of_two) == (
        "agrees", "With {math}`g = 2`.",
    )  # fmt: skip
    assert judged("4*(d - 1)/d*P", "ddp-step-bytes", where=bytes_of_two)[0] == "right in a special case"
    assert judged("2*(d - 1)/d*P", "ddp-step-bytes", fixed=bytes_of_two)[1] == (
        "It is 1/2 of ours, where {math}`g = 2`."
    )


def test_what_the_text_assumes_is_named_and_is_no_special_case() -> None:
    equal_stages = ("p divides L",)
    assert judged("L*A*min(m, p - k)/p", "stage-activations")[0] == "wrong"
    assert judged("L*A*min(m, p - k)/p", "stage-activations", given=equal_stages) == (
        "agrees", "Where {math}`p` divides {math}`L`.",
    )  # fmt: skip
    assert judged("L*A", "stage-activations", given=equal_stages)[0] == "wrong"


def test_a_factor_may_show_in_the_limit_only() -> None:
    assert judged("L_p*P_l", "stage-gradient-traffic", ["d"], fixed={"g": "1"}) == (
        "wrong", "It is 1/2 of ours for large {math}`d`, where {math}`g = 1`.",
    )  # fmt: skip


def test_what_grows_faster_is_off_by_no_factor_in_the_limit() -> None:
    assert judged("p^2", "dualpipe-in-flight", ["p"]) == (
        "wrong",
        "Too large at each of the 16 points tried.",
    )


def test_a_formula_that_always_holds_is_no_special_case() -> None:
    assert judged("(p - 1)/m", "pipeline-bubble", where={"p": "4"}) == ("agrees", "")


def test_a_special_case_may_hold_in_a_limit_only() -> None:
    found = judged("4", "pipeline-serial-factor", ["p"], {"m": "3*p"})
    assert found == ("agrees in the limit", "For large {math}`p`, with {math}`m = 3*p`.")
    assert judged("3", "pipeline-serial-factor", ["p"], {"m": "3*p"})[0] == "wrong"


def test_what_is_too_large_everywhere_is_said_to_be() -> None:
    assert judged("p/(p + m)", "idle-share-bound")[1].startswith("Too large at each of the")
    assert judged("(p - 1)/(p + m)", "idle-share-bound", where={"p": "2"})[1] == (
        "Too small at each of the 16 points tried, where {math}`p = 2`."
    )


def test_logarithms_agree_to_fifty_digits() -> None:
    assert judged("log2(N)*alpha + S/W_b*(1 - 1/N)", "tree-all-gather-time")[0] == "agrees"
    assert judged("alpha*log2(N) + S/W_b", "tree-all-gather-time", ["N"])[0] == "agrees in the limit"


def test_a_condition_is_compared_on_both_sides_of_the_boundary() -> None:
    lecture = "alpha*log2(p) <= (B*S/C - 1/beta)*n"
    letters = {"p": "d", "B": "b_m", "S": "s", "beta": "W_b", "n": "P_u"}
    assert judged(lecture, "lecture-fsdp-condition", letters=letters) == ("agrees", "")
    # 1 byte and 1 FLOP a parameter, or 2 and 2: the same but for the latency.
    two_bytes = judged(lecture, "fsdp-smallest-batch", ["P_u"], {"w": "2"}, None, letters)
    assert two_bytes[0] == "agrees in the limit"
    four_bytes = judged(lecture, "fsdp-smallest-batch", ["P_u"], {"w": "4"}, None, letters)
    assert four_bytes == ("wrong", "")


def test_a_condition_that_is_stricter_or_looser_than_needed_is_said_to_be() -> None:
    assert judged("b/(d*b_m) >= 2*p", "batch-to-fill-pipeline")[1] == ("It asks for more than is needed.")
    assert judged("2*b/(d*b_m) >= p", "batch-to-fill-pipeline")[1] == "It asks for too little."


def test_a_bound_on_the_same_letter_is_off_by_a_factor() -> None:
    assert judged("b >= p*d*b_m", "batch-to-fill-pipeline") == ("agrees", "")
    assert judged("b >= 3*p*d*b_m", "batch-to-fill-pipeline")[1] == ("Its bound is 3 times ours.")
    assert judged("b <= p*d*b_m", "batch-to-fill-pipeline")[0] == "wrong"  # the other way round


def test_zero_is_not_taken_for_agreement() -> None:
    assert judged("0*p", "pipeline-bubble")[0] == "wrong"


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ('says = "q"\nours = "pipeline-bubble"', "claim 1: says: found q, which pipeline-bubble"),
        ('says = "p +"\nours = "pipeline-bubble"', "claim 1: line 1, column 4"),
        ('says = "p"\nours = "nothing"', "claim 1: no derivation 'nothing'"),
        ('says = "p"\nours = "pipeline-bubble"\nextra = 1', "found key 'extra'"),
        ('says = "p > m"\nours = "pipeline-bubble"', "claim 1: says: found a condition, but pipeline-b"),
        ('says = "p"\nours = "pipeline-bubble"\nwhere = {q = "1"}', "claim 1: says: found q"),
    ],
)
def test_a_bad_claim_is_one_sentence_with_its_number(tmp_path: Path, claim: str, message: str) -> None:
    (tmp_path / "f.toml").write_text(f"[[claim]]\n{claim}\n", encoding="utf-8")
    source = tmp_path / "source.md"
    front = '+++\ntitle = "t"\ndirectives = "auditing"\n+++\n'
    source.write_text(f"{front}\n```{{formulas}} f.toml\n```\n", encoding="utf-8")
    with pytest.raises(DocumentError, match=message):
        read_document(source, directives=BENCHMARKS)


FILE = """
[[claim]]
what = "ring"
says = "2*S"
ours = "ring-all-reduce"
large = ["N"]
[[claim]]
what = "bubble"
says = "x*(P - 1)/(2*M)"
letters = { P = "p", M = "m", x = "1" }
ours = "pipeline-bubble"
why = "One end only"
[[claim]]
what = "limit"
says = "p <= L"
ours = "pipeline-depth-limit"
see = "ring-all-reduce"
"""
TEXT = "```{chain} ring-all-reduce\n```\n\n```{formulas} f.toml\n```\n"
FRONT = '+++\ntitle = "t"\ndirectives = "auditing"\n[glyphs]\ngroup = "R"\n+++\n'


def test_claims_stand_beside_ours_in_the_letters_of_the_page(tmp_path: Path) -> None:
    (tmp_path / "f.toml").write_text(FILE, encoding="utf-8")
    found = [line for line in markdown_of(tmp_path, TEXT, FRONT).splitlines() if line.startswith("| ")]
    assert found == [
        "| what | it says | ours | verdict |",
        "| ring | $`2 S`$ | $`\\frac{2(R - 1)}{R} S`$ | agrees in the limit. For large $`R`$. |",
        "| bubble | $`x(P - 1)/(2 M)`$ | $`(p - 1)/m`$ | **wrong**. It is 1/2 of ours. One end only |",
        "| limit | $`p \\le L`$ | [(1)](#eq-ring-all-reduce) | **wrong**. "
        "Too large at 13 of the 16 points tried, never too small. |",
    ]


def test_letters_of_claimed_formulas_are_listed_once(tmp_path: Path) -> None:
    (tmp_path / "f.toml").write_text(FILE, encoding="utf-8")
    listed = "```{symbols}\n```\n\n"
    more = "```{chain} point-to-point-time\n```\n\n```{symbols}\n:label: more\n:new: yes\n```\n"
    first, _, second = markdown_of(tmp_path, TEXT + listed + more, FRONT).partition("Table 3.")
    rows = [line.split(" | ")[0] for line in first.splitlines() if line.startswith("| $`")]
    assert rows == [f"| $`{letter}`$" for letter in ("L", "m", "p", "R", "S", "v")]
    new = [line.split(" | ")[0] for line in second.splitlines() if line.startswith("| $`")]
    assert new == ["| $`\\alpha`$", "| $`W_{b}`$"]


def test_a_formula_alone_in_its_column_is_made_to_fit_the_page(tmp_path: Path) -> None:
    (tmp_path / "f.toml").write_text(FILE, encoding="utf-8")
    found = latex_of(tmp_path, TEXT, FRONT)
    assert r"\workingsincolumn{$2 S$}" in found
    assert r"\addlinespace" in found
