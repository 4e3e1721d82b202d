"""What a block with latent attention and experts saves."""

from fractions import Fraction

from workings.chain import Row
from workings.derivation import Source, derivation
from workings.derivations.activations._block_letters import LEAVES_OUT
from workings.derivations.activations.block_activations_experts import MIXTURE, NOTHING_DROPPED
from workings.simulate.block_forward import Experts, received_rows
from workings.simulate.block_tape import Active, Tape
from workings.units import BYTE
from workings.vocabulary.kinds import LATENT_ATTENTION, WITH_EXPERTS
from workings.vocabulary.model import D_MODEL, HEADS, KV_RANK, NOPE_DIM, Q_RANK, ROPE_DIM, V_DIM
from workings.vocabulary.training import ACTIVATION_WIDTH, MICROBATCH, SEQUENCE_LENGTH

FP32 = Fraction(4)


def run_through_the_latents(
    s: int, b_m: int, D: int, H: int, r_q: int, r_kv: int, d_n: int, d_r: int, d_v: int, a: Fraction,
    E: int, k_E: int, F_E: int, E_s: int, d_ff: int = 0,
) -> Fraction | None:  # fmt: skip
    """Norms, projections down and up, attention, router and experts run on shapes; the tape."""
    if s * b_m * E * k_E > 2_000:
        return None
    tape, tokens = Tape(), s * b_m
    x = Active("block input", (tokens, D), a)
    normed = tape.norm(x, "normed 1")
    latent_q = tape.linear(normed, r_q, "latent query") if r_q else None
    q_from = tape.norm(latent_q, "normed query") if latent_q else normed
    queries = tape.linear(q_from, sum(d_n + d_r for _ in range(H)), "queries")
    latent = tape.linear(normed, r_kv, "latent")
    normed_latent = tape.norm(latent, "normed latent")
    tape.linear(normed_latent, sum(d_n + d_v for _ in range(H)), "keys and values, brought up")
    keys = Active("keys, with their positions", queries.shape, a)
    values = Active("values", (tokens, sum(d_v for _ in range(H))), a)
    out = tape.flash_attention(queries, keys, values, values.shape, (tokens, H))
    tape.linear(out, D, "projected")
    second = tape.norm(Active("sum", (tokens, D), a), "normed 2")
    if d_ff:  # a block without experts
        gate, up = (tape.linear(second, d_ff, name) for name in ("gate", "up"))
        tape.linear(tape.gate(gate, up, "hidden"), D, "answers")
    else:
        _run_experts(tape, second, Experts(E, k_E, F_E, E_s), tokens)
    return tape.bytes


def _run_experts(tape: Tape, x: Active, experts: Experts, tokens: int) -> None:
    """Router, the experts of every token, and those that all tokens go to."""
    tape.linear(x, experts.experts, "router logits")
    tape.softmax(Active("router logits", (tokens, experts.experts), FP32), "router shares")
    rows = received_rows(tokens, experts)
    sent = Active("received tokens", (rows, *x.shape[1:]), x.width)
    for number in range(1 + experts.shared):
        source = x if number else sent
        gate, up = (tape.linear(source, experts.width, name) for name in ("gate", "up"))
        weights = None if number else Active("received weights", (rows,), FP32)
        tape.linear(tape.gate(gate, up, "hidden", weights), x.shape[-1], "answers")


BLOCK_ACTIVATIONS_MLA = derivation(
    "block-activations-mla",
    title="Activations a block with latent attention and experts saves, no token dropped",
    unit=BYTE,
    letters={
        "s": SEQUENCE_LENGTH, "b_m": MICROBATCH, "D": D_MODEL, "H": HEADS, "r_q": Q_RANK,
        "r_kv": KV_RANK, "d_n": NOPE_DIM, "d_r": ROPE_DIM, "d_v": V_DIM, "a": ACTIVATION_WIDTH, **MIXTURE,
    },
    source=Source(
        "DeepSeek-AI",
        "DeepSeek-V2: A Strong, Economical, and Efficient Mixture-of-Experts Language Model",
        2024,
        "section 2.1.2 and appendix C, equations 37 to 47",
        "https://arxiv.org/abs/2405.04434",
    ),
    oracle=run_through_the_latents,
    convention=f"{NOTHING_DROPPED} As it is trained: every head has keys and values of its own. "
    "FlashAttention, no dropout, gated experts, one device. `r_q = 0` says that the query is not "
    "compressed.",
    leaves_out=LEAVES_OUT + " Which token went where (indices), and buffers of the exchange.",
    ledger=(
        Row("input of the first norm", "a*s*b_m*D", "also the block's input"),
        Row("input of the attention", "a*s*b_m*D", "shared by the projections down"),
        Row("compressed query", "2*a*s*b_m*r_q", "input of its norm, and what is brought up"),
        Row("compressed keys and values", "2*a*s*b_m*r_kv", "input of the norm, and brought up"),
        Row("queries and keys", "2*a*s*b_m*H*(d_n + d_r)", "for the scores, positions included"),
        Row("values", "a*s*b_m*H*d_v", "for the product with the attention's shares"),
        Row("log-sum-exp", "4[byte]*b_m*H*s", "FP32, from which tiles find their softmax again"),
        Row("input of the projection", "a*s*b_m*H*d_v", "the attention's output"),
        Row("input of the second norm", "a*s*b_m*D", "the residual after the attention"),
        Row("input of the feed-forward", "a*s*b_m*D", "for the router and shared experts"),
        Row("router's softmax", "4[byte]*s*b_m*E", "FP32, one value for each expert"),
        Row("received tokens", "a*s*b_m*k_E*D", "a copy of a token for each expert it visits"),
        Row("their weights", "4[byte]*s*b_m*k_E", "FP32, how much the answer counts"),
        Row("experts' gate, up and product", "3*a*s*b_m*(k_E + E_s)*F_E", "routed and shared"),
    ),
    holds_for={LATENT_ATTENTION: "block-activations-llama", WITH_EXPERTS: ""},
    chain="""
    A_la = rows                                                                 -- add the rows
      = a*s*b_m*((4 + k_E)*D + 2*(r_q + r_kv) + 2*H*(d_n + d_r + d_v) + 3*(k_E + E_s)*F_E)
        + 4[byte]*s*b_m*(E + k_E) + 4[byte]*b_m*H*s                                   -- collect
    """,
)  # fmt: skip
