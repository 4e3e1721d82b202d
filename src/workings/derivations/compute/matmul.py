"""Matrix products.

Everything else in this chapter is a sum of these. A product takes one multiply and one add for each inner
index of each result; backward there are two products of the same size, for the weight's gradient and for
the input's. A net of square linear layers shows what follows: forward 2, backward 4 FLOPs for each weight
and token.
"""

from workings.derivation import derivation, like
from workings.derivations.parameters._sources import LECTURE_8
from workings.derivations.sources import SCALING_BOOK_FLOPS
from workings.simulate.matmul import counted_matmul, ffn_numbers, transpose
from workings.units import FLOP
from workings.vocabulary.model import BLOCKS, D_FF, D_MODEL
from workings.vocabulary.training import TOKENS


def multiply_and_count(B: int, D: int, F: int) -> int:
    """Two matrices multiplied by three nested loops that count each multiply and each add."""
    return counted_matmul(ffn_numbers(B, D, 1), ffn_numbers(D, F, 2))[1]


MATMUL_FLOPS = derivation(
    "matmul-flops",
    title="FLOPs of a matrix product",
    phrases="FLOPs of multiplying by a weight matrix; FLOPs of one projection; "
    "GEMM FLOPs; 2MNK; matrix multiplication operation count; multiply-add counts as two; (m,k) "
    "times (k,n) cost; FMA count of a linear layer; 2N per token for a weight matrix; nn.Linear FLOPs",
    unit=FLOP,
    letters={"B": TOKENS, "D": D_MODEL, "F": D_FF},
    source=SCALING_BOOK_FLOPS,
    oracle=multiply_and_count,
    convention="A multiply-add is 2 FLOPs; the accumulator starts at zero.",
    chain="""
    f = sum(B*F*(1[FLOP] + 1[FLOP]), (i, 1, D))
                                  -- each of `B*F` results takes `D` multiplies and `D` adds
      = D*(B*F*2[FLOP])           -- `D` equal terms
      = 2[FLOP]*B*D*F             -- collect
    """,
)


def multiply_back(B: int, D: int, F: int) -> int:
    """Both gradients computed by nested loops that count each multiply and each add."""
    x, w, grad = ffn_numbers(B, D, 1), ffn_numbers(D, F, 2), ffn_numbers(B, F, 3)
    return counted_matmul(transpose(x), grad)[1] + counted_matmul(grad, transpose(w))[1]


MATMUL_BACKWARD_FLOPS = like(
    "matmul-backward-flops",
    MATMUL_FLOPS,
    title="FLOPs of the backward pass through a matrix product",
    phrases="dgrad plus wgrad FLOPs; backward of a linear layer; dX and dW cost; backward is twice "
    "forward; two GEMMs in backward for one in forward; gradient wrt input and weight, operations; 4 m "
    "n k; backward of nn.Linear cost; 4mnk for gradients",
    uses={"f_w": MATMUL_FLOPS.at(B="D", D="B"), "f_x": MATMUL_FLOPS.at(D="F", F="D")},
    oracle=multiply_back,
    convention="Both gradients are wanted: the weight's and the input's.",
    chain="""
    f_grad = f_w + f_x                            -- input times gradient, gradient times weight
      = 2[FLOP]*D*B*F + 2[FLOP]*B*F*D             -- products of `D` by `B` by `F`, of `B` by `F` by `D`
      = 4[FLOP]*B*D*F                             -- twice the forward product
    """,
)


LECTURE = LECTURE_8.at("lecture 8, the slides on the linear network")


def run_every_layer(L: int, D: int, B: int) -> int | None:
    """The activations multiplied by one square matrix after the other, every FLOP counted."""
    if L * D * D * B > 20_000:
        return None
    x, flops = ffn_numbers(B, D, 1), 0
    for layer in range(L):
        x, more = counted_matmul(x, ffn_numbers(D, D, layer))
        flops += more
    return flops


LINEAR_NET_FORWARD_FLOPS = derivation(
    "linear-net-forward-flops",
    title="FLOPs of a linear net's forward pass",
    phrases="deep linear network forward FLOPs; 2LD²B; lecture toy net forward; inference cost of a "
    "fully connected network; stack of nn.Linear layers, forward operations; 2 times params times batch "
    "for an MLP; forward work of a simple neural net; 2BD^2L toy network forward; operations to run an "
    "MLP once",
    unit=FLOP,
    letters={"L": BLOCKS, "D": D_MODEL, "B": TOKENS},
    uses={"f": MATMUL_FLOPS.at(F="D")},
    source=LECTURE,
    oracle=run_every_layer,
    convention="A multiply-add is 2 FLOPs. The lecture writes L d² m: it counts multiply-adds.",
    chain="""
    f_lin = sum(f, (i, 1, L))                -- one square matrix a layer
      = L*f                                  -- equal layers
      = L*(2[FLOP]*B*D*D)                    -- every token times every weight
      = 2[FLOP]*L*D^2*B                      -- collect
    """,
)


def run_every_layer_back(L: int, D: int, B: int) -> int | None:
    """From the last layer to the first: the weight's gradient, the input's, every FLOP counted."""
    if L * D * D * B > 10_000:
        return None
    gradient, flops = ffn_numbers(B, D, 1), 0
    for layer in reversed(range(L)):
        saved, weight = ffn_numbers(B, D, layer), ffn_numbers(D, D, layer)
        flops += counted_matmul(transpose(saved), gradient)[1]
        gradient, more = counted_matmul(gradient, transpose(weight))
        flops += more
    return flops


LINEAR_NET_BACKWARD_FLOPS = like(
    "linear-net-backward-flops",
    LINEAR_NET_FORWARD_FLOPS,
    title="FLOPs of a linear net's backward pass",
    phrases="deep linear network backprop FLOPs; 4LD²B; lecture toy net backward; dgrad plus wgrad over "
    "all square layers; stack of nn.Linear layers, gradient cost; backprop cost of a fully connected "
    "network; first layer needs no input gradient; backward work of a simple neural net; operations to "
    "train an MLP backwards",
    uses={"f_grad": MATMUL_BACKWARD_FLOPS.at(F="D")},
    oracle=run_every_layer_back,
    convention="The gradient of the net's own input is computed too; without it, "
    "`2[FLOP]*D^2*B` less. The lecture writes 2 L d² m: it counts multiply-adds.",
    chain="""
    f_lin_bwd = sum(f_grad, (i, 1, L))       -- two products a layer
      = L*(4[FLOP]*B*D*D)                    -- equal layers
      = 4[FLOP]*L*D^2*B                      -- twice the forward pass
    """,
)
