"""What stays on a rank from step to step: weights, gradients, optimizer state."""

from collections.abc import Iterator

from workings.planning.cost.stages import WORDS, held
from workings.planning.letters import STAGES
from workings.planning.statement import Statement, say
from workings.units import BYTE, ONE

# Parameters outside blocks on each stage; with one stage the first and the last are one. Tensor
# parallelism splits tables by rows and copies learned positions and the last norm.
_OUTSIDE = {
    "first": "P_tab*(1 + (n_emb - 1)*(1 - x_p)) + n_pos*D",
    "last": "P_tab*(x_p + n_emb*(1 - x_p)) + n_pos*D*(1 - x_p) + n_nf*(1 + beta_n)*D",
}
_FAR_END = {"first": "last", "last": "first"}


def _of_stage(stage: str) -> Iterator[Statement]:
    """What one stage holds."""
    words, outside = WORDS[stage], ""
    if stage in _OUTSIDE:
        outside = f" + {_OUTSIDE[stage]} + x_bi*({_OUTSIDE[_FAR_END[stage]]})"
    yield say(f"P_{stage}", f"dense parameters of a rank, {words}", ONE,
              held(stage, "(dense*P_db + experts*P_eb)") + outside,
              entry="rank-parameters")  # fmt: skip
    yield say(f"E_{stage}", f"expert parameters of a rank, {words}", ONE, held(stage, "experts*P_re"),
              entry="expert-rank-parameters")  # fmt: skip
    yield say(f"S_w{stage}", f"weights to compute with, {words}", BYTE,
              f"w_h*(P_{stage}/n_w + E_{stage}/n_we)", entry="zero-3-state")  # fmt: skip
    yield say(f"S_g{stage}", f"gradients, {words}", BYTE,
              f"w_acc*(P_{stage}/n_g + E_{stage}/n_ge)", entry="zero-2-state")  # fmt: skip
    yield say(f"S_o{stage}", f"master weights and moments on the device, {words}", BYTE,
              f"(1 - x_off)*(w_p + 2*w_o)*(P_{stage}/n_o + E_{stage}/n_oe)",
              entry="zero-1-state")  # fmt: skip
    yield say(f"S_{stage}", f"model state of a rank, {words}", BYTE,
              f"S_w{stage} + S_g{stage} + S_o{stage}", entry="rank-state")  # fmt: skip


STATE = (
    say("w_acc", "bytes of a gradient while micro-batches add to it", BYTE,
        "(1 - x_late)*w_g + x_late*g",
        assumes="whole gradients are held as they will be reduced, as PyTorch's FSDP2 does"),
    say("n_o", "ranks that share dense optimizer state", ONE, "1 + z_1*(N - 1)"),
    say("n_g", "ranks that share dense gradients", ONE, "1 + z_2*(1 - x_late)*(N - 1)"),
    say("n_w", "ranks that share dense weights", ONE, "1 + z_3*(N - 1)"),
    say("w_h", "bytes of a weight that a rank holds to compute with, beside its part of the master", BYTE,
        "max(w_c, min(1, max(N, d_e) - 1)*z_1*(1 - z_3)*w)",
        assumes="where several ranks share masters but not what is computed with, weights gathered once "
        "a step are held till the next"),
    say("n_oe", "ranks that share an expert's optimizer state", ONE, "1 + z_1*(d_e - 1)"),
    say("n_ge", "ranks that share an expert's gradients", ONE, "1 + z_2*(1 - x_late)*(d_e - 1)"),
    say("n_we", "ranks that share an expert's weights", ONE, "1 + z_3*(d_e - 1)"),
    *(statement for stage in STAGES for statement in _of_stage(stage)),
)  # fmt: skip
