"""Finds entries by a question: what people ask, in English or Chinese, to the entries that answer.

Every entry is a short text in fields: its id, title and phrases, what published sources call it, what
people may ask who want it, its section, its letters' meanings. A question is scored against all of them
by BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009, section 3), with the words
that this field uses for one thing made one. Small words count like all others: being common they weigh
little, and "how long" or "from how many" tells entries apart.
Lengths do not count: entries that have many phrases are neither better nor worse for it. Where the best
entry scores too little of what the question weighs, the answer is that nothing was found.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cache
from math import fsum, log, sqrt
from pathlib import Path

from workings import catalogue
from workings.catalogue.published import publications
from workings.catalogue.wording import elsewhere, known_words, name_of, read, terms_of
from workings.derivation import Derivation

SATURATION = 1.2  # BM25's k1
LEAST = 0.4  # of a question's weight that the best entry must score
PERHAPS = 5  # entries that are named where none is near
LONG = 20.0  # a question of more weight says much of its circumstances: of it, less by a root
ASKED = 1.2  # times the score of an entry that answers in what the question asks for
COMMON = 10  # entries that have a word of a neighbouring field: it is of this field too
NAMED = 0.6  # of a score is for how much of an entry's own names is said: the plain one comes first
SLIGHT = 0.3  # the weight of a pair of neighbours and of a number, beside that of a word
FIELDS = {
    "id": 2.0, "title": 3.0, "phrases": 3.0, "sources": 1.0, "asked": 0.5, "section": 1.0,
    "letters": 0.25, "convention": 0.25,
}  # fmt: skip
NAMES = ("phrases", "sources", "asked")  # the fields whose texts are names, beside the title
ASKED_BY = Path(__file__).parent / "asked.tsv"  # what people may ask who want an entry, after its id


@dataclass(frozen=True)
class Found:
    """An entry that may answer, and its score in parts of what the question weighs."""

    entry: Derivation
    share: float


@dataclass(frozen=True)
class Card:
    """What the search knows of an entry: its terms with their weights, its names, what it answers in."""

    entry: Derivation
    terms: Mapping[str, float]
    names: tuple[frozenset[str], ...]  # the words of its title, then of all else that it is found by
    answers: frozenset[str]


def find(question: str, most: int = 10) -> tuple[Found, ...]:
    """The entries that a question is about, the likeliest first; none where none is near."""
    near, likely = _ranked(question)
    return likely[:most] if near else ()


def perhaps(question: str) -> tuple[Found, ...]:
    """The entries that are perhaps near a question that none is surely about."""
    near, likely = _ranked(question)
    return () if near else tuple(one for one in likely[:PERHAPS] if one.share >= LEAST / 2)


def likeness(question: str) -> tuple[Mapping[str, float], Callable[[str], float]]:
    """How much of a question each entry answers, by id; and how much of it a text says."""
    rarity = _index()[1]
    weights = {term: rarity.get(term, _unknown()) * _weight(term) for term in terms_of(question)}
    whole = fsum(weights.values()) or 1.0

    def said(text: str) -> float:
        return fsum(weights[term] for term in terms_of(text) if term in weights) / whole

    return {one.entry.id: one.share for one in _ranked(question)[1]}, said


def _ranked(question: str) -> tuple[bool, tuple[Found, ...]]:
    """Whether an entry is near a question, and all that share words with it, the likeliest first."""
    cards, rarity = _index()
    weights = {term: rarity.get(term, _unknown()) * _weight(term) for term in terms_of(question)}
    whole = fsum(weights.values())
    if not whole:
        return False, ()
    found = [Found(card.entry, _score(card, weights) / whole) for card in cards]
    named = _called().get(name_of(question))
    best, card = max(zip(found, cards, strict=True), key=lambda one: one[0].share)
    foreign = (weights.keys() & _foreign()) - card.terms.keys()
    near = bool(named) or not (foreign or best.share < LEAST * min(1, sqrt(LONG / whole)))
    likely = sorted(found, key=lambda one: (one.entry.id != named, -one.share))
    return near, tuple(one for one in likely if one.share)


def _score(card: Card, weights: Mapping[str, float]) -> float:
    """BM25, less where little of the names is said, more where its kind of answer is asked for."""
    # by fsum, as the order of terms, which a set leaves to chance, must not part what is equally near
    score = fsum(weight * card.terms.get(term, 0) for term, weight in weights.items())
    if not score:
        return 0
    named = 1 - NAMED + NAMED * _said(card.names, weights.keys())
    return score * named * (ASKED if card.answers & weights.keys() else 1)


def _said(names: tuple[frozenset[str], ...], asked: Set[str]) -> float:
    """How much of its title a question says, and of the name of which it says most: the mean of both."""
    rarity = _index()[1]
    parts = [fsum(rarity[t] for t in name & asked) / fsum(rarity[t] for t in name) for name in names]
    return (parts[0] + max(parts)) / 2


@cache
def _foreign() -> frozenset[str]:
    """The terms of neighbouring fields that hardly any entry has."""
    own = Counter(term for card in _index()[0] for term in card.terms)
    return frozenset(term for term in elsewhere() if own[term] < COMMON)


@cache
def _index() -> tuple[tuple[Card, ...], Mapping[str, float]]:
    """The cards of all entries in reading order, and how rare each of their terms is."""
    cards = tuple(_card(what, fields) for what, fields in _texts())
    holding = Counter(term for card in cards for term in card.terms)
    return cards, {t: log(1 + (len(cards) - n + 0.5) / (n + 0.5)) for t, n in holding.items()}


def _card(what: Derivation, fields: Mapping[str, list[str]]) -> Card:
    """An entry's card: a term counts with its fields, the more the less each time."""
    terms = {name: [terms_of(text) for text in texts] for name, texts in fields.items()}
    counts: Counter[str] = Counter()
    for name, texts in fields.items():
        for text, found in zip(texts, terms[name], strict=True):
            for term in (*found, *read(text)[1]):
                counts[term] += FIELDS[name]  # type: ignore[assignment] # weights are no counts
    title = terms["title"][0]
    called = terms_of(what.title.partition(":")[0])  # what follows a colon explains the name
    named = (called, *(found for field in NAMES for found in terms[field]))
    names = (frozenset(t for t in found if "+" not in t) for found in named)
    units = known_words()["units"].get(str(what.unit), [])
    said = [word for word in units if word in title]  # bytes that are sent are no memory
    answers = (*(said or units), *terms_of(what.noun or ""), *title[:1])
    weighed = {term: count * (SATURATION + 1) / (count + SATURATION) for term, count in counts.items()}
    return Card(what, weighed, tuple(name for name in names if name), frozenset(answers))


def _texts() -> Iterator[tuple[Derivation, Mapping[str, list[str]]]]:
    """Every entry and its texts by field."""
    chinese = known_words()["zh"]
    called = called_by_sources()
    asked: defaultdict[str, list[str]] = defaultdict(list)
    for line in ASKED_BY.read_text(encoding="utf-8").splitlines():
        id_, _, question = line.partition("\t")
        asked[id_].append(question)
    for topic in catalogue.topics():
        for section in catalogue.sections(topic):
            for what in section.entries:
                yield (
                    what,
                    {
                        "id": [what.id],
                        "title": [what.title],
                        "phrases": [*what.phrases, *chinese.get(what.id, [])],
                        "sources": called.get(what.id, []),
                        "asked": asked[what.id],
                        "section": [section.title, topic],
                        "letters": [concept.meaning for concept in what.letters.values()],
                        "convention": [what.convention],
                    },
                )


def called_by_sources() -> Mapping[str, list[str]]:
    """What sources call each entry; the words of a formula that takes several name none of them."""
    called: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for source in publications():
        for formula in source.formulas:
            if len(formula.ids) == 1:
                called[formula.ids[0]][formula.words] = None
    return {id_: list(words) for id_, words in called.items()}


def _unknown() -> float:
    """The weight of a word that no entry has."""
    return log(1 + len(_index()[0]) / 0.5) / 2


def _weight(term: str) -> float:
    return SLIGHT if "+" in term or term[0].isdigit() or term[0] >= "\u4e00" else 1.0


@cache
def _called() -> Mapping[str, str]:
    """Every id as it stands, and every title as words, to its id."""
    return {name_of(name): what.id for what in catalogue.every() for name in (what.title, what.id)}
