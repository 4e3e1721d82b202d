"""Whether a sentence contradicts a fact of the field."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from workings.field.patterns import Pattern, Piece, pattern_of, slots_of
from workings.field.sentences import Sentence
from workings.field.topics import Fact

GUARDS = ("doubt", "asks")  # the page itself does not say so, or only asks


def contradicted(
    facts: Sequence[Fact], sentence: Sentence, before: Sequence[Sentence] = ()
) -> Iterator[tuple[Fact, int, int]]:
    """The facts that a sentence contradicts, and the stretch of it that does.

    `before` are the sentences and the heading that say what it speaks of.
    """
    if not sentence.pieces or sentence.says(*GUARDS):
        return
    context = tuple(chain(sentence.pieces, *(one.pieces for one in before)))
    spoken = frozenset(piece.term for piece in context)
    for fact in facts:
        about = slots_of(fact.about)
        if not (about.may_match(spoken) and about.matches(context, spoken)):
            continue
        if fact.unless and slots_of(fact.unless).matches(sentence.pieces):
            continue
        forms = [form for form in map(pattern_of, fact.wrong) if form.may_match(sentence.named)]
        found = next((part for form in forms for part in _said(form, sentence)), None)
        if found is not None:
            yield fact, found[0].start, max(piece.end for piece in found)


def _said(pattern: Pattern, sentence: Sentence) -> Iterator[Sequence[Piece]]:
    """The parts of a sentence that a wrong form describes."""
    for part, named in ((sentence.pieces, sentence.named),) if pattern.sentence else sentence.clauses:
        if part and pattern.matches(part, named):
            yield part
