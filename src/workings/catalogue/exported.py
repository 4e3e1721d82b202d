"""The search as data, for a program in another language that ranks as this one does.

A term is named by its number. `postings` holds for each term the entries that have it, each followed by
the term's count there in quarters; `names` for each entry the terms of its title and of all else that it
is found by, `answers` those of what it answers in. `words` are all words as they are written.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workings.catalogue import search, wording

QUARTERS = 4  # fields weigh in quarters


def exported(others: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """The index of all entries, and of other pages: the title of each, and words that it is found by.

    Others come after the entries in the numbers of `postings`, and do not count for how rare a term is.
    """
    cards, _ = search._index()
    number = {term: place for place, term in enumerate(sorted({t for card in cards for t in card.terms}))}
    rest = [_other(title, words) for title, words in others]
    for terms in rest:
        for term in terms:
            number.setdefault(term, len(number))
    postings: list[list[int]] = [[] for _ in number]
    for place, card in enumerate(cards):
        for term in sorted(card.terms):
            postings[number[term]] += [place, _count(card.terms[term])]
    for place, terms in enumerate(rest, len(cards)):
        for term in sorted(terms):
            postings[number[term]] += [place, _count(terms[term])]
    texts = [text for _, fields in search._texts() for found in fields.values() for text in found]
    words = {word for text in (*texts, *map(" ".join, others)) for word in wording.wording_of(text)}
    all_names = [card.names for card in cards]
    all_names += [(frozenset(t for t in wording.terms_of(title) if "+" not in t),) for title, _ in others]
    return {
        "entries": len(cards), "terms": list(number), "postings": postings,
        "names": [[[number[t] for t in sorted(name)] for name in names] for names in all_names],
        "answers": [[number[t] for t in sorted(card.answers) if t in number] for card in cards],
        "called": {
            **{name: at for at, (title, _) in enumerate(others, len(cards)) for name in _called(title)},
            **{name: _place(id_, cards) for name, id_ in search._called().items()},
        },
        "words": sorted(word for word in words if "a" <= word[0] <= "z"),
        "same": dict(wording.same()), "idle": sorted(wording.idle()),
        "elsewhere": sorted(search._foreign()), "chinese": dict(wording.known_words()["chinese"]),
        "idle_chinese": list(wording.known_words()["idle"]["zh"]),
        "saturation": search.SATURATION, "least": search.LEAST, "long": search.LONG,
        "unknown": search._unknown(), "asked": search.ASKED, "named": search.NAMED,
        "slight": search.SLIGHT, "quarters": QUARTERS,
    }  # fmt: skip


def _place(id_: str, cards: tuple[search.Card, ...]) -> int:
    return next(place for place, card in enumerate(cards) if card.entry.id == id_)


def _called(title: str) -> tuple[str, str]:
    """What a page that is no entry is called: `rule percent`, and `percent`."""
    name = title.partition(":")[0]
    return wording.name_of(name), wording.name_of(name.removeprefix("Rule "))


def _count(weight: float) -> int:
    """How often a term counts, in quarters, from its weight."""
    return round(weight * search.SATURATION / (search.SATURATION + 1 - weight) * QUARTERS)


def _other(title: str, words: str) -> dict[str, float]:
    """The terms of a page that is no entry, with their weights: its title counts thrice."""
    counts: dict[str, float] = {}
    for text, field in ((title, "title"), (words, "phrases")):
        found, singles = wording.read(text)
        for term in (*found, *singles):
            counts[term] = counts.get(term, 0) + search.FIELDS[field]
    rise = search.SATURATION
    return {term: count * (rise + 1) / (count + rise) for term, count in counts.items()}
