"""Words for units and numbers lead to units that exist."""

import pytest
from looping import each

from workings.formula.page.words import MULTIPLIERS, NOUNS, OTHER_UNITS, SUFFIXES, UNIT_WORDS
from workings.units import BYTE, FLOP, SECOND, parse_unit


@each("unit", sorted(set(UNIT_WORDS.values())))
def test_every_word_for_a_unit_stands_for_one_that_is_known(unit: str) -> None:
    assert parse_unit(unit).scale > 0


@pytest.mark.parametrize(
    ("word", "scale"),
    [
        ("gigabytes", 10**9),
        ("GiB", 2**30),
        ("gibibytes", 2**30),
        ("KB", 1000),
        ("字节", 1),
        ("MiB", 2**20),
        ("tb", 10**12),
    ],
)
def test_words_for_bytes_have_their_size(word: str, scale: int) -> None:
    unit = parse_unit(UNIT_WORDS[word])
    assert unit.dimension == BYTE
    assert unit.scale == scale


@pytest.mark.parametrize(
    ("word", "seconds"),
    [("minutes", 60), ("小时", 3600), ("days", 86400), ("ms", "0.001"), ("µs", "0.000001")],
)
def test_words_for_times_have_their_length(word: str, seconds: str) -> None:
    unit = parse_unit(UNIT_WORDS[word])
    assert (unit.dimension, float(unit.scale)) == (SECOND, float(seconds))


@pytest.mark.parametrize("word", ["TFLOP", "petaflop", "GFLOP"])
def test_words_for_work_are_work(word: str) -> None:
    assert parse_unit(UNIT_WORDS[word]).dimension == FLOP


def test_chinese_multipliers_are_powers_of_ten() -> None:
    assert [MULTIPLIERS[w] for w in ("千", "万", "百万", "亿", "万亿")] == [
        10**3,
        10**4,
        10**6,
        10**8,
        10**12,
    ]


def test_a_word_is_a_unit_or_a_noun_and_never_both() -> None:
    assert not NOUNS & set(UNIT_WORDS)
    assert not OTHER_UNITS & (set(UNIT_WORDS) | NOUNS)
    assert not set(MULTIPLIERS) & NOUNS
    assert set(SUFFIXES) == set("kKMBbTG")
