"""A review put together: the document, and every number of it as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workings.document.blocks import Block, Document, Items, Prose, Text
from workings.planning.cost import plan
from workings.planning.job import Job
from workings.review.desk import Desk
from workings.review.front_page import front_page, heading
from workings.review.layout import layout
from workings.review.measure import measure
from workings.review.memory import memory
from workings.review.register import entries, register
from workings.review.time import time
from workings.review.verdict import verdict
from workings.review.workings import workings

LEFT_OUT = (
    "Uneven layers: blocks are alike, those with experts and those without in the mean.",
    "Contention between axes that use the network at once, and congestion inside it.",
    "Stragglers, jitter, input pipeline, evaluation and logging.",
    "Copies of key and value heads where tensor parallelism exceeds them.",
    "Activations of the embedding, and its gradients summed between first and last stage.",
)


def review_document(job: Job) -> Document:
    """The whole document. Raises DoesNotEvaluateError where a letter is missing."""
    desk = Desk(job, plan())
    blocks = tuple(_blocks(desk))
    title = (Text(f"Design review: {job.name}"),)
    return Document(title, blocks, desk.numbers, "a generated review; its tables round independently")


def _blocks(desk: Desk) -> Iterator[Block]:
    answer = verdict(desk.job, dict(desk.base), dict(desk.high))
    found = entries(desk)
    yield from front_page(desk, answer)
    yield from register(desk, found)
    yield from layout(desk)
    yield from memory(desk)
    yield from time(desk)
    yield from measure(desk)
    yield from left_out(LEFT_OUT)
    yield from workings(desk)


def left_out(words: Sequence[str]) -> Iterator[Block]:
    """What the model does not know of."""
    yield heading("What the model leaves out")
    yield Items(tuple((Prose((Text(text),)),) for text in words))
