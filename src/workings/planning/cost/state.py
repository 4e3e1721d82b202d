"""What stays on a rank from step to step: weights, gradients, optimizer state."""

from collections.abc import Iterator

from workings.planning.statement import Statement, say
from workings.units import BYTE, ONE

# Parameters outside blocks on each stage; with one stage the first and the last are one.
_TABLES = {
    "first": "D*(V*(1 + (n_emb - 1)*(1 - x_p)) + n_pos)",
    "mid": "0",
    "last": "D*(V*x_p + (n_emb*V + n_pos)*(1 - x_p)) + n_nf*D",
}
STAGES = ("first", "mid", "last")


def _of_stage(stage: str) -> Iterator[Statement]:
    """What one stage holds."""
    yield say(f"P_{stage}", f"dense parameters of a rank, {stage} stage", ONE,
              f"L_{stage}*P_blk + ({_TABLES[stage]})/t", entry="fullest-stage-parameters")  # fmt: skip
    yield say(f"E_{stage}", f"expert parameters of a rank, {stage} stage", ONE,
              f"L_{stage}*P_be/(t_e*e)", entry="expert-rank-parameters")  # fmt: skip
    yield say(f"S_w{stage}", f"weights to compute with, {stage} stage", BYTE,
              f"w_h*(P_{stage}/n_w + E_{stage}/n_we)", entry="zero-3-state")  # fmt: skip
    yield say(f"S_g{stage}", f"gradients, {stage} stage", BYTE,
              f"w_g*(P_{stage}/n_g + E_{stage}/n_ge)", entry="zero-2-state")  # fmt: skip
    yield say(f"S_o{stage}", f"master weights and moments on the device, {stage} stage", BYTE,
              f"(1 - x_off)*(w_p + 2*w_o)*(P_{stage}/n_o + E_{stage}/n_oe)",
              entry="zero-1-state")  # fmt: skip
    yield say(f"S_{stage}", f"model state of a rank, {stage} stage", BYTE,
              f"S_w{stage} + S_g{stage} + S_o{stage}", entry="rank-state")  # fmt: skip


STATE = (
    say("n_o", "ranks that share dense optimizer state", ONE, "1 + z_1*(N - 1)"),
    say("n_g", "ranks that share dense gradients", ONE, "1 + z_2*(N - 1)"),
    say("n_w", "ranks that share dense weights", ONE, "1 + z_3*(N - 1)"),
    say(
        "w_h",
        "bytes of a weight that a rank holds to compute with, beside its part of the master",
        BYTE,
        "max(w_c, z_1*(1 - z_3)*w)",
        assumes="where masters are shared but not what is computed with, weights gathered once a step "
        "are held till the next",
    ),
    say("n_oe", "ranks that share an expert's optimizer state", ONE, "1 + z_1*(d_e - 1)"),
    say("n_ge", "ranks that share an expert's gradients", ONE, "1 + z_2*(d_e - 1)"),
    say("n_we", "ranks that share an expert's weights", ONE, "1 + z_3*(d_e - 1)"),
    *(statement for stage in STAGES for statement in _of_stage(stage)),
)
