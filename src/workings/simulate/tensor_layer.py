"""A transformer layer, forward and backward, on one rank or on several that share its weights.

The layer is: scale, attention, residual; scale, feed-forward with ReLU, residual. Attention is
causal and linear (its weights are the scores themselves, no softmax), and the scale by a gain per
column stands for the norm, so that everything is a whole number. Split by columns are the weights of
queries, keys and values and the feed-forward's first; split by rows are the weights of attention's
output and the feed-forward's second.

With sequence parallelism everything between the split products lies on ranks by rows (tokens).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from .block_matrices import Matrix, add, cut_rows, join, numbers, pick_columns, pick_rows, spans, stack
from .tensor_ranks import Ranks


@dataclass(frozen=True)
class Sizes:
    """Sequences, their tokens, the model's width, heads, width of a head, feed-forward width."""

    sequences: int
    tokens: int
    width: int
    heads: int
    head_width: int
    hidden: int


@dataclass(frozen=True)
class Options:
    """How the layer is run.

    sequence_parallel: rows between the split products are dealt out to the ranks.
    regather: keep only a rank's rows of the split products' inputs and gather them again backward.
    recompute: run the forward pass once more before the backward pass.
    """

    sequence_parallel: bool = False
    regather: bool = False
    recompute: bool = False


@dataclass(frozen=True)
class Result:
    """The layer's output, the gradients of its input and of all weights, and the ranks' log."""

    output: Matrix
    grad_input: Matrix
    grad_weights: tuple[Matrix, ...]
    ranks: Ranks


class _Weights:
    """One rank's share of the weights: attention's columns and rows, the feed-forward's."""

    def __init__(self, sizes: Sizes, rank: int, count: int) -> None:
        inner = sizes.heads * sizes.head_width
        self.heads = len(spans(sizes.heads, count)[rank])
        columns = [
            head * sizes.head_width + place
            for head in spans(sizes.heads, count)[rank]
            for place in range(sizes.head_width)
        ]
        whole = [numbers(sizes.width, inner, seed) for seed in (11, 12, 13)]
        self.qkv = join([pick_columns(one, columns) for one in whole])
        self.out = pick_rows(numbers(inner, sizes.width, 14), columns)
        hidden = spans(sizes.hidden, count)[rank]
        self.up = pick_columns(numbers(sizes.width, sizes.hidden, 15), hidden)
        self.down = pick_rows(numbers(sizes.hidden, sizes.width, 16), hidden)


def run_layer(sizes: Sizes, count: int, options: Options | None = None) -> Result:
    """Run the layer on `count` ranks; every rank must end with the same, AssertionError if not."""
    options = options or Options()
    run = _Run(sizes, Ranks(count), options)
    rows = sizes.sequences * sizes.tokens
    inputs = run.deal(numbers(rows, sizes.width, 1))
    output = run.forward(inputs, "forward")
    if options.recompute:
        run.forward(inputs, "recompute")
    grads, weights = run.backward(run.deal(numbers(rows, sizes.width, 2)))
    return Result(run.whole(output), run.whole(grads), weights, run.ranks)


class _Run:
    """One run of the layer: what every rank holds for the backward pass."""

    def __init__(self, sizes: Sizes, ranks: Ranks, options: Options) -> None:
        self.sizes, self.ranks, self.options = sizes, ranks, options
        self.weights = [_Weights(sizes, rank, ranks.count) for rank in range(ranks.count)]
        self.gain = numbers(1, sizes.width, 3).rows[0]
        self.saved: dict[str, list[Matrix]] = {}

    def deal(self, matrix: Matrix) -> list[Matrix]:
        """What each rank holds between the split products: its rows, or everything."""
        count = self.ranks.count
        return cut_rows(matrix, count) if self.options.sequence_parallel else [matrix] * count

    def whole(self, held: Sequence[Matrix]) -> Matrix:
        """Put together what the ranks hold between the split products."""
        if self.options.sequence_parallel:
            return stack(held)
        if any(one != held[0] for one in held):
            raise AssertionError("The ranks disagree.")
        return held[0]

    def forward(self, inputs: list[Matrix], phase: str) -> list[Matrix]:
        """Both halves of the layer."""
        qkv = self._columns(f"qkv {phase}", self._scale(inputs), [w.qkv for w in self.weights])
        mixed = [self._attend(one) for one in qkv]
        middle = _sums(inputs, self._rows(f"out {phase}", mixed, [w.out for w in self.weights]))
        wide = self._columns(f"up {phase}", self._scale(middle), [w.up for w in self.weights])
        active = [_relu(one, one) for one in wide]
        self.saved |= {"qkv": qkv, "out": mixed, "wide": wide, "down": active}
        return _sums(middle, self._rows(f"down {phase}", active, [w.down for w in self.weights]))

    def backward(self, grads: list[Matrix]) -> tuple[list[Matrix], tuple[Matrix, ...]]:
        """The gradients of the input and of the weights, from that of the output."""
        active, down = self._rows_back("down", grads, [w.down for w in self.weights])
        wide = [_relu(g, w) for g, w in zip(active, self.saved["wide"], strict=True)]
        scaled, up = self._columns_back("up", wide, [w.up for w in self.weights])
        middle = _sums(grads, self._scale(scaled))
        mixed, out = self._rows_back("out", middle, [w.out for w in self.weights])
        qkv = [self._attend_back(g, x) for g, x in zip(mixed, self.saved["qkv"], strict=True)]
        first, qkv_grads = self._columns_back("qkv", qkv, [w.qkv for w in self.weights])
        thirds = [[_third(one, n) for one in qkv_grads] for n in range(3)]
        whole = (*(join(third) for third in thirds), stack(out), join(up), stack(down))
        return _sums(middle, self._scale(first)), whole

    # --- the split products ------------------------------------------------------------------

    def _columns(self, call: str, inputs: list[Matrix], weights: list[Matrix]) -> list[Matrix]:
        """Weights split by columns: every rank needs all rows of the input."""
        name = call.split(maxsplit=1)[0]
        gathered = inputs
        if self.options.sequence_parallel:
            gathered = self.ranks.all_gather(call, inputs, "shard", "input")
        self.saved[f"{name} input"] = inputs if self.options.regather else gathered
        return self.ranks.multiply(call, gathered, weights, ("input", "weight"), "output")

    def _rows(self, call: str, inputs: list[Matrix], weights: list[Matrix]) -> list[Matrix]:
        """Weights split by rows: every rank has a part of each sum."""
        partial = self.ranks.multiply(call, inputs, weights, ("input", "weight"), "partial")
        return self._reduce(call, partial, "output")

    def _rows_back(
        self, name: str, grads: list[Matrix], weights: list[Matrix]
    ) -> tuple[list[Matrix], list[Matrix]]:
        call = f"{name} backward"
        if self.options.sequence_parallel:
            grads = self.ranks.all_gather(call, grads, "shard", "grad")
        turned = [one.transposed for one in weights]
        inputs = [one.transposed for one in self.saved[name]]
        grad_input = self.ranks.multiply(call, grads, turned, ("grad", "weight"), "grad input")
        return grad_input, self.ranks.multiply(call, inputs, grads, ("input", "grad"), "grad weight")

    def _columns_back(
        self, name: str, grads: list[Matrix], weights: list[Matrix]
    ) -> tuple[list[Matrix], list[Matrix]]:
        call = f"{name} backward"
        kept = self.saved[f"{name} input"]
        if self.options.sequence_parallel and self.options.regather:
            kept = self.ranks.all_gather(call, kept, "kept shard", "input")
        turned = [one.transposed for one in weights]
        partial = self.ranks.multiply(call, grads, turned, ("grad", "weight"), "partial")
        grad_input = self._reduce(call, partial, "grad input")
        inputs = [one.transposed for one in kept]
        return grad_input, self.ranks.multiply(call, inputs, grads, ("input", "grad"), "grad weight")

    def _reduce(self, call: str, partial: list[Matrix], makes: str) -> list[Matrix]:
        reduce = self.ranks.reduce_scatter if self.options.sequence_parallel else self.ranks.all_reduce
        return reduce(call, partial, "partial", makes)

    # --- what each rank does on its own ------------------------------------------------------

    def _scale(self, held: Sequence[Matrix]) -> list[Matrix]:
        """Each column times its gain; the same backward."""
        rows = (tuple(tuple(v * g for v, g in zip(row, self.gain, strict=True)) for row in one.rows)
                for one in held)  # fmt: skip
        return [Matrix(found, self.sizes.width) for found in rows]

    def _attend(self, qkv: Matrix) -> Matrix:
        """Causal linear attention of a rank's heads, sequence by sequence."""
        queries, keys, values = (_third(qkv, n) for n in range(3))
        out = [[0] * queries.columns for _ in queries.rows]
        for i, j, head in self._pairs(queries):
            score = sum(queries.rows[i][c] * keys.rows[j][c] for c in head)
            for c in head:
                out[i][c] += score * values.rows[j][c]
        return Matrix(tuple(map(tuple, out)), queries.columns)

    def _attend_back(self, grads: Matrix, qkv: Matrix) -> Matrix:
        """The gradients of queries, keys and values."""
        q, k, v = (_third(qkv, n) for n in range(3))
        back = [[[0] * q.columns for _ in q.rows] for _ in range(3)]
        for i, j, head in self._pairs(q):
            score = sum(q.rows[i][c] * k.rows[j][c] for c in head)
            grad_score = sum(grads.rows[i][c] * v.rows[j][c] for c in head)
            for c in head:
                back[0][i][c] += grad_score * k.rows[j][c]
                back[1][j][c] += grad_score * q.rows[i][c]
                back[2][j][c] += score * grads.rows[i][c]
        return join([Matrix(tuple(map(tuple, one)), q.columns) for one in back])

    def _pairs(self, queries: Matrix) -> list[tuple[int, int, range]]:
        """Query row, key row, columns of the head: all that causal attention lets meet."""
        width, tokens = self.sizes.head_width, self.sizes.tokens
        heads = [range(c, c + width) for c in range(0, queries.columns, width)]
        return [
            (i, j, head)
            for i in range(queries.height)
            for j in range(i - i % tokens, i + 1)
            for head in heads
        ]


def _third(matrix: Matrix, number: int) -> Matrix:
    width = matrix.columns // 3
    return pick_columns(matrix, range(number * width, (number + 1) * width))


def _relu(values: Matrix, where: Matrix) -> Matrix:
    """The values where the other matrix is positive, zero elsewhere."""
    rows = (
        tuple(v if w > 0 else 0 for v, w in zip(p, q, strict=True))
        for p, q in zip(values.rows, where.rows, strict=True)
    )
    return Matrix(tuple(rows), values.columns)


def _sums(left: Sequence[Matrix], right: Sequence[Matrix]) -> list[Matrix]:
    return [add(a, b) for a, b in zip(left, right, strict=True)]
