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
    v, zero = values, Fraction(0)
    kept, again, gathered = v[f"A_{stage}"], v[f"A_r{stage}"], v[f"B_{stage}"]
    has_head = (v["x_p"] == 0 and stage in ("first", "last")) or stage == "last"
    logits, gradient = (v["A_head"], v["G_head"]) if has_head else (zero, zero)
    ends = _most_at_the_end(v, stage, max(again, logits + gradient))
    # The head's backward is over when that of the blocks begins: the one that takes more is the peak.
    in_head = not ends and logits + gradient > again
    here = (v["z_k"], v["x_g"], v["x_g"] or ends, True)
    during = tuple(moment for moment, there in enumerate(here) if there)
    last = FORWARD[:1] if ends else FORWARD
    yield Account("weights", (f"S_w{stage}",), v[f"S_w{stage}"], ALWAYS)
    yield Account("gradients", (f"S_g{stage}",), v[f"S_g{stage}"], during)
    yield Account("master weights and moments", (f"S_o{stage}",), v[f"S_o{stage}"], ALWAYS)
    yield Account("activations in flight", (f"A_{stage}",), kept, last)
    shown = FORWARD if in_head else FORWARD[:1]
    yield Account("logits and the head's input", ("A_head",), logits, shown)
    parts = {"G_head": ("gradient of the logits", gradient if in_head else zero),
             f"A_r{stage}": ("computed or gathered again", zero if in_head else again),
             f"B_{stage}": ("weights gathered, gradients on their way", gathered)}  # fmt: skip
    for letter, (name, size) in parts.items():
        yield Account(name, (letter,), size, BACKWARD)
    both = {f"A_{stage}": kept, "A_head": logits}
    if shown == last:
        yield from _fragments(v["x_frag"], both, last, "fragments")
    else:
        yield from _fragments(v["x_frag"], {f"A_{stage}": kept}, last, "fragments")
        yield from _fragments(v["x_frag"], {"A_head": logits}, shown, "fragments of the logits")
    more = {letter: size for letter, (_, size) in parts.items()}
    yield from _fragments(v["x_frag"], more, BACKWARD, "fragments of the backward")
    updated = v[f"P_{stage}"] / v["n_o"] + v[f"E_{stage}"] / v["n_oe"]
    yield Account(
        "optimizer temporaries", ("w_t",), (1 - v["x_off"]) * v["w_t"] * updated, UPDATE, assumed=True,
        formula=f"(1 - x_off)*w_t*(P_{stage}/n_o + E_{stage}/n_oe)",
    )  # fmt: skip
    yield Account("device context", ("M_ctx",), v["M_ctx"], ALWAYS, assumed=True)
    yield Account("communicator buffers", ("M_comm",), v["M_comm"], ALWAYS, assumed=True)
    yield Account("workspace of matrix products", ("M_work",), v["M_work"], ALWAYS, assumed=True)


def _most_at_the_end(v: Mapping[str, Fraction], stage: str, at_work: Fraction) -> bool:
    """Whether more is held as the backward ends than as it begins: gradients instead of activations."""
    gained = (1 - v["x_g"]) * v[f"S_g{stage}"]
    given_back = v[f"A_{stage}"] + at_work - v[f"A_r{stage}"]
    return gained > (1 + v["x_frag"]) * given_back


def _fragments(
    share: Fraction, of: Mapping[str, Fraction], moments: tuple[int, ...], name: str
) -> Iterator[Account]:
    """What fragments of some accounts take."""
    terms = " + ".join(letter for letter, size in of.items() if size)
    size = share * sum(of.values(), Fraction(0))
    yield Account(name, ("x_frag",), size, moments, assumed=True, formula=f"x_frag*({terms})")
