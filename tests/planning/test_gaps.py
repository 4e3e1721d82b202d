"""What a block takes beside its work: it stands in the step, in its parts and in its timeline."""

from fractions import Fraction

import pytest
from awkward import awkward, flags_of_zero

from workings.planning.cost import plan
from workings.planning.letters import LETTERS
from workings.planning.savings import without
from workings.planning.timeline import timeline
from workings.planning.waterfall import waterfall

GAP = Fraction(1, 50)


@pytest.mark.parametrize(("stage", "blocks"), [(0, 1), (2, 1), (3, 2)])
def test_a_block_has_gaps_and_more_where_its_weights_are_gathered(stage: int, blocks: int) -> None:
    none, some = (awkward(**flags_of_zero(stage), T_gap=gap, T_gap_z=gap) for gap in (0, GAP))
    assert some["T_blk"] - none["T_blk"] == blocks * GAP


def test_blocks_with_experts_have_more_and_of_others_those_count_nothing() -> None:
    none, some = (awkward(T_gap_x=gap) for gap in (0, GAP))
    assert 0 < some["x_E"] < 1
    assert some["T_blk"] - none["T_blk"] == some["x_E"] * GAP


def test_the_parts_of_a_step_with_gaps_add_up_to_it() -> None:
    v = awkward(T_gap=GAP)
    spans = {span.name: span.seconds for span in waterfall(v)}
    assert sum(spans.values()) == v["T_step"]
    assert spans["gaps between kernels"] > 0
    assert without(plan(), v, "gaps between kernels")["T_step"] < v["T_step"]


def test_a_timeline_has_them_in_forwards_and_backwards() -> None:
    given = {letter: awkward(T_gap=GAP, v=1, b=24)[letter] for letter in LETTERS}
    [chunk, *_] = timeline(plan(), given).chunks[1]
    forward, backward = chunk.forward["gaps"], chunk.backward["gaps"]
    assert forward + backward == chunk.blocks * GAP
