"""The fullest rank: what every stage holds at each moment of a step."""

from collections.abc import Iterator

from workings.planning.cost.state import STAGES
from workings.planning.statement import Statement, say
from workings.units import BYTE, ONE

HEAD = {"first": "(1 - x_p)", "mid": "0", "last": "1"}
MOMENTS = ("steady", "forward", "backward", "step")


def _of_stage(stage: str) -> Iterator[Statement]:
    """Four moments of one stage; a stage of no blocks (there is none between) holds nothing."""
    here = "*x_mid" if stage == "mid" else ""
    fixed = f"(M_ctx + M_comm + M_work){here}"
    head = "" if stage == "mid" else f" + {HEAD[stage]}*A_head"
    back = "" if stage == "mid" else f" + {HEAD[stage]}*G_head"
    yield say(f"M_0{stage}", f"held between steps, {stage} stage", BYTE, f"S_{stage} + {fixed}")
    yield say(f"M_f{stage}", f"held at the end of the forward, {stage} stage", BYTE,
              f"M_0{stage} + (1 + x_frag)*(A_{stage}{head})")  # fmt: skip
    yield say(f"M_b{stage}", f"held at the peak of the backward, {stage} stage", BYTE,
              f"M_0{stage} + (1 + x_frag)*(A_{stage} + (A_again + B_gather){here}{head}{back})",
              entry=f"peak-memory-{'middle' if stage == 'mid' else stage}-stage")  # fmt: skip
    yield say(f"M_s{stage}", f"held during the optimizer's step, {stage} stage", BYTE,
              f"M_0{stage} + (1 - x_off)*w_t*(P_{stage}/n_o + E_{stage}/n_oe)")  # fmt: skip
    yield say(f"M_{stage}", f"the most that a rank of the {stage} stage holds", BYTE,
              f"max(M_f{stage}, M_b{stage}, M_s{stage})")  # fmt: skip


FULLEST = (
    say("P_unit", "parameters gathered as one unit: a block, or a table if larger", ONE,
        "max(P_blk + P_be/(t_e*e), V*D/t)"),
    say("P_added", "parameters whose whole gradients are added up before they are reduced (ZeRO-2)", ONE,
        "max(P_unit, x_turn*x_v*k*(P_blk + P_be/(t_e*e)))"),
    say("B_gather", "weights gathered for the block at work and ahead, gradients on their way", BYTE,
        "z_3*((1 + k_u)*w + g)*P_unit + (z_2 - z_3)*g*P_added", entry="fsdp-peak-memory"),
    *(statement for stage in STAGES for statement in _of_stage(stage)),
    say("M", "the most that any rank holds", BYTE, "max(M_first, M_mid, M_last)", entry="peak-memory"),
    say("u_M", "share of the bytes that the device reports", ONE, "M/M_dev"),
)  # fmt: skip
