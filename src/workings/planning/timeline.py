"""A step of the plan by the clock: every stage's micro-batches in the order of their schedule.

The plan counts a step in parts; here the schedule is run with the times that these parts are made of.
Where stages are alike or the last is the slowest, both take nearly the same. Elsewhere the plan counts a
little more, and ranks wait before gradients are exchanged; were it less, all is drawn that much shorter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from workings.errors import UserError
from workings.planning.exact import exactly
from workings.planning.letters import PARTS
from workings.planning.schedules import USUAL, schedule
from workings.planning.shares import letters_of, worth
from workings.planning.statement import Plan
from workings.simulate.interleaved import unlike_chunks
from workings.simulate.schedule import Schedule

MOST_TASKS = 2**18  # forwards and backwards of all stages; a viewer in a browser gets slow beyond
_TRAFFIC = {"tensor parallelism": "T_t", "context parallelism": "V_c/W_c", "expert parallelism": "T_e"}
_LETTERS = tuple(name for formula in _TRAFFIC.values() for name in letters_of(formula))

Parts = Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class Chunk:
    """The blocks of a stage's chunk; seconds of its forward and backward, by what they go to."""

    blocks: int
    forward: Parts
    backward: Parts

    @property
    def times(self) -> tuple[Fraction, Fraction]:
        """Seconds of the forward and of the backward."""
        return sum(self.forward.values(), Fraction(0)), sum(self.backward.values(), Fraction(0))


@dataclass(frozen=True)
class Timeline:
    """A step: the pipeline's schedule in ticks of `tick` seconds, `chunks[stage][chunk]`, all values.

    `takes` are the seconds of the schedule run with the plan's times, `shrunk` what the drawing makes of
    a second of it: 1 but where the plan counts less than the schedule takes.
    """

    schedule: Schedule
    tick: Fraction
    chunks: tuple[tuple[Chunk, ...], ...]
    values: Parts
    takes: Fraction
    shrunk: Fraction

    @property
    def pipeline(self) -> Fraction:
        """Seconds that the plan counts for the pipeline: work, bubble, and sends that are waited for."""
        return sum((self.values[part] for part in ("T_work", "T_idle", "T_send")), Fraction(0))


def timeline(plan: Plan, given: Parts) -> Timeline:
    """The step of a layout, `given` by the letters of a job.

    Raises UserError where its micro-batches do not go in turns, or are too many to draw.
    """
    values = exactly(plan, given)
    p, m, v = (int(values[letter]) for letter in ("p", "m", "v"))
    if (named := schedule(values)) != USUAL:
        raise UserError(f"--trace: found the schedule {named}, expected {USUAL}, which alone is drawn")
    if v > 1 and m % p:
        raise UserError(
            f"--trace: found {m} micro-batches, expected a multiple of the {p} stages where a rank holds "
            "several chunks"
        )
    if 2 * p * m * v > MOST_TASKS:
        raise UserError(
            f"--trace: found {2 * p * m * v:,} forwards and backwards, expected at most {MOST_TASKS:,}"
        )
    chunks = _chunks(values, *_of_a_block(plan, given, values))
    message = (1 - values["h_p"]) * values["T_hop"]
    tick = Fraction(1, lcm(message.denominator, *_denominators(chunks)))
    times = [[tuple(int(time / tick) for time in chunk.times) for chunk in held] for held in chunks]
    run = unlike_chunks([[(f, b) for f, b in held] for held in times], m, int(message / tick))
    takes = run.makespan * tick
    found = Timeline(run, tick, chunks, values, takes, Fraction(1))
    if takes <= found.pipeline:
        return found
    shrunk = found.pipeline / takes
    return Timeline(run, tick * shrunk, chunks, values, takes, shrunk)


def _denominators(chunks: tuple[tuple[Chunk, ...], ...]) -> Iterator[int]:
    return (time.denominator for held in chunks for chunk in held for time in chunk.times)


def _of_a_block(plan: Plan, given: Parts, values: Parts) -> tuple[Parts, Parts]:
    """Seconds of a block's forward and backward, traffic that nothing hides included.

    Full recomputation repeats the forward with its traffic: what it adds is the forward's.
    """
    plain = {**given, **dict.fromkeys(PARTS, Fraction(0))}
    again, once = (_traffic(exactly(plan, {**plain, "z_f": Fraction(z)}, _LETTERS)) for z in (1, 0))
    ahead = {part: again[part] - once[part] for part in again}
    back = {part: seconds - ahead[part] for part, seconds in _traffic(values).items()}
    out, home = (
        {**_waited(values, letter), **_gaps(values, share)}
        for letter, share in (("T_fwd", Fraction(1, 3)), ("T_bwd", Fraction(2, 3)))
    )
    return {"compute": values["T_fwd"], **ahead, **out}, {"compute": values["T_bwd"], **back, **home}


def _gaps(values: Parts, share: Fraction) -> Parts:
    """Seconds of gaps, of which a forward is taken to have a third."""
    return {"gaps": share * values["T_rest"]} if values["T_rest"] else {}


def _waited(values: Parts, beside: str) -> Parts:
    """Seconds that activations on their way to or from the host take beyond what a block computes."""
    seconds = worth(f"max(0, B_away/W_h - {beside})", values)
    return {"activations to the host": seconds} if seconds else {}


def _traffic(values: Parts) -> Parts:
    return {part: worth(formula, values) for part, formula in _TRAFFIC.items()}


def _chunks(v: Parts, forward: Parts, backward: Parts) -> tuple[tuple[Chunk, ...], ...]:
    """The chunks of every stage: the first and the last have fewer blocks, the last the head too."""
    p, chunks = int(v["p"]), int(v["v"])
    blocks = [[int(v["k"])] * chunks for _ in range(p)]
    blocks[0][0] -= int(v["L_full"] - v["L_first"])
    if p > 1:
        blocks[-1][-1] -= int(v["L_full"] - v["L_last"])
    found = [[_chunk(n, forward, backward, Fraction(0)) for n in held] for held in blocks]
    found[-1][-1] = _chunk(blocks[-1][-1], forward, backward, v["T_head"])
    return tuple(map(tuple, found))


def _chunk(blocks: int, forward: Parts, backward: Parts, head: Fraction) -> Chunk:
    """Of the head, as of any product with weights, the forward is a third."""
    return Chunk(blocks, _times(blocks, forward, head / 3), _times(blocks, backward, 2 * head / 3))


def _times(blocks: int, of_a_block: Parts, head: Fraction) -> Parts:
    parts = {part: blocks * seconds for part, seconds in of_a_block.items()}
    return {part: seconds for part, seconds in {**parts, "logits and loss": head}.items() if seconds}
