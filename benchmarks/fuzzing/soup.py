"""Made-up documents, each from its number alone: formulas, soup of tokens, mutations, attacks."""

from __future__ import annotations

import json
from dataclasses import dataclass
from random import Random

from fuzzing.words import ATOMS, BRACKETS, FORMS, GLUE, HOSTILE, NUMBERS, OPERATORS, RELATIONS, SNIPPETS

KINDS = ("md", "tex", "ipynb")
DEEPEST = 5


@dataclass(frozen=True, slots=True)
class Case:
    """A made-up document; `number` makes it again."""

    number: int
    name: str
    kind: str
    text: str


def case(number: int) -> Case:
    """The document of this number."""
    random = Random(number)  # noqa: S311 - numbers, not secrets
    kind = random.choices(KINDS, (6, 3, 2))[0]
    body = "".join(_part(random, kind) for _ in range(random.choice((1, 1, 2, 3, 5))))
    if random.random() < 0.3:
        body = mutated(random, body)
    text = _notebook(random, body) if kind == "ipynb" else body
    if kind == "ipynb" and random.random() < 0.15:
        text = mutated(random, text)
    return Case(number, f"fuzz.{kind}", kind, text)


def _part(random: Random, kind: str) -> str:
    makers = (_snippet, _statement, _soup, _hostile, _table, _sentence)
    made = random.choices(makers, (5, 5, 3, 2, 1, 2))[0](random)
    if random.random() < 0.4:
        made = mutated(random, made)
    opening, closing = random.choice(GLUE[kind])
    return f"{opening}{made}{closing}"


def _snippet(random: Random) -> str:
    return random.choice(SNIPPETS)


def _hostile(random: Random) -> str:
    return random.choice(HOSTILE)


def _soup(random: Random) -> str:
    pools = (ATOMS, OPERATORS, RELATIONS, BRACKETS, HOSTILE)
    tokens = (
        random.choice(random.choices(pools, (8, 4, 2, 4, 1))[0]) for _ in range(random.randint(1, 40))
    )
    return random.choice(("", " ")).join(tokens)


def _sentence(random: Random) -> str:
    middle = (
        " is ",
        ", i.e. ",
        " or about ",
        ". That's ",
        " in total, ",
        " per GPU, so ",
        " (",
        "，即",
        " of ",
    )
    parts = [_number(random)]
    for _ in range(random.randint(1, 4)):
        parts += [
            random.choice(middle),
            _number(random) if random.random() < 0.7 else expression(random, 2),
        ]
    return "".join(parts) + random.choice((".", "", "。", "\n"))


def _statement(random: Random) -> str:
    """A chain of expressions."""
    made = expression(random, random.randint(0, DEEPEST))
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        made += f" {random.choice(RELATIONS)} {expression(random, random.randint(0, 3))}"
    return made


def expression(random: Random, depth: int) -> str:
    """A formula of bounded depth."""
    if depth <= 0:
        return _number(random) if random.random() < 0.5 else random.choice(ATOMS)
    inner = [expression(random, depth - random.randint(1, 3)) for _ in range(3)]
    return random.choice(FORMS).format(*inner)


def _number(random: Random) -> str:
    size = random.choice((0, 1, 1, 2, 3, 5, 9, 20, 90))
    digits = str(random.randrange(10 ** max(size, 1)))
    return random.choice(NUMBERS).format(int(digits))


def _table(random: Random) -> str:
    width = random.randint(1, 4)
    rows = [" | ".join(random.choice(ATOMS) for _ in range(width)), "|".join(["---"] * width)]
    for _ in range(random.randint(1, 4)):
        rows.append(" | ".join(expression(random, random.randint(0, 2)) for _ in range(width)))
    rows.append(" | ".join(["Total", *(_number(random) for _ in range(width - 1))]))
    return "\n" + "".join(f"| {row} |\n" for row in rows)


def mutated(random: Random, text: str) -> str:
    """The text after a few accidents: pieces lost, doubled, swapped, or strange ones put in."""
    for _ in range(random.randint(1, 4)):
        start = random.randint(0, len(text))
        end = min(len(text), start + random.choice((1, 1, 2, 5, 20)))
        piece = text[start:end]
        strange = random.choice(random.choice((HOSTILE, BRACKETS, OPERATORS, RELATIONS, ATOMS)))
        put = random.choice(
            ("", piece * 2, piece * random.randint(2, 30), piece[::-1], strange, strange + piece)
        )
        text = text[:start] + put + text[end:]
    return text[:4_000]


def _notebook(random: Random, body: str) -> str:
    """The body as a cell of a notebook, or in what a cell printed."""
    lines: str | list[str] = body.splitlines(keepends=True) if random.random() < 0.5 else body
    output = {"output_type": random.choice(("stream", "execute_result", "display_data")), "text": lines,
              "data": {"text/plain": lines}}  # fmt: skip
    cells = [
        {"cell_type": random.choice(("markdown", "code", "raw")), "source": lines, "outputs": []},
        {"cell_type": "code", "source": "x = 3", "outputs": [output]},
    ]
    book = {"cells": cells[: random.randint(1, 2)], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(book, ensure_ascii=random.random() < 0.5, indent=random.choice((None, 1)))
