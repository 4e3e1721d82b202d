"""What a rank keeps for the backward pass."""

from collections.abc import Iterator

from workings.planning.cost.again import NOT_KEPT
from workings.planning.cost.stages import BLOCKS_OF, HERE, WORDS, held
from workings.planning.cost.unfused import UNFUSED
from workings.planning.letters import STAGES
from workings.planning.statement import Statement, say
from workings.units import BYTE, ONE


def _of_kind(
    feed_forward: str, unfused: str, words: str, whole: str, kept: str, again: str, lost: str, more: str
) -> Iterator[Statement]:
    """What a block of a kind keeps and computes again, under these letters."""
    yield say(whole, f"kept by {words} that computes nothing again, but for scores", BYTE,
              f"A_in + A_att + A_eag + {feed_forward} + {unfused}")  # fmt: skip
    yield say(kept, f"kept by {words}", BYTE,
              f"R_f*a*T_r*D/t_s + (1 - R_f)*(1 - x_8/2)"
              f"*({whole} - A_lost - {lost} + {more} + (1 - z_c)*A_core)",
              entry="block-activations-full-sp")  # fmt: skip
    yield say(again, f"computed or gathered again for {words} at work", BYTE,
              f"z_f*({whole} + A_core - a*T_r*D/t_s) + (1 - z_f)*(A_lost + {lost} + z_c*A_core)"
              " + z_s*a*T_r*D",
              entry="recompute-peak")  # fmt: skip


def _in_flight(stage: str, place: str) -> Iterator[Statement]:
    """The stages between the ends; `place` counts them from 0."""
    yield say(f"i_{stage}" if stage == "mid" else f"m_{stage}",
              f"micro-batches in flight on the {WORDS[stage]}", ONE,
              f"min(m, max(1, p - (1 - x_zb)*{place} + x_v*({place} + (p - 1 - 2*{place})/v)))",
              entry="in-flight-1f1b")  # fmt: skip


def _of_stage(stage: str) -> Iterator[Statement]:
    """What a stage keeps of every block that it has, and the most that one of them computes again."""
    flight = f"m_{stage}" if stage in ("turn", "rich") else f"i_{stage}"
    dense, experts = f"({BLOCKS_OF[stage]} - X_{stage})", f"X_{stage}"
    kept = held(stage, "(dense*A_kept + experts*A_kept_x)", f"{flight}*", f"x_bi*(p + 1 - {flight})")
    yield say(f"A_{stage}", f"kept on the {WORDS[stage]}", BYTE,
              f"(1 - x_host)*{kept} + A_way{HERE[stage]}",
              entry="stage-activations",
              assumes="of several chunks of a stage as many micro-batches are in flight")  # fmt: skip
    yield say(f"A_r{stage}", f"computed or gathered again for the block at work, {WORDS[stage]}", BYTE,
              f"max(min(1, {dense})*A_again, min(1, {experts})*A_again_x)",
              entry="recompute-peak")  # fmt: skip


ACTIVATIONS = (
    say("t_s", "ranks that share what tensor parallelism leaves whole", ONE, "1 + z_s*(t - 1)"),
    say("t_x", "parts of the tokens that the ranks which split an expert gather from one another", ONE,
        "max(1, t_e*t_s/t)"),
    say("A_att", "kept by attention: queries, keys, before norms of heads too, values, output, row sums",
        BYTE,
        "z_h*(a*T_r*(d_qk + d_vo + n_qk/2*d_h)*(H/t + max(K/t, 1)) + 4[byte]*T_r*H/t)",
        entry="block-activations-llama-mesh"),
    say("A_core", "attention's scores, kept without FlashAttention unless computed again", BYTE,
        "z_h*(1 - z_a)*5[byte]*T_r*H*s/t", entry="block-activations-tp-sp"),
    say("A_in", "kept whole: inputs of norms, attention and feed-forward; latents, with and without norm",
        BYTE, "a*T_r*(D*(n_n + z_h + 1) + 2*(r_q + r_kv) + d_r)/t_s",
        entry="block-activations-llama-mesh"),
    say("A_ffn", "kept by a dense feed-forward", BYTE, "a*T_r*F*(n_f - 1 + z_g)/t",
        entry="block-activations-llama-mesh"),
    say("A_exp", "kept by experts: tokens sent or gathered to them, and what they compute", BYTE,
        "a*T_r*(lambda*k_E*(D*t_x + F_E*n_f) + E_s*F_E*n_f)/t + 4[byte]*T_r*(E + lambda*k_E)/t",
        entry="block-activations-moe"),
    *UNFUSED,
    *NOT_KEPT,
    *_of_kind("A_ffn", "A_eag_f", "a dense block", "A_whole", "A_kept", "A_again", "A_lost_f",
              "A_more"),
    *_of_kind("A_exp", "A_eag_x", "a block with experts", "A_whole_x", "A_kept_x", "A_again_x",
              "A_lost_x", "A_more_x"),
    say("A_way", "of two blocks on their way to the host, or back for the backward", BYTE,
        "2*x_host*max(A_kept, z_E*A_kept_x)",
        assumes="one is sent or fetched while the next is at work"),
    # Micro-batches whose activations a stage holds at once.
    say("i_first", "micro-batches in flight on the first stage", ONE,
        "min(m, p + x_v*(p - 1)/v)", entry="in-flight-interleaved"),
    *(statement for stage, place in (("mid", "1"), ("turn", "i_turn"), ("rich", "i_rich"))
      for statement in _in_flight(stage, place)),
    say("i_last", "micro-batches in flight on the last stage", ONE,
        "min(m, 1 + x_zb*(p - 1) + x_v*(v - 1)*(p - 1)/v)", entry="in-flight-1f1b"),
    *(statement for stage in STAGES for statement in _of_stage(stage)),
    say("A_head", "logits and the head's input", BYTE, "T_r/t*(2*a*D + w_l*V/n_l)",
        entry="head-activations",
        assumes="where the loss is made in parts, each part's logits are made, used and dropped"),
    say("G_head", "gradient of the logits", BYTE, "w_d*T_r*V/(t*n_l)", entry="loss-peak"),
)  # fmt: skip
