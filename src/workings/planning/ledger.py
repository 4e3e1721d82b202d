"""What the fullest rank holds, account by account, at four moments of a step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from workings.planning.letters import STAGES

MOMENTS = ("steady", "end of forward", "backward peak", "optimizer step")
ALWAYS, FORWARD, BACKWARD, UPDATE = (0, 1, 2, 3), (1, 2), (2,), (3,)
_TOTALS = ("M_0", "M_f", "M_b", "M_s")


@dataclass(frozen=True, slots=True)
class Account:
    """Bytes of one kind: the letters they come from, and the moments (0 to 3) at which they are held.

    `assumed` marks what no formula of the model's gives.
    """

    name: str
    letters: tuple[str, ...]
    bytes: Fraction
    moments: tuple[int, ...]
    assumed: bool = False
    formula: str = ""  # of what follows from an assumption and other letters


@dataclass(frozen=True)
class Ledger:
    """The accounts of one stage and their totals at the four moments."""

    stage: str
    accounts: tuple[Account, ...]
    totals: tuple[Fraction, Fraction, Fraction, Fraction]

    @property
    def peak(self) -> int:
        """The moment at which most is held."""
        return max(range(4), key=lambda moment: self.totals[moment])


def fullest_stage(values: Mapping[str, Fraction]) -> str:
    """The stage whose rank holds most."""
    return max(STAGES, key=lambda stage: values[f"M_{stage}"])


def ledger(values: Mapping[str, Fraction], stage: str | None = None) -> Ledger:
    """The accounts of a stage, the fullest by default; `values` of every statement."""
    stage = stage or fullest_stage(values)
    accounts = tuple(a for a in _accounts(values, stage) if a.bytes)
    totals = tuple(values[f"{letter}{stage}"] for letter in _TOTALS)
    return Ledger(stage, accounts, (totals[0], totals[1], totals[2], totals[3]))


def _accounts(values: Mapping[str, Fraction], stage: str) -> Iterator[Account]:
    v, ends = values, stage in ("first", "last")
    head = ends and (v["x_p"] == 0 or stage == "last")
    logits, gradient = (v["A_head"], v["G_head"]) if head else (Fraction(0), Fraction(0))
    kept = v[f"A_{stage}"]
    again, loss = v[f"A_r{stage}"], logits + gradient
    common = (1 - v["x_loss"]) * min(again, loss)  # what a block at work has in the loss's place
    late = _most_at_the_end(v, stage, kept + loss - common)
    again -= Fraction(0) if late else common
    grown = (v["z_k"], v["x_g"], v["x_g"] or late, True)
    there = tuple(moment for moment, so in enumerate(grown) if so)
    forward, backward = (FORWARD[:1], ()) if late else (FORWARD, BACKWARD)
    yield Account("weights", (f"S_w{stage}",), v[f"S_w{stage}"], ALWAYS)
    yield Account("gradients", (f"S_g{stage}",), v[f"S_g{stage}"], there)
    yield Account("master weights and moments", (f"S_o{stage}",), v[f"S_o{stage}"], ALWAYS)
    yield Account("activations in flight", (f"A_{stage}",), kept, forward)
    yield Account("logits and the head's input", ("A_head",), logits, forward)
    yield Account("gradient of the logits", ("G_head",), gradient, backward)
    yield Account("computed or gathered again", (f"A_r{stage}",), again, BACKWARD)
    yield Account("weights gathered, gradients on their way", (f"B_{stage}",), v[f"B_{stage}"], BACKWARD)
    share = v["x_frag"]
    held = f"A_{stage}" + (" + A_head" if logits else "")
    yield Account("fragments", ("x_frag",), share * (kept + logits), forward, assumed=True,
                  formula=f"x_frag*({held})")  # fmt: skip
    gradient = Fraction(0) if late else gradient
    more = share * (gradient + again + v[f"B_{stage}"])
    terms = f"A_r{stage} + B_{stage}" + (" + G_head" if gradient else "")
    part = "(1 - x_loss)*" if v["x_loss"] else ""
    terms += f" - {part}min(A_r{stage}, A_head + G_head)" if common and not late else ""
    yield Account("fragments of the backward", ("x_frag",), more, BACKWARD, assumed=True,
                  formula=f"x_frag*({terms})")  # fmt: skip
    updated = v[f"P_{stage}"] / v["n_o"] + v[f"E_{stage}"] / v["n_oe"]
    yield Account(
        "optimizer temporaries", ("w_t",), (1 - v["x_off"]) * v["w_t"] * updated, UPDATE, assumed=True,
        formula=f"(1 - x_off)*w_t*(P_{stage}/n_o + E_{stage}/n_oe)",
    )  # fmt: skip
    yield Account("device context", ("M_ctx",), v["M_ctx"], ALWAYS, assumed=True)
    yield Account("communicator buffers", ("M_comm",), v["M_comm"], ALWAYS, assumed=True)
    yield Account("workspace of matrix products", ("M_work",), v["M_work"], ALWAYS, assumed=True)


def _most_at_the_end(v: Mapping[str, Fraction], stage: str, given_back: Fraction) -> bool:
    """Whether more is held as the backward ends than as it begins: gradients instead of activations."""
    return (1 - v["x_g"]) * v[f"S_g{stage}"] > (1 + v["x_frag"]) * given_back
