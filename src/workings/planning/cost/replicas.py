"""What ranks that share state send in a step: gradients reduced, weights gathered, and how long it takes.

All of it goes in pieces, one after the other. With weights sharded (ZeRO-3) a piece is a block, gathered
before each of its passes. Else, where a rank holds several chunks, a piece is a chunk: its gradients are
whole before those of the next, as NVIDIA's guide to NeMo says (“Communication Overlap”: the granularity
is a virtual pipeline stage). Where it holds one, a piece is a block, about what a bucket of Megatron-LM
holds. Each piece's messages start anew.
"""

from collections.abc import Iterator

from workings.planning.cost.stages import held, most_of
from workings.planning.letters import STAGES
from workings.planning.statement import Statement, say, switch
from workings.units import BYTE, ONE, SECOND

_ALL_BLOCKS = ", ".join(held(stage, "(dense + experts)") for stage in STAGES)
_WITH_EXPERTS = ", ".join(held(stage, "experts") for stage in STAGES)


def _of_axis(axis: str, size: str, parameters: str, pieces: str, words: str) -> Iterator[Statement]:
    """Starts of messages and the ends of a step, of what these ranks send."""
    copies = " + tau_r" if axis == "d" else ""
    sent_by_copies = " + 2*(n_r - 1)/(n_r*N)*g*P_top" if axis == "d" else ""
    yield say(f"T_0{axis}", f"starts of a step's messages among {words}", SECOND,
              f"{pieces}*(n_ring*tau_{axis} + (1 - z_1)*tau_a{axis}{copies})",
              entry="ddp-sync-time")  # fmt: skip
    yield say(f"T_1{axis}", f"a piece gathered and one reduced among {words}", SECOND,
              f"(({size} - 1)/{size}*w_once*{parameters}{sent_by_copies})/({pieces}*W_{axis})"
              f" + 2*z_1*tau_{axis} + (1 - z_1)*tau_a{axis}{copies}",
              entry="ddp-sync-time", assumes="pieces are alike")  # fmt: skip


REPLICAS = (
    switch("x_each", "1 where each micro-batch sends", "max(z_3, z_2 - x_late)"),
    say("L_top", "blocks of the fullest rank", ONE, f"max({_ALL_BLOCKS})"),
    say("X_top", "blocks with experts of the rank that has most", ONE, f"max({_WITH_EXPERTS})"),
    say("n_b", "pieces in which a rank's gradients are reduced and weights gathered", ONE,
        "L_top - (1 - z_3)*x_v*(L_top - v)",
        assumes="a chunk a piece, of several that a rank holds whole; else a block"),
    say("n_bx", "pieces in which those of experts are", ONE,
        "max(1, X_top - (1 - z_3)*x_v*max(0, X_top - v))"),
    say("n_z", "reductions of sharded gradients in a step", ONE,
        "x_late + (1 - x_late)*(m - (1 - z_3)*x_turn*x_v*(m - ceil(m/p)))",
        assumes="one after each micro-batch; but with several chunks a rank works through a chunk for p "
        "micro-batches in a row, and may add their gradients before they are reduced"),
    say("n_ring", "gathers and reduce-scatters of a piece in a step", ONE,
        "z_1*(1 - z_3) + z_1*(1 - z_2) + z_2*n_z + z_3*2*m", entry="zero-3-step-bytes"),
    say("w_sync", "bytes a parameter that a ring moves in a step", BYTE,
        "2*g*(1 - z_1) + z_1*(1 - z_3)*w + z_1*(1 - z_2)*g"
        " + z_2*n_z*g + z_3*2*m*w",
        entry="zero-3-step-bytes"),
    say("w_once", "bytes a parameter that is gathered once and reduced once", BYTE,
        "2*g*(1 - z_1) + z_1*(w + g)", entry="zero-1-step-bytes"),
    say("P_top", "dense parameters of the fullest rank", ONE, most_of("P_{}"),
        entry="rank-parameters"),
    say("E_top", "expert parameters of the fullest rank", ONE, most_of("E_{}"),
        entry="expert-rank-parameters"),
    say("V_d", "gradients reduced and weights gathered, dense part", BYTE,
        "(N - 1)/N*w_sync*P_top + 2*(n_r - 1)/(n_r*N)*g*P_top", entry="zero-1-step-bytes",
        assumes="the stage with most dense parameters and that with most experts are waited for alike"),
    say("V_x", "gradients reduced and weights gathered, experts", BYTE, "(d_e - 1)/d_e*w_sync*E_top",
        entry="expert-gradient-bytes"),
    say("tau_r", "starts of messages of one all-reduce by copies of the sharded state", SECOND,
        "2*((1 - q_d)*(n_r - 1)*alpha_1 + q_d*ceil(log2(n_r))*alpha_2)",
        entry="tree-all-reduce-time", assumes="copies lie on different nodes where a group leaves one"),
    *_of_axis("d", "N", "P_top", "n_b", "data-parallel ranks"),
    *_of_axis("x", "d_e", "E_top", "n_bx", "copies of an expert"),
    say("T_d", "time of a step's data-parallel traffic, with the starts of messages", SECOND,
        "V_d/W_d + T_0d + z_E*(V_x/W_x + T_0x)", entry="ddp-sync-time"),
    say("T_ends", "a step's first gather and last reduction, of a piece: none has compute beside it",
        SECOND, "T_1d + z_E*T_1x", entry="ddp-exposed-time"),
)  # fmt: skip
