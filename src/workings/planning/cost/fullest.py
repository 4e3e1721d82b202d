"""The fullest rank: what every stage holds at each moment of a step."""

from collections.abc import Iterator

from workings.planning.cost.stages import BLOCKS_OF, HERE, WORDS, most_of
from workings.planning.letters import STAGES
from workings.planning.statement import Statement, say, switch
from workings.units import BYTE, ONE

HEAD = {"first": "max(1 - x_p, x_bi)", "last": "1"}
MOMENTS = ("steady", "forward", "backward", "step")


def _gathered(stage: str) -> Iterator[Statement]:
    """What the largest unit of a stage takes: of the kinds of block that it has, or of a table."""
    dense, experts = f"({BLOCKS_OF[stage]} - X_{stage})", f"X_{stage}"
    some, most = f"min(k, {dense})", f"min(ceil(k/r_E), {experts})"
    table = ", B_tab" if stage in HEAD else ""
    yield say(
        f"P_z{stage}",
        f"parameters of the largest chunk, {WORDS[stage]}",
        ONE,
        f"max({some}*P_db + (k - {some})*(P_eb + P_re), {most}*(P_eb + P_re) + (k - {most})*P_db)",
    )
    yield say(f"B_{stage}", f"weights gathered, gradients on their way, {WORDS[stage]}", BYTE,
              f"max(min(1, {dense})*B_gather, min(1, {experts})*B_exp{table},"
              f" (z_2 - z_3)*x_turn*x_v*g*P_z{stage})", entry="fsdp-peak-memory")  # fmt: skip


def _of_stage(stage: str) -> Iterator[Statement]:
    """Four moments of one stage; a stage of no blocks (there is none between) holds nothing."""
    here, words = HERE[stage], WORDS[stage]
    fixed = f"(M_ctx + M_comm + M_work){here}"
    head = f" + {HEAD[stage]}*A_head" if stage in HEAD else ""
    back = f" + {HEAD[stage]}*G_head" if stage in HEAD else ""
    place = stage if stage in HEAD else "middle"
    yield from _gathered(stage)
    yield say(f"M_0{stage}", f"held between steps, {words}", BYTE,
              f"S_w{stage} + S_o{stage} + z_k*S_g{stage} + {fixed}")  # fmt: skip
    yield say(f"M_f{stage}", f"held at the end of the forward, {words}", BYTE,
              f"M_0{stage} + (x_g - z_k)*S_g{stage} + (1 + x_frag)*(A_{stage}{head})")  # fmt: skip
    again = f"A_r{stage}{here}"
    loss = f"0{head}{back}"
    yield say(f"M_b{stage}", f"held at the peak of the backward, {words}", BYTE,
              f"M_0{stage} + max((x_g - z_k)*S_g{stage} + (1 + x_frag)*(A_{stage} + B_{stage}{here}"
              f" + max({again}, {loss}) + x_loss*min({again}, {loss})),"
              f" (1 - z_k)*S_g{stage} + (1 + x_frag)*(A_r{stage} + B_{stage}){here})",
              entry=f"peak-memory-{place}-stage",
              assumes="gradients that are not kept grow as activations are given back, so most is held "
              "as the backward begins or as it ends; the loss goes back before a block is computed again"
              )  # fmt: skip
    yield say(f"M_s{stage}", f"held during the optimizer's step, {words}", BYTE,
              f"M_0{stage} + (1 - z_k)*S_g{stage}"
              f" + (1 - x_off)*w_t*(P_{stage}/n_o + E_{stage}/n_oe)")  # fmt: skip
    yield say(f"M_{stage}", f"the most that a rank holds, {words}", BYTE,
              f"max(M_f{stage}, M_b{stage}, M_s{stage}){here}")  # fmt: skip


FULLEST = (
    say("P_unit", "parameters gathered as one unit: a block in the mean, or a table if larger", ONE,
        "max(P_blk + P_be/(t_e*e), P_tab)"),
    say("w_u", "bytes of a parameter of the unit at work: weights gathered ahead, and gradients", BYTE,
        "z_3*((1 + k_u)*w + g) + (z_2 - z_3)*g", entry="fsdp-peak-memory"),
    say("B_gather", "weights gathered for a dense block at work and ahead, gradients on their way", BYTE,
        "w_u*P_db", entry="fsdp-peak-memory"),
    say("B_exp", "the same of a block with experts", BYTE, "w_u*(P_eb + P_re)",
        entry="fsdp-peak-memory"),
    say("B_tab", "the same of a table", BYTE, "w_u*P_tab", entry="fsdp-peak-memory"),
    switch("x_g", "1 where gradients are there before the last backward of a step",
           "max(z_k, min(1, m - 1), x_pool*z_2*min(1, N - 1))"),
    *(statement for stage in STAGES for statement in _of_stage(stage)),
    say("M", "the most that any rank holds", BYTE, most_of("M_{}"),
        entry="peak-memory"),
    say("u_M", "share of the bytes that the device reports", ONE, "M/M_dev"),
)  # fmt: skip
