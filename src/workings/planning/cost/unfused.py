"""What a block keeps besides where an operation is not fused, as where PyTorch runs eagerly."""

from workings.planning.statement import say
from workings.units import BYTE

# A norm without a bias (RMSNorm) turns its input to FP32, keeps that, and what it is before its weight
# instead of its input. A gated activation keeps what it gives beside the product of that with `up`.
UNFUSED = (
    say("A_eag", "kept besides by norms that are not fused: their inputs in FP32", BYTE,
        "(1 - z_u)*(1 - beta_n)*4[byte]*T_r*(D*n_n/t_s + z_h*n_qk/2*d_h*(H/t + max(K/t, 1)))"),
    say("A_eag_f", "kept besides by a dense feed-forward that is not fused: its activated gate", BYTE,
        "(1 - z_u)*z_g*a*T_r*F*(n_f - 2)/t"),
    say("A_eag_x", "the same of experts, and tokens weighed in FP32", BYTE,
        "(1 - z_u)*T_r*(z_g*a*F_E*(n_f - 2)*(lambda*k_E + E_s) + 4[byte]*lambda*k_E*D)/t"),
)  # fmt: skip
