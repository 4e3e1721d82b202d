"""What a pipeline sends, and when that hides.

Between stages go the activations of a micro-batch forward and their gradients backward: first for one
boundary, then for one of several tensor ranks that share the message, then for all boundaries of a
step, with one chunk on a rank and with several. A message takes time: how much, from which bandwidth a
chunk's forward hides it, and what of it the step waits for with GPipe and with 1F1B. Two more entries
concern what a stage sends across its replicas: the tokens from which gathering its weights for every
micro-batch is hidden, and the bytes that sum its gradients once a step. Ranks compute while they send.
"""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation, like, only_if
from workings.derivations.collectives.ring import RING_ALL_REDUCE
from workings.derivations.collectives.ring_time import POINT_TO_POINT_TIME
from workings.derivations.mesh._letters import ALL
from workings.derivations.mesh._times import spread_block
from workings.derivations.pipeline._sources import MEGATRON_INTERLEAVED, MEGATRON_TIME
from workings.derivations.pipeline._times import FILLED, TIMES, Time, run_1f1b, run_gpipe, run_interleaved
from workings.derivations.pipeline.interleaved import LAYERS_PER_CHUNK, deal_out_chunks
from workings.derivations.pipeline.schedules import GPIPE_TIME
from workings.derivations.sources import (
    MEGATRON_PIPELINE,
    NCCL_TESTS,
    SCALING_BOOK_MIXED,
    ZERO_BUBBLE,
    scaling_book,
)
from workings.simulate.clock import Clock, Link
from workings.simulate.pipeline import gpipe, one_f_one_b
from workings.simulate.ring import all_reduce
from workings.simulate.schedule import Schedule
from workings.simulate.tensors import Tensor, total_bytes
from workings.units import BYTE, ONE, SECOND
from workings.vocabulary.hardware import COMPUTE, NETWORK_LATENCY, NETWORK_ONE_WAY
from workings.vocabulary.layout import DEVICES, DP, STAGES, TP, VIRTUAL_STAGES
from workings.vocabulary.model import BLOCKS, D_MODEL
from workings.vocabulary.pipeline import LAYER_PARAMETERS, LAYERS_PER_RANK
from workings.vocabulary.training import (
    ACTIVATION_WIDTH,
    MICROBATCH,
    MICROBATCHES,
    REDUCE_WIDTH,
    SEQUENCE_LENGTH,
)

BOUNDARY = {"a": ACTIVATION_WIDTH, "s": SEQUENCE_LENGTH, "b_m": MICROBATCH, "D": D_MODEL}
MEGATRON_SENDS = MEGATRON_PIPELINE.at("section 3.2")
SENDING = {"t": TP, "alpha_2": NETWORK_LATENCY, "W_2": NETWORK_ONE_WAY}


def tensor_bytes(a: Fraction, s: int, b_m: int, D: int) -> Fraction:
    """Count the values of a micro-batch's activations by where they stand, and their bytes."""
    places = {(row, token, column) for row in range(b_m) for token in range(s) for column in range(D)}
    return len(places) * a


def bytes_sent(schedule: Schedule, **tensor: Any) -> Fraction:
    """Add up the tensors that a run sends from rank to rank."""
    return len(schedule.messages) * tensor_bytes(**tensor)


def send_one_micro_batch(**tensor: Any) -> Fraction:
    """One micro-batch run through two ranks and back; the tensors that cross added up."""
    return bytes_sent(one_f_one_b(2, 1), **tensor)


PP_BOUNDARY_BYTES = derivation(
    "pp-boundary-bytes",
    title="Bytes of a micro-batch over one boundary, both directions",
    phrases="activation plus gradient across a stage cut; 2bsh bytes both directions; how much do "
    "neighbouring stages exchange; data between two pipeline cards per microbatch; PP send recv size "
    "both ways; tensor_shape in p2p_communication; activations passed to next stage and gradients back; "
    "2bsh elements between adjacent stages; hidden states over stage boundary",
    unit=BYTE,
    letters=BOUNDARY,
    source=MEGATRON_SENDS,
    oracle=send_one_micro_batch,
    convention="Gradients of activations take as many bytes as activations.",
    chain="""
    V_b = a*s*b_m*D + a*s*b_m*D      -- activations of the micro-batch forward, gradients backward
      = 2*a*s*b_m*D                  -- add
    """,
)


def deal_out_tokens(t: int, a: Fraction, s: int, b_m: int, D: int) -> Fraction:
    """Tokens dealt out to the tensor ranks; what the first one sends forward and back."""
    mine = sum(token % t == 0 for token in range(s))
    return 2 * mine * b_m * D * a


PP_BOUNDARY_BYTES_SCATTERED = derivation(
    "pp-boundary-bytes-scattered",
    title="Bytes of a micro-batch over one boundary for each of `t` tensor ranks",
    phrases="stage cut bytes with scatter-gather optimization; 2bsh/t per TP rank; stage message split "
    "among TP cards; p2p between stages split over TP ranks; each TP rank sends 1/t of activation; pp "
    "message divided by tp",
    unit=BYTE,
    letters={"t": TP, **BOUNDARY},
    uses={"V_b": PP_BOUNDARY_BYTES.at()},
    given=("t divides s",),
    source=MEGATRON_PIPELINE.at("section 4.1"),
    oracle=deal_out_tokens,
    convention="With scatter and gather, or under sequence parallelism, where a rank has its part only.",
    leaves_out="The all-gather of the parts inside the receiving node.",
    chain="""
    V_sg = a*(s/t)*b_m*D + a*(s/t)*b_m*D      -- each tensor rank sends its tokens, forward and back
      = 2*a*s*b_m*D/t                         -- add
      = V_b/t                                 -- without it, each of the `t` sends the whole tensor
    """,
)


def send_every_micro_batch(p: int, m: int, **tensor: Any) -> Fraction:
    """GPipe run task by task; every tensor that goes from one rank to another added up."""
    return bytes_sent(gpipe(p, m), **tensor)


PP_VOLUME = derivation(
    "pp-volume",
    title="Bytes a pipeline sends in a step: both directions, all boundaries",
    phrases="total pipeline traffic per iteration; all stage cuts and microbatches; how much does "
    "pipeline parallelism communicate; all hidden states passed between stages per step; all PP send "
    "recv bytes; is PP cheap on bandwidth",
    unit=BYTE,
    letters={**FILLED, **BOUNDARY},
    uses={"V_b": PP_BOUNDARY_BYTES.at()},
    source=MEGATRON_SENDS,
    oracle=send_every_micro_batch,
    convention="One pipeline, one chunk on each rank; the tensor is sent once, not by every tensor rank.",
    chain="""
    V_pp = sum(sum(V_b, (i, 1, m)), (j, 1, p - 1))
                                     -- `p` ranks have `p - 1` boundaries; each micro-batch crosses all
      = (p - 1)*m*V_b                -- equal terms
      = 2*(p - 1)*m*a*s*b_m*D        -- put the boundary in
    """,
)


def send_round_and_round(p: int, m: int, v: int, **tensor: Any) -> Fraction:
    """Interleaved 1F1B run task by task; every tensor that goes between ranks added up."""
    return bytes_sent(run_interleaved(p, m, v), **tensor)


PP_VOLUME_INTERLEAVED = like(
    "pp-volume-interleaved",
    PP_VOLUME,
    title="Bytes a pipeline with `v` chunks on each rank sends in a step",
    phrases="total pipeline traffic with virtual stages; VPP p2p bytes per iteration; virtual pipeline "
    "gigabytes over all stages; point-to-point traffic with model chunks; interleaved send recv bytes",
    letters={**FILLED, "v": VIRTUAL_STAGES, **BOUNDARY},
    given=("p divides m", "p > 1"),
    source=MEGATRON_INTERLEAVED,
    oracle=send_round_and_round,
    convention="Chunks are dealt out in turn, so every boundary lies between two ranks.",
    chain="""
    V_int = sum(sum(V_b, (i, 1, m)), (j, 1, p*v - 1))
                                       -- `p*v` chunks have `p*v - 1` boundaries
      = (p*v - 1)*m*V_b                -- equal terms
      = 2*(p*v - 1)*m*a*s*b_m*D        -- put the boundary in
    """,
)


def compare_the_messages(p: int, m: int, v: int, **_: Any) -> Fraction:
    """Both schedules run task by task; messages of one over messages of the other."""
    schedule, plain = run_interleaved(p, m, v), one_f_one_b(p, m)
    return Fraction(len(schedule.messages), len(plain.messages))


INTERLEAVED_TRAFFIC_FACTOR = like(
    "interleaved-traffic-factor",
    PP_VOLUME_INTERLEAVED,
    title="What interleaving sends, over what 1F1B sends",
    phrases="extra p2p of virtual stages; v times more pipeline communication; how much more "
    "communication does interleaving need; virtual pipeline comm cost multiplier; communication penalty "
    "of virtual stages",
    unit=ONE,
    uses={"V_int": PP_VOLUME_INTERLEAVED.at(), "V_pp": PP_VOLUME.at()},
    oracle=compare_the_messages,
    convention="Interleaved 1F1B; the factor is often given as `v`, which leaves out the way round.",
    chain="""
    f_v = V_int/V_pp                                        -- the same tensors, more boundaries
      = (2*(p*v - 1)*m*a*s*b_m*D)/(2*(p - 1)*m*a*s*b_m*D)   -- put both in
      = (p*v - 1)/(p - 1)                                   -- cancel
      = v + (v - 1)/(p - 1)         -- `v` chunks cross as before, and `v - 1` times back to rank one
      ≈ [p -> oo] v                 -- about `v` times as much for many ranks
    """,
)


def send_token_by_token(
    t: int, alpha_2: Fraction, W_2: Fraction, a: Fraction, s: int, b_m: int, D: int
) -> Fraction:
    """One tensor rank's tokens put on the link one after the other, after the start-up."""
    clock = alpha_2
    for token in range(s):
        if token % t == 0:
            clock += b_m * a * D / W_2
    return clock


PP_MESSAGE_TIME = like(
    "pp-message-time",
    PP_BOUNDARY_BYTES_SCATTERED,
    title="Time to send a micro-batch to the next stage",
    phrases="p2p latency between stages; activation send duration; how long to pass hidden states "
    "downstream; delay of handing over a microbatch; network time per stage handover; batch_isend_irecv "
    "duration; send_forward milliseconds",
    unit=SECOND,
    letters={**SENDING, **BOUNDARY},
    uses={"T_p2p": POINT_TO_POINT_TIME.at(S="a*s*b_m*D/t", alpha="alpha_2", W_b="W_2")},
    oracle=send_token_by_token,
    convention="One way, between nodes; each tensor rank sends its part, on a link of its own.",
    chain="""
    T_hop = T_p2p                              -- a message of `a*s*b_m*D/t` bytes
      = alpha_2 + a*s*b_m*D/t/W_2              -- put the message in
      = alpha_2 + a*s*b_m*D/(t*W_2)            -- collect
    """,
)


def pass_on_every_micro_batch(
    p: int, m: int, t: int, alpha_2: Fraction, W_2: Fraction, **tensor: Any
) -> Fraction:
    """Micro-batches passed on from rank to rank as soon as they are in, each link one at a time."""
    clock, link = Clock(), Link(alpha_2, W_2)
    for _ in range(m):
        there = Fraction(0)
        for rank in range(p - 1):
            there = clock.send(link, rank, rank + 1, tensor_bytes(**tensor) / t, there)
    return clock.finish


PIPELINE_TRANSFER_TIME = like(
    "pipeline-transfer-time",
    PP_MESSAGE_TIME,
    title="Time to send all micro-batches through all stages",
    phrases="total communication time of a pipeline; 2BD/(W n_mb) (n_mb + n_stages - 2); pipeline "
    "hops times hop time; cost of pipelining in communication; all activation transfers of a forward "
    "pass; time of all p2p hops of a step; network time of pipeline parallelism in all",
    letters={**FILLED, **SENDING, **BOUNDARY},
    uses={"T_hop": PP_MESSAGE_TIME.at()},
    given=("p > 1", "t divides s"),
    source=scaling_book("gpus", "“Pipeline Parallelism”"),
    oracle=pass_on_every_micro_batch,
    convention="One way, forward or backward, as if stages took no time to compute; a link carries one "
    "message at a time, and all links work at once.",
    leaves_out="Computing, behind which most of it can hide.",
    chain="""
    T_tr = sum(T_hop, (i, 1, p - 1)) + sum(T_hop, (i, 1, m - 1))
                     -- the first micro-batch through all boundaries, then each one message later
      = (m + p - 2)*T_hop                                          -- equal terms
      = (m + p - 2)*(alpha_2 + a*s*b_m*D/(t*W_2))                  -- put the message in
    """,
)


def race_the_link(
    p: int, v: int, t: int, L: int, P_l: int, C: Fraction, W_2: Fraction, **tensor: Any
) -> bool:
    """FLOPs of the fullest chunk, layer by layer, on `t` devices, against its output on the link."""
    flops = deal_out_chunks(p, v, L) * 2 * P_l * tensor["s"] * tensor["b_m"]
    return Fraction(flops, t) / C > tensor_bytes(**tensor) / t / W_2


PP_BANDWIDTH_TO_HIDE = derivation(
    "pp-bandwidth-to-hide",
    title="Bandwidth between stages from which a forward hides its message",
    phrases="inter-stage link speed needed; PP bandwidth from layer size; p2p hidden behind chunk "
    "forward; is 100G enough for pipeline parallel; how fast a link must be for pipeline overlap; what "
    "network does PP need",
    unit=BYTE / SECOND,
    letters={
        "p": STAGES, "v": VIRTUAL_STAGES, "t": TP, "L": BLOCKS, "P_l": LAYER_PARAMETERS,
        "C": COMPUTE, "W_2": NETWORK_ONE_WAY, **BOUNDARY,
    },
    uses={"L_c": LAYERS_PER_CHUNK.at()},
    given=("L >= p*v",),
    source=MEGATRON_SENDS,
    oracle=race_the_link,
    convention="One way, for each device; every one of `t` tensor ranks sends its part. The fullest "
    "chunk, which paces the others.",
    leaves_out="Start-up latency, attention's own FLOPs, and devices that run below their peak.",
    chain="""
    2[FLOP]*P_l*L_c*s*b_m/(t*C) > a*s*b_m*D/(t*W_2)
                         -- a chunk's forward of one micro-batch against its output on the link
      <=> 2[FLOP]*P_l*L_c/C > a*D/W_2            -- batch, sequence and tensor ranks cancel
      <=> W_2 > a*D*C/(2[FLOP]*L_c*P_l)          -- solve for the bandwidth
    """,
)  # fmt: skip


def run_gpipe_over_links(p: int, m: int, T_F: Time, T_B: Time, T_W: Time, **message: Any) -> Fraction:
    """GPipe run task by task, each tensor on its link for as long as its tokens take."""
    return Fraction(run_gpipe(p, m, T_F, T_B, T_W, send_token_by_token(**message)).makespan)


GPIPE_TIME_SENDING = derivation(
    "gpipe-time-sending",
    title="Time of a step with GPipe when sending takes time",
    phrases="GPipe iteration duration with p2p latency; fill and drain with sends; AFAB time including "
    "p2p cost; pipeline step when sends are not free",
    unit=SECOND,
    letters={**FILLED, **TIMES, **SENDING, **BOUNDARY},
    uses={"T_hop": PP_MESSAGE_TIME.at(), "T_gp": GPIPE_TIME.at()},
    given=("t divides s", "T_hop <= T_F", "T_hop <= T_B + T_W"),
    source=MEGATRON_TIME,
    oracle=run_gpipe_over_links,
    convention="Ranks compute while they send. A link carries one message at a time.",
    leaves_out="What sending takes away from computing on the same device.",
    chain="""
    T_send = T_gp + sum(T_hop, (i, 1, p - 1)) + sum(T_hop, (i, 1, p - 1))
                     -- only the first forward and the last gradient are waited for
      = T_gp + 2*(p - 1)*T_hop                                     -- equal terms
      = (m + p - 1)*(T_F + T_B + T_W) + 2*(p - 1)*T_hop            -- put GPipe's time in
    """,
)


def wait_for_messages(p: int, m: int, T_F: Time, T_B: Time, T_W: Time, **message: Any) -> Fraction:
    """1F1B run with messages that take time and with messages that take none; the difference."""
    times = (p, m, T_F, T_B, T_W)
    return Fraction(run_1f1b(*times, send_token_by_token(**message)).makespan - run_1f1b(*times).makespan)


ONE_F_ONE_B_EXPOSED_SENDING = like(
    "one-f-one-b-exposed-sending",
    GPIPE_TIME_SENDING,
    title="Time that 1F1B waits for messages",
    phrases="exposed p2p in 1F1B; unhidden pipeline communication time; recv_forward stall 1F1B; "
    "overlap-p2p-comm disabled, lost seconds; waiting for activations from previous stage; stage sends "
    "not overlapped in one-forward-one-backward",
    uses={"T_hop": PP_MESSAGE_TIME.at()},
    given=("t divides s", "T_hop <= T_F + T_B + T_W"),
    source=ZERO_BUBBLE.at(
        "section 5.3, table 5 (its bubble rates of 1F1B), and table 6 (the times they are computed from)"
    ),
    oracle=wait_for_messages,
    convention="Ranks compute while they send; each has only as many micro-batches in flight as ranks "
    "follow it.",
    chain="""
    T_exp = 2*(p - 1)*T_hop + 2*floor((m - 1)*(p - 1)/p)*T_hop
                     -- there and back once, then `p - 1` hops for every `p` micro-batches
      = 2*T_hop*(p - 1 + floor((m - 1)*(p - 1)/p))          -- collect
    """,
)


def race_in_every_stage(n: int, Y: int, p: int, m: int, B: Fraction | int, **letters: Any) -> bool:
    """One micro-batch on one stage's share of the devices: counted compute against its gather."""
    only_if(isinstance(B, int) and B % m == 0)  # only whole micro-batches can be run
    stage = Fraction(n, p)
    one = spread_block(X=stage / Y, n=stage, B=B // m, **letters)
    return one.compute > one.fsdp


PIPELINE_BATCH = derivation(
    "pipeline-batch",
    title="Tokens from which a pipeline of `p` stages is compute-bound",
    phrases="token batch for a compute-bound pipeline with FSDP; pipelining and weight gathers "
    "roofline; tokens to keep pipeline efficient and hide sends; tokens for p stages to beat "
    "communication",
    unit=ONE,
    noun="tokens",
    letters={
        **{name: concept for name, concept in ALL.items() if name != "X"},
        "n": DEVICES, "p": STAGES, "m": MICROBATCHES,
    },
    source=SCALING_BOOK_MIXED,
    oracle=race_in_every_stage,
    convention="`n` devices in `p` stages, `n/(p*Y)` to a stage's weights; gathered per micro-batch.",
    leaves_out="The bubble, and sending activations between stages.",
    chain="""
    4[FLOP]*(B/m)*D*F/((n/p)*C) > 2*w*D*F/(Y*W*M_X)     -- one micro-batch in one stage
      <=> B/m > w*(n/(p*Y))*C/(2[FLOP]*W*M_X)       -- its FSDP group is `p` times smaller
      <=> B > m/p*(w*n*C/(2[FLOP]*Y*W*M_X))         -- but `m` micro-batches fill the pipeline
    """,
)  # fmt: skip


def reduce_every_layer(d: int, g: Fraction, L_p: int, P_l: int) -> Fraction:
    """Every layer's gradient, one ring all-reduce after the other; what one rank sends in all."""
    layers = [Tensor(f"layer{i}", (P_l,), g) for i in range(L_p)]
    return sum((all_reduce(d, total_bytes([layer])).sent[0] for layer in layers), Fraction(0))


STAGE_GRADIENT_TRAFFIC = derivation(
    "stage-gradient-traffic",
    title="Bytes a rank sends to add up its stage's gradients",
    phrases="DP gradient bytes of one stage; allreduce volume per pipeline stage; gradient sync traffic "
    "with PP and DP; PP shrinks grad allreduce; DP allreduce of one pipeline stage",
    unit=BYTE,
    letters={"d": DP, "g": REDUCE_WIDTH, "L_p": LAYERS_PER_RANK, "P_l": LAYER_PARAMETERS},
    uses={"V": RING_ALL_REDUCE.at(N="d", S="g*L_p*P_l")},
    source=NCCL_TESTS,
    oracle=reduce_every_layer,
    convention="Once a step, after the last micro-batch's backward; a linear layer has `P_l` = D².",
    leaves_out="Sharding of the optimizer's state.",
    chain="""
    V_grad = V                                -- a ring of `d` replicas, `g*L_p*P_l` bytes
      = 2*(d - 1)/d*g*L_p*P_l                 -- put the ring in
      <= 2*g*L_p*P_l                          -- `d - 1 < d`: at most twice the stage's gradients
    """,
)
