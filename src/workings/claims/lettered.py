"""A formula in a page's own letters against one of the catalogue, whatever the letters are called.

A letter that no words of the page explain means what the field's notations mean by it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice, permutations

from workings.claims.bindings import Bindings
from workings.claims.expressions import expressions
from workings.claims.typed import names_of, value_at
from workings.comparing.points import probes
from workings.field.known import Written
from workings.formula import Expr, names_in
from workings.marks.tree import Node
from workings.scenario import preset_names
from workings.values.notation import glyphs_named
from workings.vocabulary import concepts as concepts_of_all

MOST_LETTERS = 6
MOST_WAYS = 120
POINTS = 4


def agrees(node: Node, of: Written, concepts: Mapping[str, frozenset[str]], page: Bindings) -> bool:
    """Whether a formula of a page is one of ours under letters that its words allow."""
    return any(_agrees(tree, of, concepts, page) for tree in expressions(node, most=2))


def _agrees(tree: Expr, of: Written, concepts: Mapping[str, frozenset[str]], page: Bindings) -> bool:
    theirs, ours = names_in(tree), names_in(of.tree)
    if len(theirs) != len(ours) or not 2 <= len(ours) <= MOST_LETTERS:
        return False
    return any(_same(tree, of.tree, way) for way in islice(_ways(theirs, of, concepts, page), MOST_WAYS))


def _ways(
    theirs: tuple[str, ...], of: Written, concepts: Mapping[str, frozenset[str]], page: Bindings
) -> Iterator[Mapping[str, str]]:
    """Every way to call our letters by those of the page; words have to say of each what it is."""
    ours = names_in(of.tree)
    mean = {name: _meant(of.concepts[name], concepts, page) for name in ours}
    for order in permutations(ours):
        way = dict(zip(theirs, order, strict=True))
        if all((concepts.get(a) or customary(a)) & mean[b] for a, b in way.items()):
            yield way


@cache
def customary(letter: str) -> frozenset[str]:
    """The concepts that a letter, large or small, stands for here or in a notation of the field."""
    own = [(concept.name, concept.glyph) for concept in concepts_of_all()]
    glyphs = [pair for name in preset_names("notation") for pair in glyphs_named(name).items()]
    return frozenset(name for name, glyph in (*own, *glyphs) if glyph.casefold() == letter.casefold())


def _meant(concept: str, concepts: Mapping[str, frozenset[str]], page: Bindings) -> frozenset[str]:
    """What letters of a concept are said to be; all parameters are not active where those have one."""
    apart = concept == "active_parameters" and any(concept in of for of in concepts.values())
    return names_of(concept, page) - {"parameters"} if apart else names_of(concept, page)


def _same(theirs: Expr, ours: Expr, way: Mapping[str, str]) -> bool:
    for point in probes(tuple(way.values()))[:POINTS]:
        a = value_at(theirs, {name: point[our] for name, our in way.items()})
        b = value_at(ours, point)
        if a is None or a != b:
            return False
    return True
