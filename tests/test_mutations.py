"""Every number in every chain matters: change one and `verify` says so.

Algebra guards the middle of a chain and the oracle its first line, so a formula with one number
changed must be refuted by one of them, and a change made in all lines alike by the oracle.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

from workings import catalogue
from workings.chain import Row
from workings.derivation import Derivation
from workings.formula import FormulaError
from workings.verification import first_refutation, verify

# A whole number that is no part of a letter, of a decimal or of a power of ten.
_WHOLE = re.compile(r"(?<![\w.])(?<![0-9],)[0-9]+(?:,[0-9]{3})*(?![\w.]|,[0-9])")
_BEGINS = re.compile(r"\s*(<=>|<=|>=|=|<|>|≈ \[|≈|minimise)")
_CHECKED = ("first", "=", "<=>", "minimise", "≈ [")  # bounds may be loose, so theirs may change


@dataclass(frozen=True)
class Mutant:
    """A derivation with one number changed, and where."""

    where: str
    broken: Derivation


def with_ledger(what: Derivation, rows: tuple[Row, ...]) -> Derivation:
    """The same derivation with other rows in its ledger."""
    fields = {name: getattr(what, name) for name in what.__dataclass_fields__}
    return Derivation(**{**fields, "ledger": rows})


def formulas(chain: str) -> Iterator[tuple[str, int, int, int]]:
    """(kind of line, its number, start, end) of every stretch of the text that is formula."""
    start, number, kind = 0, 1, "first"
    for text in chain.splitlines(keepends=True):
        body = text.partition(" -- ")[0]
        begins = _BEGINS.match(body)
        if begins:
            kind, number = begins[1], number + 1
        if body.strip():
            yield kind, number, start, start + len(body)
        start += len(text)


def numbers(chain: str) -> Iterator[tuple[int, int, int]]:
    """(line number, start, end) of every whole number in a line that must hold exactly."""
    for kind, number, start, end in formulas(chain):
        if kind in _CHECKED:
            for match in _WHOLE.finditer(chain, start, end):
                yield number, match.start(), match.end()


def mutants(what: Derivation, change: int) -> Iterator[Mutant]:
    for number, start, end in numbers(what.chain):
        changed = int(what.chain[start:end].replace(",", "")) + change
        if changed >= 0:
            chain = f"{what.chain[:start]}{changed}{what.chain[end:]}"
            around = f"{chain[start - 8 : start]}>{changed}<{what.chain[end : end + 8]}"
            where = f"{what.id}, line {number}: {' '.join(around.split())}"
            yield Mutant(where, what.with_chain(chain))
    for index, row in enumerate(what.ledger):
        for text in (row.amount, row.split):
            for match in _WHOLE.finditer(text):
                changed = int(match.group()) + change
                if changed < 0:
                    continue
                broken = f"{text[: match.start()]}{changed}{text[match.end() :]}"
                amount, split = (broken, row.split) if text is row.amount else (row.amount, broken)
                changed_row = replace(row, amount=amount, split=split)
                rows = (*what.ledger[:index], changed_row, *what.ledger[index + 1 :])
                yield Mutant(f"{what.id}, row {index}: {broken}", with_ledger(what, rows))


def all_mutants(change: int) -> list[Mutant]:
    return [mutant for what in catalogue.every() for mutant in mutants(what, change)]


def refutation(what: Derivation) -> str | None:
    try:
        return first_refutation(what)
    except FormulaError as error:
        return str(error)


@pytest.mark.parametrize("mutant", all_mutants(+1), ids=lambda mutant: mutant.where)
def test_a_number_one_too_large_is_refuted_by_name(mutant: Mutant) -> None:
    found = refutation(mutant.broken)
    assert found is not None, f"{mutant.where} survives"
    assert re.match(rf"{mutant.broken.id}, line \d+", found)


@pytest.mark.slow
@pytest.mark.parametrize("mutant", all_mutants(-1), ids=lambda mutant: mutant.where)
def test_a_number_one_too_small_is_refuted_by_name(mutant: Mutant) -> None:
    found = refutation(mutant.broken)
    assert found is not None, f"{mutant.where} survives"
    assert re.match(rf"{mutant.broken.id}, line \d+", found)


# --- the same change in every line, which no algebra can see ------------------------------------

_LESS_ONE = re.compile(r"\b([A-Za-z]\w*) - 1\b")


def without_minus_one(what: Derivation, letter: str) -> Derivation:
    """The derivation with `letter - 1` replaced by `letter` in the formulas of all its lines."""
    chain = what.chain
    for _, _, start, end in reversed(list(formulas(chain))):
        changed = re.sub(rf"\b{letter} - 1\b", letter, chain[start:end])
        chain = f"{chain[:start]}{changed}{chain[end:]}"
    return what.with_chain(chain)


def counted_less_one() -> list[tuple[Derivation, str]]:
    found = []
    for what in catalogue.every():
        text = "".join(what.chain[start:end] for _, _, start, end in formulas(what.chain))
        found += [(what, letter) for letter in dict.fromkeys(_LESS_ONE.findall(text))]
    return found


@pytest.mark.parametrize(
    ("what", "letter"), counted_less_one(), ids=[f"{d.id}-{x}" for d, x in counted_less_one()]
)
def test_leaving_out_a_minus_one_everywhere_is_refuted_by_the_oracle(
    what: Derivation, letter: str
) -> None:
    broken = without_minus_one(what, letter)
    assert f"{letter} - 1" not in "".join(
        broken.chain[start:end] for _, _, start, end in formulas(broken.chain)
    )
    report = verify(broken)
    assert report.oracle.word == "refuted"
    assert f"{what.id}, line 1 (by its oracle)" in " ".join(report.refutations())


# --- the mutations themselves -------------------------------------------------------------------


def test_the_mutations_reach_every_derivation_with_a_number_and_every_kind_of_line() -> None:
    chain = """
    V = 2*x_1*3 + max(4, 5)   -- 6 reasons
        - 7                   -- 8 more
      = 9*x - 1.5e10          -- two
      <= 10*x                 -- a bound may be loose
      ≈ [x -> oo] 11*x        -- a limit is exact
      ≈ 12*x                  -- about
      minimise over X at 13 = 1,400
    """
    found = [(line, chain[start:end]) for line, start, end in numbers(chain)]
    assert found == [
        (1, "2"), (1, "3"), (1, "4"), (1, "5"), (1, "7"),
        (2, "9"), (4, "11"), (6, "13"), (6, "1,400"),
    ]  # fmt: skip


def test_an_unbroken_derivation_has_no_refutation() -> None:
    assert first_refutation(catalogue.get("ring-all-reduce")) is None


def test_breaking_a_row_of_a_ledger_breaks_the_derivation() -> None:
    what = catalogue.get("model-state")
    rows = (*what.ledger[:-1], replace(what.ledger[-1], amount="2*w_o*P"))
    assert (refutation(with_ledger(what, rows)) or "").startswith("model-state, line 2: false at")
    assert first_refutation(with_ledger(what, what.ledger)) is None
