"""The audit of the five texts: its facts are what the checker finds now, its quotes are in the texts."""

import hashlib
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest
from auditing.facts import LONGEST_QUOTE, facts_of, place_of, read_facts

ROOT = Path(__file__).parents[1]
FACTS = read_facts(ROOT / "reports" / "seed-audit" / "facts.json")
CLAIMS = sorted((ROOT / "reports" / "seeds").glob("00*.toml"))
TEXTS = ("000", "001", "002", "003", "004")
AGAIN = "run `python benchmarks/seed_audit.py --write`, then `make report`"


@pytest.fixture(scope="module")
def seeds() -> Mapping[str, bytes]:
    """The five texts by their numbers, where they are."""
    folder = Path(os.environ.get("WORKINGS_SHARED", ROOT.parent / "shared")) / "seeds"
    found = {path.name[:3]: path.read_bytes() for path in sorted(folder.glob("*.txt"))}
    if not found:
        pytest.skip(f"no seeds in {folder}: they are no part of this repository")
    return found


def claims(path: Path) -> list[dict[str, str]]:
    found: list[dict[str, str]] = tomllib.loads(path.read_text(encoding="utf-8"))["claim"]
    return found


def stands_at(text: str, place: str, quote: str) -> bool:
    """Whether a text has these words at this line and column."""
    line, column = place_of(place)
    lines = text.split("\n")
    return line <= len(lines) and lines[line - 1][column - 1 :].startswith(quote)


def test_there_are_facts_on_every_text() -> None:
    assert tuple(FACTS) == TEXTS


def test_every_claim_has_its_words_and_they_are_few() -> None:
    for path in CLAIMS:
        for claim in claims(path):
            assert 0 < len(claim["quote"]) <= 64, (path.name, claim)
            assert min(place_of(claim["place"])) > 0, (path.name, claim)
    assert all(
        len(one.quote) <= LONGEST_QUOTE + 1 for facts in FACTS.values() for one in facts.statements
    )


@pytest.mark.parametrize("name", TEXTS)
def test_the_facts_are_of_this_text(seeds: Mapping[str, bytes], name: str) -> None:
    assert FACTS[name].sha256 == hashlib.sha256(seeds[name]).hexdigest()


@pytest.mark.parametrize("name", TEXTS)
def test_the_facts_are_what_the_checker_finds_now(seeds: Mapping[str, bytes], name: str) -> None:
    now, kept = facts_of(name, seeds[name]).statements, FACTS[name].statements
    assert [*now] == [*kept], AGAIN


@pytest.mark.parametrize("name", TEXTS)
def test_every_statement_is_quoted_letter_by_letter(seeds: Mapping[str, bytes], name: str) -> None:
    text = seeds[name].decode()
    for found in FACTS[name].statements:
        assert stands_at(text, found.start, found.quote.removesuffix("…")), found


@pytest.mark.parametrize("path", CLAIMS, ids=lambda path: path.stem)
def test_every_claim_is_quoted_letter_by_letter(seeds: Mapping[str, bytes], path: Path) -> None:
    text = seeds[path.name[:3]].decode()
    for claim in claims(path):
        assert stands_at(text, claim["place"], claim["quote"]), claim


@pytest.mark.parametrize("path", CLAIMS, ids=lambda path: path.stem)
def test_no_quote_begins_or_ends_inside_a_word(seeds: Mapping[str, bytes], path: Path) -> None:
    lines = seeds[path.name[:3]].decode().split("\n")
    for claim in claims(path):
        (line, column), quote = place_of(claim["place"]), claim["quote"]
        before, after = lines[line - 1][: column - 1], lines[line - 1][column - 1 + len(quote) :]
        assert not (before[-1:].isalnum() and quote[0].isalnum()) or before.endswith("\\n"), claim
        assert not (after[:1].isalnum() and quote[-1].isalnum()), claim


@pytest.mark.parametrize("path", CLAIMS, ids=lambda path: path.stem)
def test_a_formula_that_is_quoted_keeps_the_words_before_what_it_counts(path: Path) -> None:
    """`remaining GPUs/(TP·PP)` is not GPUs/(TP·PP)."""
    for claim in claims(path):
        _, sign, right = claim["quote"].partition(" = ")
        for operand in re.split(r"[-×/()+*=0-9]", right) if sign and "says" in claim else ():
            for word in operand.split()[:-1]:
                assert re.search(rf"\b{re.escape(word)}\b", claim["says"]), (word, claim)


def test_every_claim_of_the_other_report_is_in_the_audit() -> None:
    report = (ROOT / "reports" / "seed-audit" / "report.md").read_text(encoding="utf-8")
    judged = "; by itself: "
    assert report.count(judged) == sum(len(claims(path)) for path in CLAIMS)
