"""One ledger of plain gradient descent in FP32, read with and without momentum."""

from workings.chain import Row

ROWS = (
    Row("weights", "4[byte]*P", "FP32"),
    Row("gradients", "4[byte]*P", "FP32"),
    Row("momentum", "4[byte]*P", "the running mean of the gradient", when=(("momentum", True),)),
)
