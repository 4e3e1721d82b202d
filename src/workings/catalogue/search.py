"""Finds entries by a question: what people ask, in English or Chinese, to the entries that answer.

Every entry is a short text in fields: its id, title and phrases, what published sources call it, its
section, its letters' meanings. A question is scored against all of them by BM25 (Robertson and Zaragoza,
The Probabilistic Relevance Framework, 2009, section 3), with the words that this field uses for one thing
made one. Small words count like all others: being common they weigh little, and "how long" or "from how
many" tells entries apart.
Lengths do not count: entries that have many phrases are neither better nor worse for it. Where the best
entry scores too little of what the question weighs, the answer is that nothing was found.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import fsum, log, sqrt
from pathlib import Path

from workings import catalogue
from workings.derivation import Derivation

SATURATION = 1.2  # BM25's k1
LEAST = 0.4  # of a question's weight that the best entry must score
LONG = 20.0  # a question of more weight says much of its circumstances: of it, less by a root
ASKED = 1.2  # times the score of an entry that answers in what the question asks for
NAMED = 0.6  # of a score is for how much of an entry's own names is said: the plain one comes first
SLIGHT = 0.3  # the weight of a pair of neighbours and of a number, beside that of a word
FIELDS = {
    "id": 2.0, "title": 3.0, "phrases": 3.0, "sources": 1.0, "section": 1.0, "letters": 0.25,
    "convention": 0.25,
}  # fmt: skip
CALLED = Path(__file__).parent / "called.toml"  # by entry, from the lists of benchmarks/coverage


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
    names: tuple[frozenset[str], ...]  # the words of its title, then of each of its phrases
    answers: frozenset[str]


def find(question: str, most: int = 10) -> tuple[Found, ...]:
    """The entries that a question is about, the likeliest first; none where none is near."""
    cards, rarity = _index()
    weights = {term: rarity.get(term, _unknown()) * _weight(term) for term in _terms(question)}
    whole = fsum(weights.values())
    if not whole:
        return ()
    found = [Found(card.entry, _score(card, weights) / whole) for card in cards]
    named = _called().get(_name(question))
    best, card = max(zip(found, cards, strict=True), key=lambda one: one[0].share)
    foreign = (weights.keys() & _elsewhere()) - card.terms.keys()
    if not named and (foreign or best.share < LEAST * min(1, sqrt(LONG / whole))):
        return ()
    likely = sorted(found, key=lambda one: (one.entry.id != named, -one.share))
    return tuple(one for one in likely[:most] if one.share)


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
def _index() -> tuple[tuple[Card, ...], Mapping[str, float]]:
    """The cards of all entries in reading order, and how rare each of their terms is."""
    cards = tuple(_card(what, fields) for what, fields in _texts())
    holding = Counter(term for card in cards for term in card.terms)
    return cards, {t: log(1 + (len(cards) - n + 0.5) / (n + 0.5)) for t, n in holding.items()}


def _card(what: Derivation, fields: Mapping[str, list[str]]) -> Card:
    """An entry's card: a term counts with its fields, the more the less each time."""
    terms = {name: [_terms(text) for text in texts] for name, texts in fields.items()}
    counts: Counter[str] = Counter()
    for name, texts in fields.items():
        for text, found in zip(texts, terms[name], strict=True):
            for term in (*found, *_apart(text, found)):
                counts[term] += FIELDS[name]  # type: ignore[assignment] # weights are no counts
    title = terms["title"][0]
    called = _terms(what.title.partition(":")[0])  # what follows a colon explains the name
    names = (frozenset(t for t in found if "+" not in t) for found in (called, *terms["phrases"]))
    units = _words()["units"].get(str(what.unit), [])
    said = [word for word in units if word in title]  # bytes that are sent are no memory
    answers = (*(said or units), *_terms(what.noun or ""), *title[:1])
    weighed = {term: count * (SATURATION + 1) / (count + SATURATION) for term, count in counts.items()}
    return Card(what, weighed, tuple(name for name in names if name), frozenset(answers))


def _texts() -> Iterator[tuple[Derivation, Mapping[str, list[str]]]]:
    """Every entry and its texts by field."""
    chinese = _words()["zh"]
    called = tomllib.loads(CALLED.read_text(encoding="utf-8"))
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
                        "section": [section.title, topic],
                        "letters": [concept.meaning for concept in what.letters.values()],
                        "convention": [what.convention],
                    },
                )


def _unknown() -> float:
    """The weight of a word that no entry has."""
    return log(1 + len(_index()[0]) / 0.5) / 2


def _weight(term: str) -> float:
    return SLIGHT if "+" in term or term[0].isdigit() or term[0] >= "\u4e00" else 1.0


@cache
def _elsewhere() -> frozenset[str]:
    """The words, and pairs of words, of neighbouring fields, as terms."""
    found = (_terms(text) for texts in _words()["elsewhere"].values() for text in texts)
    return frozenset(terms[-1] for terms in found if terms)


@cache
def _called() -> Mapping[str, str]:
    """Every id as it stands, and every title as words, to its id."""
    return {_name(name): what.id for what in catalogue.every() for name in (what.title, what.id)}


def _name(text: str) -> str:
    """A text as a name: words, unless it is one word with hyphens, as ids are."""
    text = text.strip().casefold()
    return text if _ID.fullmatch(text) else " ".join(_wording(text))


_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)+")
_WORD = re.compile(r"[a-z]+|\d+(?:[.,]\d+)*|[\u4e00-\u9fff]+")


@cache
def _terms(text: str) -> tuple[str, ...]:
    """Words in their plain form, then pairs of neighbours; first, of Chinese, pairs of characters."""
    if not text.isascii():
        text = _chinese().sub(lambda found: f" {_words()['chinese'][found[0]]} ", text)
    wording = _wording(text)
    parts = (part for word in wording if word[0] >= "\u4e00" for part in _idle_chinese().split(word))
    pairs = [part[i : i + 2] for part in parts for i in range(max(1, len(part) - 1)) if part]
    words = [word for word in wording if word[0] < "\u4e00"]
    for long in (4, 3, 2):  # "all reduce" is one word, and "1f1b" four
        words = _joined(words, long, _same())
    kept = [_plain(word) for word in words if word not in _idle()]
    return (*pairs, *kept, *(f"{a}+{b}" for a, b in pairwise(kept)))


def _apart(text: str, terms: tuple[str, ...]) -> set[str]:
    """The single words that `_terms` joins: an entry is found by "hybrid" as by "hybrid sharding"."""
    return {_plain(word) for word in _wording(text) if word not in _idle()} - {*terms}


def _wording(text: str) -> tuple[str, ...]:
    """The words of a text as they stand, without its signs."""
    return tuple(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


@cache
def _plain(word: str) -> str:
    """A word in the form in which its kin are all the same."""
    same = _same()
    return same.get(word, same.get(_stem(word), _stem(word)))


def _joined(words: list[str], long: int, same: Mapping[str, str]) -> list[str]:
    """Neighbours that are together one word of the field, as that word."""
    out: list[str] = []
    at = 0
    while at < len(words):
        together = "".join(words[at : at + long])
        if at + long <= len(words) and together in same:
            out.append(together)
            at += long
        else:
            out.append(words[at])
            at += 1
    return out


def _stem(word: str) -> str:
    """A word without its commonest endings."""
    for ending, rest in (("ies", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word[: -len(ending)] + rest
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "sl":  # "cutting" is of "cut"
        return word[:-1]
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


@cache
def _same() -> Mapping[str, str]:
    """Each word of a group of `same` to its first; two words written apart are one there."""
    groups = _words()["same"]
    found = {}
    for first, others in groups.items():
        for word in (first, *others):
            joined = re.sub(r"[^a-z0-9]", "", word)
            found[joined] = found[_stem(joined)] = first
    return found


@cache
def _idle() -> frozenset[str]:
    return frozenset(_words()["idle"]["en"])


@cache
def _chinese() -> re.Pattern[str]:
    """The field's Chinese words, the longest first."""
    return re.compile("|".join(sorted(_words()["chinese"], key=len, reverse=True)))


@cache
def _idle_chinese() -> re.Pattern[str]:
    return re.compile("|".join(sorted(_words()["idle"]["zh"], key=len, reverse=True)))


@cache
def _words() -> Mapping[str, Mapping[str, list[str]]]:
    text = (Path(__file__).parent / "words.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
