"""Draws the pages of a round: what each is about, in which form, language and tone, with which mistakes.

    python -m benchmarks.rounds.draw SEED > rows.tsv

A writer sees only his rows and the brief. A round has 20 pages: at least four in LaTeX, three notebooks,
six not in English; 15 of them have a twin with mistakes, at least 12 of each scope in all and twice as
many of the field.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

TOPICS = (
    "parameters of a dense model", "parameters with grouped heads and a gated feed-forward",
    "parameters of a mixture of experts", "latent attention", "training FLOPs and compute budget",
    "MFU and throughput", "training time and cost", "model state and optimizer memory", "ZeRO or FSDP",
    "activations and recomputation", "ring collectives and their times",
    "tensor and sequence parallelism",
    "context parallelism and long sequences", "pipeline bubbles and schedules", "expert parallelism",
    "failures, checkpoints and goodput", "KV cache sizing", "prefill and decode", "batch size and steps",
    "network and bandwidth planning",
)  # fmt: skip
FORMS = ("LaTeX", "notebook", "Markdown homework", "design note", "chat-like notes", "blog post",
         "lecture notes", "capacity memo", "README", "solution with parts (a) to (d)")  # fmt: skip
LANGUAGES = ("German", "French", "Spanish", "Chinese", "Japanese", "Korean", "Portuguese")
TONES = ("terse", "chatty", "formal", "tutorial for beginners", "hurried", "pedantic")
EACH = {"local": 12, "definitions": 12, "context": 12, "domain": 24}  # mistakes of a scope in all
PAGES, TWINS = 20, 15


@dataclass
class Row:
    """A page to be written."""

    topic: str
    form: str
    language: str
    tone: str
    mistakes: Counter[str] = field(default_factory=Counter)


def rows(seed: int) -> Iterator[Row]:
    """The pages of a round."""
    draw = random.Random(seed)  # noqa: S311 - a lot, no secret
    topics = draw.sample(TOPICS, PAGES)
    forms = ["LaTeX"] * 5 + ["notebook"] * 4 + draw.choices(FORMS[2:], k=PAGES - 9)
    languages = draw.sample(LANGUAGES, 7) + ["English"] * (PAGES - 7)
    draw.shuffle(forms)
    draw.shuffle(languages)
    found = [Row(*row, draw.choice(TONES)) for row in zip(topics, forms, languages, strict=True)]
    twins = draw.sample(range(PAGES), TWINS)
    for scope, many in EACH.items():
        for number in range(many):
            found[twins[(number + draw.randrange(TWINS)) % TWINS]].mistakes[scope] += 1
    yield from found


def main() -> None:
    """Print the rows of a round as a table."""
    print("page", "topic", "form", "language", "tone", *EACH, sep="\t")
    for number, row in enumerate(rows(int(sys.argv[1])), 1):
        counts = (row.mistakes[scope] for scope in EACH)
        print(f"{number:02}", row.topic, row.form, row.language, row.tone, *counts, sep="\t")


if __name__ == "__main__":
    main()
