"""Efficiency of scaling.

More devices on a fixed batch leave each of them less work beside the same overhead; that is strong
scaling. In weak scaling the work of a replica stays, and what grows is the share that transfers and
bubble take: the gradients' all-reduce, bounded however many replicas there are, and tensor-parallel
transfers, which only a wider layer makes relatively smaller. The efficiency puts both beside the
bubble, less what is hidden. Efficiency times the MFU of a device alone is the MFU of a group, so two
published figures can be tried against each other. The last entry solves strong scaling for the devices.
"""

from fractions import Fraction
from typing import Any

from workings.derivation import derivation
from workings.derivations.collectives.ring import RING_ALL_REDUCE
from workings.derivations.compute.rule_of_six import TRAINING_FLOPS_SIX_N
from workings.derivations.pipeline.interleaved import INTERLEAVED_BUBBLE
from workings.derivations.sources import MEGATRON_LM, MEGATRON_PIPELINE
from workings.simulate.interleaved import interleaved
from workings.simulate.ring import all_reduce
from workings.simulate.search import halve
from workings.simulate.steps import touch_weights, train
from workings.units import ONE
from workings.vocabulary.hardware import COMPUTE, LINK_ONE_WAY, NETWORK_ONE_WAY
from workings.vocabulary.kinds import WITHOUT_EXPERTS
from workings.vocabulary.layout import DEVICES, DP, STAGES, TP, VIRTUAL_STAGES
from workings.vocabulary.model import D_MODEL, PARAMETERS
from workings.vocabulary.pipeline import LAYER_PARAMETERS
from workings.vocabulary.scale import (
    BASE_DEVICES,
    BASE_RATE,
    COMPUTE_TIME,
    DATA_HIDDEN,
    DEVICE_MFU,
    EFFICIENCY,
    GROUP_RATE,
    MFU,
    ONE_DEVICE_TIME,
    OVERHEAD_TIME,
    TENSOR_HIDDEN,
    TOKEN_FLOPS,
)
from workings.vocabulary.training import (
    ACTIVATION_WIDTH,
    MICROBATCH,
    MICROBATCHES,
    REDUCE_WIDTH,
    SEQUENCE_LENGTH,
)

MEGATRON_WEAK = MEGATRON_PIPELINE.at("section 5.1, table 1")


def share_a_step(n: int, T_1: Fraction, T_o: Fraction) -> Fraction:
    """One device's time over that of all devices together, each with its piece and the overhead."""
    piece = train(1, T_1, n, 1).seconds
    paid = sum(piece + T_o for _ in range(n))
    return T_1 / paid


STRONG_SCALING_EFFICIENCY = derivation(
    "strong-scaling-efficiency",
    title="Efficiency of strong scaling",
    phrases="Amdahl efficiency; fixed batch more GPUs; why does adding GPUs stop helping; MFU drop from "
    "8k to 16k GPUs; speedup over number of devices; does doubling GPUs halve the time; same problem "
    "more cards efficiency; diminishing returns of more GPUs; linear scaling loss",
    unit=ONE,
    letters={"n": DEVICES, "T_1": ONE_DEVICE_TIME, "T_o": OVERHEAD_TIME},
    source=MEGATRON_WEAK,
    oracle=share_a_step,
    convention="The batch is fixed; the overhead (exposed communication, bubble, launches) does not "
    "shrink with more devices.",
    chain="""
    eta_s = T_1/(n*(T_1/n + T_o))            -- one device's time, over what all of them spend
      = 1/(1 + n*T_o/T_1)                    -- multiply out, divide by `T_1`
    """,
)


def train_alike_on_both(n: int, n_0: int, R_n: Fraction, R_0: Fraction) -> Fraction:
    """Seven tokens on the few devices and on the many; device time of the few over that of the many."""
    few, many = train(7, 1, n_0, R_0 / n_0), train(7, 1, n, R_n / n)
    return few.device_seconds / many.device_seconds


MEASURED_SCALING_EFFICIENCY = derivation(
    "measured-scaling-efficiency",
    title="Efficiency of scaling, from two measured throughputs",
    phrases="scaling efficiency from throughput; 76 percent scaling efficiency on 512 GPUs; aggregate "
    "FLOP/s over GPUs times single-GPU FLOP/s; speedup over ideal speedup; weak scaling of two pods; "
    "tokens per second per GPU at scale relative to one node; percent of linear scaling measured",
    unit=ONE,
    letters={"n": DEVICES, "n_0": BASE_DEVICES, "R_n": GROUP_RATE, "R_0": BASE_RATE},
    source=MEGATRON_LM.at("section 5.1.1"),
    oracle=train_alike_on_both,
    convention="Against what was measured on `n_0` devices, one or a node or a pod; a slow baseline "
    "makes any scaling look good. With a fixed batch it is strong "
    "scaling, with a growing one weak scaling.",
    chain="""
    eta_m = (R_n/n)/(R_0/n_0)     -- throughput for each device, over what it was on fewer
      = R_n*n_0/(n*R_0)           -- collect
    """,
)


GRADIENTS = {
    "d": DP, "P": PARAMETERS, "t": TP, "p": STAGES, "m": MICROBATCHES, "b_m": MICROBATCH,
    "s": SEQUENCE_LENGTH, "g": REDUCE_WIDTH, "C": COMPUTE, "u_1": DEVICE_MFU, "W_2": NETWORK_ONE_WAY,
}  # fmt: skip


def run_one_replica(
    d: int, P: int, t: int, p: int, m: int, b_m: int, s: int,
    g: Fraction, C: Fraction, u_1: Fraction, W_2: Fraction,
) -> Fraction:  # fmt: skip
    """A replica's tokens meet its weights; then chunks of a rank's gradients go round the replicas."""
    flops = sum(touch_weights(P, s) for _ in range(m * b_m)) / Fraction(t * p)
    return all_reduce(d, g * P / (t * p)).sent[0] / W_2 / (flops / (u_1 * C))


GRADIENT_TRANSFER_SHARE = derivation(
    "gradient-transfer-share",
    title="The gradients' all-reduce over compute",
    phrases="gradient allreduce time over compute; DP comm ratio; gradient sync relative to compute; "
    "communication to computation ratio of data parallel; is data parallel comm-bound",
    unit=ONE,
    letters=GRADIENTS,
    uses={"V": RING_ALL_REDUCE.at(N="d", S="g*P/(t*p)"), "f_6": TRAINING_FLOPS_SIX_N.at(T_tok="m*b_m*s")},
    source=MEGATRON_PIPELINE.at("section 3.3.1"),
    oracle=run_one_replica,
    convention="Rings between nodes; a replica has `m` micro-batches a step, and their number stays "
    "as replicas are added (weak scaling). Before any of it is hidden behind compute.",
    leaves_out="Start-up latency; attention's core, which adds compute.",
    holds_for={WITHOUT_EXPERTS: ""},
    chain="""
    x_d = V/W_2/(f_6/(t*p*u_1*C))            -- a rank's gradients, over a rank's compute
      = 2*(d - 1)/d*(g*P/(t*p))/W_2/(6[FLOP]*P*(m*b_m*s)/(t*p*u_1*C))    -- put them in
      = (d - 1)/d*(g*C*u_1/(3[FLOP]*m*b_m*s*W_2))   -- parameters and model ranks cancel
      < g*C*u_1/(3[FLOP]*m*b_m*s*W_2)        -- bounded, however many replicas
    """,
)


TENSOR = {
    "t": TP, "b_m": MICROBATCH, "s": SEQUENCE_LENGTH, "D": D_MODEL, "P_l": LAYER_PARAMETERS,
    "a": ACTIVATION_WIDTH, "C": COMPUTE, "u_1": DEVICE_MFU, "W_1": LINK_ONE_WAY,
}  # fmt: skip


def run_one_layer(
    t: int, b_m: int, s: int, D: int, P_l: int, a: Fraction, C: Fraction, u_1: Fraction, W_1: Fraction
) -> Fraction:
    """Every weight of a layer met by every token; chunks of four all-reduces walked round a ring."""
    compute = Fraction(sum(touch_weights(P_l, s) for _ in range(b_m))) / (t * u_1 * C)
    forward = all_reduce(t, a * b_m * s * D).sent[0] + all_reduce(t, a * b_m * s * D).sent[0]
    return (forward + forward) / W_1 / compute


TENSOR_TRANSFER_SHARE = derivation(
    "tensor-transfer-share",
    title="Tensor-parallel transfers over compute",
    phrases="TP all-reduce time over compute fwd+bwd; TP comm ratio with MFU; tensor slicing "
    "communication relative to compute, scaling; percent added by TP collectives in a run; TP "
    "communication to computation ratio per step; share of compute spent in TP allreduce; TP comm over "
    "compute time overall",
    unit=ONE,
    letters=TENSOR,
    uses={"V": RING_ALL_REDUCE.at(N="t", S="a*b_m*s*D")},
    source=MEGATRON_PIPELINE.at("section 3.2"),
    oracle=run_one_layer,
    convention="6 FLOPs a parameter of the layer and token; of GPT's shape (`P_l = 12*D^2`) it is "
    "`(t - 1)*a*C*u_1/(9[FLOP]*D*W_1)`. Rings inside a node; sequence parallelism moves the same bytes. "
    "Before any of it is hidden behind compute.",
    leaves_out="Attention's core, which adds compute; start-up latency; recomputation.",
    chain="""
    x_t = 4*V/W_1/(6[FLOP]*P_l*b_m*s/(t*u_1*C))
                              -- two all-reduces forward, two backward, over a layer's compute
      = 4*(2*(t - 1)/t*(a*b_m*s*D))/W_1/(6[FLOP]*P_l*b_m*s/(t*u_1*C))   -- put the ring in
      = 4*(t - 1)*a*D*C*u_1/(3[FLOP]*P_l*W_1)      -- tokens cancel: only the width helps
    """,
)


def run_the_layout(
    v: int, T_c: Fraction, h_t: Fraction, h_d: Fraction, **letters: Any
) -> Fraction | None:
    """Schedule run task by task, transfers walked round rings, what is hidden taken off; times added."""
    p, m = letters["p"], letters["m"]
    if p * m * v > 150:
        return None
    schedule = interleaved(p, m, v)
    waiting = schedule.idle(0) * T_c / schedule.busy(0)
    tensor = run_one_layer(**{name: letters[name] for name in TENSOR}) * T_c
    data = run_one_replica(**{name: {**letters, "P": 5}[name] for name in GRADIENTS}) * T_c
    step = T_c + waiting + (tensor - h_t * tensor) + (data - h_d * data)
    return T_c / step


WEAK_SCALING_EFFICIENCY = derivation(
    "weak-scaling-efficiency",
    title="Efficiency of weak scaling: compute over compute, bubble and exposed transfers",
    phrases="efficiency when batch grows with GPUs; bubble and exposed comm efficiency; how well does "
    "training scale to thousands of GPUs; constant work per card scaling; do I get linear speedup; more "
    "GPUs with larger batch efficiency; per GPU throughput drop at scale; fraction of step that is "
    "useful compute; 1000 GPUs scaling loss",
    unit=ONE,
    letters={
        **TENSOR,
        **{name: concept for name, concept in GRADIENTS.items() if name != "P"},
        "v": VIRTUAL_STAGES,
        "T_c": COMPUTE_TIME,
        "h_t": TENSOR_HIDDEN,
        "h_d": DATA_HIDDEN,
    },
    uses={
        "beta_v": INTERLEAVED_BUBBLE.at(),
        "x_t": TENSOR_TRANSFER_SHARE.at(),
        "x_d": GRADIENT_TRANSFER_SHARE.at(),
    },
    given=("p divides m", "h_t <= 1", "h_d <= 1"),
    source=MEGATRON_WEAK,
    oracle=run_the_layout,
    convention="Against devices that never wait. Interleaved 1F1B, bubble over ideal time; `h_t` and "
    "`h_d` are the shares of the transfers that hide behind compute; the rest adds up.",
    leaves_out="Pipeline sends, the optimizer's step, stages that are not equally long, stragglers.",
    chain="""
    eta_w = T_c/(T_c + beta_v*T_c + (1 - h_t)*x_t*T_c + (1 - h_d)*x_d*T_c)
                                             -- compute, over compute and all that it waits for
      = 1/(1 + beta_v + (1 - h_t)*x_t + (1 - h_d)*x_d)       -- cancel `T_c`
    """,
)


def compare_many_with_one(n: int, C: Fraction, f_tok: Fraction, u_1: Fraction, eta: Fraction) -> Fraction:
    """Seven tokens on one device alone, on many that each keep that share of its pace, and at peak."""
    alone = train(7, f_tok, 1, u_1 * C).seconds
    together = alone / n / eta
    return train(7, f_tok, n, C).seconds / together


MFU_FROM_EFFICIENCY = derivation(
    "mfu-from-efficiency",
    title="MFU of a group from the efficiency of scaling",
    phrases="cluster MFU from single-GPU MFU; MFU times scaling efficiency; MFU drop when scaling out; "
    "expected MFU on many GPUs",
    unit=ONE,
    letters={"n": DEVICES, "C": COMPUTE, "f_tok": TOKEN_FLOPS, "u_1": DEVICE_MFU, "eta": EFFICIENCY},
    source=MEGATRON_WEAK,
    oracle=compare_many_with_one,
    convention="Efficiency against a device that never waits, on the same model. Neither factor is "
    "above 1, so MFU is above neither: it can rise while efficiency falls only if `u_1` rises more, "
    "as it does with larger matrices.",
    chain="""
    U_g = (eta*n*(u_1*C/f_tok))*f_tok/(n*C)     -- `n` times the tokens of one device, less what is lost
      = eta*u_1                                 -- cancel
    """,
)


def halve_until_it_fits(u_1: Fraction, eta: Fraction, u: Fraction) -> tuple[Fraction, Fraction]:
    """A range of single-device MFU halved until the group's MFU lies between its ends."""
    return halve(lambda alone: alone * eta >= u)


DEVICE_MFU_NEEDED = derivation(
    "device-mfu-needed",
    title="Single-device MFU that an MFU and an efficiency need",
    phrases="single-GPU MFU implied by scaling efficiency; plausibility of an MFU claim; how good must "
    "one GPU be; kernel efficiency needed for 40 percent MFU",
    unit=ONE,
    letters={"u_1": DEVICE_MFU, "eta": EFFICIENCY, "u": MFU},
    source=MEGATRON_WEAK,
    oracle=halve_until_it_fits,
    convention="Efficiency against a device that never waits. A result above 1 says that the two "
    "figures cannot both be true of one baseline.",
    chain="""
    eta*u_1 = u                              -- MFU is efficiency times that of a device alone
      <=> u_1 = u/eta                        -- divide by `eta`
    """,
)


def compare_with_target(n: int, T_1: Fraction, T_o: Fraction, eta: Fraction) -> bool | None:
    """Whether a step shared by that many devices still reaches the efficiency."""
    return share_a_step(n, T_1, T_o) >= eta if n < 500 else None


DEVICES_AT_EFFICIENCY = derivation(
    "devices-at-efficiency",
    title="Devices up to which a fixed batch stays efficient",
    phrases="max GPUs at a strong scaling efficiency; GPU limit for a constant global batch; how many "
    "cards are worth using; when do more GPUs stop helping; max GPUs before scaling breaks down; "
    "critical number of GPUs strong scaling; maximum GPUs before efficiency falls below 80 percent",
    unit=ONE,
    noun="devices",
    letters={"n": DEVICES, "T_1": ONE_DEVICE_TIME, "T_o": OVERHEAD_TIME, "eta": EFFICIENCY},
    uses={"eta_s": STRONG_SCALING_EFFICIENCY.at()},
    given=("T_o > 0 -- without overhead every number of devices keeps the efficiency",),
    source=MEGATRON_WEAK,
    oracle=compare_with_target,
    convention="The batch is fixed; the overhead does not shrink with more devices.",
    chain="""
    eta_s >= eta                             -- still as efficient as wanted
      <=> 1/(1 + n*T_o/T_1) >= eta           -- put the efficiency in
      <=> n <= (1/eta - 1)*T_1/T_o           -- half efficient where overhead equals a device's share
    """,
)
