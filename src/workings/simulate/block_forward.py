"""A transformer block run forwards on shapes, as each rank of tensor and context parallelism runs it."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from .block_tape import Active, Tape, mine

Recompute = Literal["none", "selective", "full"]
Part = Literal["attention", "feed-forward", "norms"]


@dataclass(frozen=True)
class Experts:
    """A mixture of experts: how many, how many a token visits, how wide, and those for all tokens.

    `room` is what the experts of a rank keep for tokens, over their even share.
    """

    experts: int
    active: int
    width: int
    shared: int = 0
    room: Fraction = Fraction(1)


@dataclass(frozen=True)
class Block:
    """Sizes of a block and of its input. Its feed-forward is `experts`, or `d_ff` wide."""

    sequence: int
    batch: int
    d_model: int
    heads: int
    kv_heads: int
    head_dim: int
    d_ff: int = 0
    gated: bool = False
    experts: Experts | None = None
    width: Fraction = Fraction(2)
    dropout: bool = True
    flash: bool = False


@dataclass(frozen=True)
class Mesh:
    """Degrees of tensor and context parallelism, and whether norms are split by tokens."""

    tensor: int = 1
    context: int = 1
    sequence_parallel: bool = False


def fullest_rank(block: Block, mesh: Mesh, recompute: Recompute = "none") -> Fraction | None:
    """Return the bytes that the fullest rank saves, or None where shapes do not come out even."""
    try:
        return max(
            run_block(block, mesh, tensor, context, recompute).bytes
            for tensor in range(mesh.tensor)
            for context in range(mesh.context)
        )
    except ValueError:
        return None


def fullest_part(block: Block, mesh: Mesh, part: Part) -> Fraction | None:
    """Return the bytes that one part of a block, run alone, saves on the fullest rank; None if uneven.

    A half keeps its input, which its norm gives it, and the mask of the dropout after it; the norms keep
    the tensors that they are given.
    """
    try:
        return max(_run_part(block, mesh, rank, part).bytes for rank in range(mesh.tensor))
    except ValueError:
        return None


def _run_part(block: Block, mesh: Mesh, rank: int, part: Part) -> Tape:
    """Run one part of a block on one rank and return its tape."""
    tape = Tape()
    run = _Run(block, mesh, rank, 0, tape, "none")

    def given(name: str) -> Active:
        return Active(name, (len(run.own_tokens), block.batch, block.d_model), block.width)

    if part == "norms":
        for place in ("before the attention", "before the feed-forward"):
            tape.norm(given(place), f"normed {place}")
    else:
        run.half(given("normed"), part)
    return tape


def run_block(
    block: Block, mesh: Mesh, tensor: int = 0, context: int = 0, recompute: Recompute = "none",
    tape: Tape | None = None,
) -> Tape:  # fmt: skip
    """Run the block's forward on one rank and return its tape. ValueError if shapes are uneven."""
    tape = tape or Tape()
    run = _Run(block, mesh, tensor, context, tape, recompute)
    x = Active("block input", (len(run.own_tokens), block.batch, block.d_model), block.width)
    if recompute == "full":
        tape.recomputed(run.block, x)
    else:
        run.block(x)
    return tape


class _Run:
    """One rank's run: which tokens, heads and columns are its own."""

    def __init__(
        self, block: Block, mesh: Mesh, tensor: int, context: int, tape: Tape, recompute: Recompute
    ) -> None:
        self.sizes, self.mesh, self.rank, self.tape = block, mesh, tensor, tape
        self.recompute = recompute
        self.tokens = mine(block.sequence, mesh.context, context)  # between norms and inside attention
        splits = mesh.tensor if mesh.sequence_parallel else 1
        self.own_tokens = mine(len(self.tokens), splits, tensor if splits > 1 else 0)
        self.heads = mine(block.heads, mesh.tensor, tensor)
        self.kv_heads = self._needed_kv_heads()

    def _needed_kv_heads(self) -> set[int]:
        """The key and value heads that this rank's query heads read; some ranks share one."""
        sizes = self.sizes
        group = len(mine(sizes.heads, sizes.kv_heads, 0))
        return {head // group for head in self.heads}

    def half(self, x: Active, part: Part) -> Active:
        """One half of the block from its norm's output to the residual."""
        return self._residual(self._attention(x) if part == "attention" else self._feed_forward(x))

    def block(self, x: Active) -> Active:
        """Attention, then the feed-forward, each with a norm before and a residual around."""
        x = self._residual(self._attention(self.tape.norm(x, "normed 1")))
        normed = self.tape.norm(x, "normed 2")
        return self._residual(self._experts(normed) if self.sizes.experts else self._feed_forward(normed))

    def _residual(self, x: Active) -> Active:
        """Dropout and the addition of the residual, which saves nothing; a tensor of its own."""
        dropped = self.tape.dropout(x, "residual", self.sizes.dropout)
        return Active("sum", dropped.shape, dropped.width)

    def _back_to_own_tokens(self, x: Active) -> Active:
        """What reduce-scatter or all-reduce leaves on this rank."""
        return Active(x.name, (len(self.own_tokens), *x.shape[1:]), x.width)

    def _attention(self, x: Active) -> Active:
        sizes, tape = self.sizes, self.tape
        rows = len(self.tokens)
        q = tape.linear(x, len(self.heads) * sizes.head_dim, "queries", gathered=rows)
        k, v = (
            tape.linear(x, len(self.kv_heads) * sizes.head_dim, name, gathered=rows)
            for name in ("keys", "values")
        )
        if self.recompute == "selective":
            out = tape.recomputed(self._core, q, k, v)
        else:
            out = self._core(q, k, v)
        return self._back_to_own_tokens(tape.linear(out, sizes.d_model, "projected"))

    def _core(self, q: Active, k: Active, v: Active) -> Active:
        """Scores, softmax, dropout and the sum over values; or all of it tile by tile."""
        sizes, tape = self.sizes, self.tape
        per_query = (sizes.batch, len(self.heads), len(self.tokens))
        if sizes.flash:
            return tape.flash_attention(q, k, v, q.shape, per_query)
        scores = tape.matmul(q, k, (*per_query, sizes.sequence), "scores")
        shares = tape.dropout(tape.softmax(scores, "shares"), "dropped shares", sizes.dropout)
        return tape.matmul(shares, v, q.shape, "attention output")

    def _feed_forward(self, x: Active) -> Active:
        columns = len(mine(self.sizes.d_ff, self.mesh.tensor, self.rank))
        hidden = self._hidden(x, columns, self.sizes.gated, gathered=len(self.tokens))
        return self._back_to_own_tokens(self.tape.linear(hidden, self.sizes.d_model, "ffn output"))

    def _hidden(self, x: Active, columns: int, gated: bool, gathered: int | None = None) -> Active:
        up = self.tape.linear(x, columns, "up", gathered)
        if not gated:
            return self.tape.curve(up, "hidden")
        return self.tape.gate(self.tape.linear(x, columns, "gate", gathered), up, "hidden")

    def _experts(self, x: Active) -> Active:
        """Route this rank's own tokens; its experts receive as many from all ranks, and keep room."""
        sizes, tape, experts = self.sizes, self.tape, self.sizes.experts
        assert experts is not None  # noqa: S101 - called for blocks with experts only
        logits = tape.linear(x, experts.experts, "router logits")
        in_fp32 = Active("router logits", logits.shape, Fraction(4))
        shares = tape.softmax(in_fp32, "router shares")
        rows = received_rows(len(self.own_tokens) * sizes.batch, experts)
        sent = Active("received tokens", (rows, sizes.d_model), x.width * experts.room)
        up, gate = (tape.linear(sent, experts.width, name) for name in ("up", "gate"))
        weights = Active("received weights", (rows,), shares.width * experts.room)
        answers = tape.linear(tape.gate(gate, up, "hidden", weights), sizes.d_model, "answers")
        if experts.shared:
            columns = len(mine(experts.shared * experts.width, self.mesh.tensor, self.rank))
            hidden = self._hidden(x, columns, gated=True, gathered=len(self.tokens))
            tape.linear(hidden, sizes.d_model, "shared output")
        return Active("routed output", x.shape, answers.width)


def received_rows(tokens: int, experts: Experts) -> int:
    """Send every token of as many ranks as experts to its experts in turn; what one rank receives.

    Each rank holds one expert and `tokens` tokens, so all receive the same.
    """
    received = [0] * experts.experts
    next_expert = 0
    for _ in range(experts.experts * tokens):
        for _ in range(experts.active):
            received[next_expert % experts.experts] += 1
            next_expert += 1
    return max(received)
