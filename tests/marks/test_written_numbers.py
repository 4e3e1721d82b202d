"""Numbers as people of many languages write them, beside what they are worth; and what is no number."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from languages_around import AROUND

from workings.claims.page import page_of
from workings.grade.quantities import quantities
from workings.marks.quantity import BARE, BYTE, FLOP, SECOND
from workings.reading.reading import read_document

UNITS = {"1": BARE, "B": BYTE, "FLOP": FLOP, "s": SECOND}

ROWS = Path(__file__).with_name("written_numbers.tsv")


def rows() -> Iterator[tuple[str, str, str, str]]:
    for line in ROWS.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            language, written, value, unit = line.split("\t")
            yield language, written, value, unit


def read(language: str, written: str) -> set[tuple[Fraction, tuple[int, ...]]]:
    """Every reading of the figures of a paragraph, in base units."""
    text = f"{AROUND.get(language, '')}\n\n{written}\n"
    page = page_of(read_document("page.md", text))
    figures = quantities(page, page.document.blocks)
    return {
        (digits.value * unit.scale, unit.dimension)
        for figure in figures
        for digits in figure.number.printed
        for unit in figure.number.units
    }


def test_what_people_write_is_what_it_is_worth() -> None:
    missed = []
    for language, written, value, unit in rows():
        found = read(language, written)
        wanted = None if value == "-" else (Fraction(value), UNITS[unit])
        if (wanted not in found) if wanted else found:
            missed.append((language, written, value, [(str(v), u) for v, u in found]))
    assert not missed, "\n".join(map(str, missed))


def test_sentences_without_a_figure_stay_without_one() -> None:
    lines = ROWS.with_name("no_numbers.tsv").read_text(encoding="utf-8").splitlines()
    said = [line.split("\t") for line in lines if not line.startswith("#")]
    found = [(text, read(language, text)) for language, text in said]
    assert [one for one in found if one[1]] == []
    assert len(found) == 60
