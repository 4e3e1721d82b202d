"""State-space blocks.

What a Mamba-2 block multiplies with weights grows with the tokens as in any block. Its core is linear
attention whose state decays: token by token it takes few FLOPs and no matrix product worth the name. So
a sequence is cut into chunks. Within a chunk every token is scored with every other, as attention does;
what came before reaches it through the state, which is passed from chunk to chunk. That is more FLOPs,
in matrices that a device multiplies fast. Both forms were run with the same numbers and put out the same.
"""

from fractions import Fraction

from workings.derivation import derivation, only_if
from workings.derivations.compute._model import SEQUENCES
from workings.derivations.compute.matmul import MATMUL_FLOPS
from workings.derivations.parameters.state_space import MAMBA_2, THEIR_LETTERS, mamba
from workings.simulate.matmul import counted_matmul, ffn_numbers
from workings.simulate.state_space import Steps, by_chunks, by_tokens, convolve, make_group
from workings.units import FLOP, ONE
from workings.vocabulary.state_space import SSD_CHUNK, SSD_CHUNK_REAL

STATE = {name: MAMBA_2[name] for name in ("H", "d_h", "N")}
SIZES = {**STATE, "G": MAMBA_2["G"]}
GROUPED = "G divides H -- groups would have unlike numbers of heads"


def project_in_and_out(b: int, s: int, D: int, H: int, d_h: int, N: int, G: int, k_c: int) -> int:
    """Every sequence multiplied by each head's and group's weights, convolved and led back, counted."""
    inner, shared = [d_h for _ in range(H)], [N for _ in range(G)]
    only_if(b * s * (D * (3 * sum(inner) + 2 * sum(shared) + H) + k_c * sum(inner)) <= 60_000)
    flops = 0
    for sequence in range(b):
        x = ffn_numbers(s, D, sequence)
        for width in (*inner, *inner, *shared, *shared, *(1 for _ in range(H))):
            flops += counted_matmul(x, ffn_numbers(D, width, width))[1]
        for width in (*inner, *shared, *shared):
            flops += convolve(ffn_numbers(s, width, sequence), ffn_numbers(k_c, width, 1))[1]
        for width in inner:
            flops += counted_matmul(ffn_numbers(s, width, sequence), ffn_numbers(width, D, 2))[1]
    return flops


MAMBA_2_PROJECTION_FLOPS = derivation(
    "mamba2-projection-flops",
    title="FLOPs of a Mamba-2 block's projections and short convolution, forward",
    phrases="Mamba-2 in_proj and out_proj compute; cost of a Mamba layer's linear layers; state "
    "space block GEMMs; conv1d FLOPs of Mamba; FLOPs per token of a Mamba-2 layer's weights; SSM "
    "projections z x B C dt operations; two FLOPs a weight of a Mamba layer",
    unit=FLOP,
    letters={**SEQUENCES, **MAMBA_2},
    uses={
        "f_in": MATMUL_FLOPS.at(B="b*s", F="2*H*d_h + 2*G*N + H"),
        "f_out": MATMUL_FLOPS.at(B="b*s", D="H*d_h", F="D"),
    },
    source=mamba("mamba_ssm/modules/mamba2.py", "Mamba2: in_proj, conv1d, out_proj"),
    oracle=project_in_and_out,
    convention="Tokens before the first count as zeros and are multiplied. A token's is `b = s = 1`. "
    f"{THEIR_LETTERS}",
    leaves_out="The core (ssd-chunk-flops, ssd-recurrent-flops); the gated norm, the skip by D, "
    "activation functions, and the convolution's bias.",
    chain="""
    f_m2 = f_in + b*s*(sum(2[FLOP]*k_c*d_h, (i, 1, H)) + 2*sum(2[FLOP]*k_c*N, (i, 1, G))) + f_out
                                             -- in; the convolution of inputs, B and C; out
      = 2[FLOP]*b*s*D*(2*H*d_h + 2*G*N + H) + 2[FLOP]*b*s*k_c*(H*d_h + 2*G*N) + 2[FLOP]*b*s*H*d_h*D
                                             -- put them in
      = 2[FLOP]*b*s*(D*(3*H*d_h + 2*G*N + H) + k_c*(H*d_h + 2*G*N))
                                             -- 2 FLOPs a weight and token
    """,
)


def run_in_both_forms(s: int, heads: int, d_h: int, N: int, Q: int) -> Steps:
    """A group run chunk by chunk. AssertionError unless it puts out what it does token by token."""
    group = make_group(s, N, d_h, heads)
    steps = by_chunks(group, Q)
    if steps.outputs != [by_tokens(head).output for head in group]:
        raise AssertionError("The chunked form is not the recurrent one.")
    return steps


def run_every_group(b: int, s: int, Q: int, H: int, d_h: int, N: int, G: int) -> int:
    """Every group of heads run chunk by chunk, and token by token to the same numbers; FLOPs counted."""
    only_if(s % Q == 0 and H % G == 0 and H // G * s * (Q + N) * (d_h + N) <= 15_000 and b * G <= 500)
    flops = run_in_both_forms(s, H // G, d_h, N, Q).flops
    return sum(flops for sequence in range(b) for _ in range(sequence, sequence + G))


SSD_CHUNK_FLOPS = derivation(
    "ssd-chunk-flops",
    title="FLOPs of Mamba-2's core (SSD) in chunks, forward",
    phrases="SSD algorithm FLOPs; state space duality compute; chunked scan of Mamba-2 operations; "
    "FLOPs of the selective scan with chunk size 256; intra-chunk and inter-chunk cost; "
    "mamba_chunk_scan_combined operation count; block decomposition of a semiseparable matrix cost; "
    "Mamba-2 prefill compute of the SSM",
    unit=FLOP,
    letters={**SEQUENCES, "Q": SSD_CHUNK, **SIZES},
    uses={
        "f_cb": MATMUL_FLOPS.at(B="Q", D="N", F="Q"),
        "f_y": MATMUL_FLOPS.at(B="Q", D="Q", F="d_h"),
        "f_s": MATMUL_FLOPS.at(B="N", D="Q", F="d_h"),
        "f_c": MATMUL_FLOPS.at(B="Q", D="N", F="d_h"),
    },
    given=("Q divides s -- the last chunk is not full", GROUPED),
    source=mamba("mamba_ssm/modules/ssd_minimal.py", "steps 1 to 4; the listing of arXiv:2405.21060"),
    oracle=run_every_group,
    convention="Whole products: what the mask hides within a chunk is computed too; the heads of a "
    f"group share the scores of C with B. The first chunk meets an empty state. {THEIR_LETTERS}",
    leaves_out="Multiplying scores, inputs and outputs within a chunk by their decays, and making "
    "these; the skip by D.",
    chain="""
    f_ssd = b*(s/Q)*(G*f_cb + H*f_y + H*f_s + H*2[FLOP]*N*d_h + H*f_c)
                              -- a chunk: within it; its state; the state passed on; what came before
      = b*(s/Q)*(2[FLOP]*Q^2*(G*N + H*d_h) + 4[FLOP]*Q*H*N*d_h + 2[FLOP]*H*N*d_h)
                              -- put them in
      = 2[FLOP]*b*s*(Q*(G*N + H*d_h) + 2*H*N*d_h + H*N*d_h/Q)
                              -- a longer chunk: more pairs, fewer states
    """,
)


def shape_of_the_work(**sizes: int) -> tuple[Fraction, Fraction]:
    """FLOPs a token that grow with the chunk, and those that a chunk takes once, from chunks that ran."""
    one, two = (Fraction(run_every_group(b=1, s=4, Q=length, **sizes), 4) for length in (1, 2))
    four = Fraction(run_every_group(b=1, s=4, Q=4, **sizes), 4)
    # of a*Q + c + d/Q at 1, 2 and 4
    rises = (one - 3 * two + 2 * four) / 3
    return rises, 4 * (two - four + 2 * rises)


def close_in_on_the_best_chunk(Q: Fraction, **sizes: int) -> tuple[Fraction, Fraction]:
    """A range of lengths halved by whether one twice as long takes less than one half as long."""
    rises, falls = shape_of_the_work(**sizes)
    low, high = Fraction(1, 10**6), Fraction(10**6)
    while high - low > low / 10**8:
        middle = (low + high) / 2
        longer, shorter = (rises * n + falls / n for n in (2 * middle, middle / 2))
        low, high = (middle, high) if longer < shorter else (low, middle)
    return low, high


SSD_BEST_CHUNK = derivation(
    "ssd-best-chunk",
    title="Chunk length with which Mamba-2's core (SSD) takes the fewest FLOPs",
    phrases="optimal chunk size of the SSD algorithm; best Q for Mamba-2; chunk_size that minimises "
    "FLOPs; why chunk size 256 in Mamba-2; trade-off between intra-chunk and inter-chunk work; square "
    "root of the state size chunk",
    unit=ONE,
    noun="tokens",
    fractional="the best of all real numbers; a sequence takes a divisor of its length beside it",
    letters={**SIZES, "Q": SSD_CHUNK_REAL},
    uses={
        "f_pair": MATMUL_FLOPS.at(B="1", D="1", F="G*N + H*d_h"),
        "f_pass": MATMUL_FLOPS.at(B="1", D="N", F="H*d_h"),
    },
    given=(GROUPED,),
    source=mamba("mamba_ssm/modules/ssd_minimal.py", "block_len, with steps 1 to 4"),
    oracle=close_in_on_the_best_chunk,
    convention="The least FLOPs, not the least time: about 11 for Mamba-2 2.7B, which runs in chunks "
    "of 256, where the products are large enough for a device's matrix units. With one group it is "
    f"near `sqrt(N)`. {THEIR_LETTERS}",
    leaves_out="Multiplying by decays; reading and writing the states, of which short chunks have many.",
    chain="""
    f_pair = f_pass/Q^2           -- a pair more costs what fewer states save: the derivative is 0
      <=> Q^2 = f_pass/f_pair                    -- multiply by `Q^2/f_pair`
      <=> Q = sqrt(f_pass/f_pair)                -- `Q` is positive
      <=> Q = sqrt(H*N*d_h/(G*N + H*d_h))        -- put them in
    """,
)


def run_every_token(b: int, s: int, H: int, d_h: int, N: int) -> int:
    """Every head's state decayed, added to and read token by token, each FLOP counted."""
    only_if(s * d_h * N <= 15_000 and b * H <= 500)
    (head,) = make_group(s, N, d_h, 1)
    ran = by_tokens(head)
    return sum(ran.written + ran.read for sequence in range(b) for _ in range(sequence, sequence + H))


SSD_RECURRENT_FLOPS = derivation(
    "ssd-recurrent-flops",
    title="FLOPs of Mamba-2's core (SSD) token by token, as in decoding",
    phrases="Mamba decode FLOPs per token; selective state update operations; SSM recurrence cost; h "
    "= a h + B x, y = C h FLOPs; selective_state_update compute; state space model inference cost per "
    "generated token; Mamba step cost independent of context",
    unit=FLOP,
    letters={**SEQUENCES, **STATE},
    source=mamba("mamba_ssm/modules/mamba2.py", "Mamba2.step, “SSM step”"),
    oracle=run_every_token,
    convention="A head's decay is one number; a multiplication is a FLOP, a multiply-add two. A step "
    f"of decoding is `s = 1`, at any context. {THEIR_LETTERS}",
    leaves_out="Making the decay, multiplying the input by its step, and the skip by D.",
    chain="""
    f_rec = b*sum(sum(1[FLOP]*N*d_h + 2[FLOP]*N*d_h + 2[FLOP]*N*d_h, (i, 1, H)), (j, 1, s))
                                   -- a token: the state decayed, B times the input added, read with C
      = 5[FLOP]*b*s*H*N*d_h        -- equal heads, equal tokens
    """,
)
