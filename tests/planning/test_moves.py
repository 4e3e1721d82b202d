"""An input moves by steps that no rule of layouts refuses, or not at all by itself."""

from collections.abc import Callable
from fractions import Fraction

import pytest
from jobs import experts_64, gpt3_175b, llama3_8b, llama3_405b
from linted import lint

from workings.planning.cost import plan
from workings.planning.exact import exactly
from workings.planning.job import Job
from workings.planning.letters import MODEL
from workings.planning.moves import moves_of

COUNTS = ("b", "s", "D", "F", "V", "E", "F_E", "L", "k_E")
OF_MEMORY = {"fits", "head-room"}


def refusals(job: Job) -> set[str]:
    """The rules that refuse a layout, but for those on its memory."""
    found = lint(job)
    return {f.rule.id for f in found if f.broken and f.rule.severity == "error"} - OF_MEMORY


@pytest.mark.parametrize("letter", COUNTS)
@pytest.mark.parametrize("make", [gpt3_175b, experts_64, llama3_8b, lambda: llama3_8b(c=2, t_e=4)])
def test_the_next_steps_of_a_count_break_no_rule(make: Callable[[], Job], letter: str) -> None:
    job = make()
    moves = moves_of(letter, exactly(plan(), job.values()))
    assert moves
    here = job.values()[letter]
    for steps in (1, 2) if here else ():
        value = (here // moves.grain + steps) * moves.grain
        if moves.most is None or value <= moves.most:
            assert refusals(job.with_values({letter: value})) <= refusals(job)


def test_a_batch_of_interleaved_chunks_moves_by_whole_turns() -> None:
    v = exactly(plan(), llama3_405b().values())
    (chunks, one) = (moves_of("b", {**v, "v": Fraction(chunks)}) for chunks in (8, 1))
    assert chunks
    assert one
    assert chunks.grain == 128 * 16
    assert one.grain == 128


def test_sequences_end_where_learned_positions_do() -> None:
    learned, rotary = (moves_of("s", exactly(plan(), j.values())) for j in (gpt3_175b(), llama3_8b()))
    assert learned
    assert rotary
    assert learned.most == 2048
    assert rotary.most is None


def test_what_belongs_to_the_kind_of_a_model_moves_with_others_only() -> None:
    v = exactly(plan(), gpt3_175b().values())
    alone = {letter for letter in MODEL if moves_of(letter, v)}
    assert {"n_f", "n_n", "K", "H", "d_h", "L_E"}.isdisjoint(alone)
    assert {"D", "F", "L", "V"} <= alone
