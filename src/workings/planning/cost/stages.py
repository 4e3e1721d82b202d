"""The stages that are told apart, and how many blocks of each have experts.

Memory falls from stage to stage as fewer micro-batches are in flight, and grows where blocks with experts
take the place of dense ones. So between the ends three stages may be the fullest: the second, the one in
which experts begin, and the first in which every further block may have them.
"""

from collections.abc import Iterator

from workings.planning.letters import STAGES
from workings.planning.statement import Statement, say, switch
from workings.units import ONE

# What a stage between the ends is multiplied with: 0 where there is none, or none unlike the second.
HERE = {"first": "", "mid": "*x_mid", "turn": "*x_mix", "rich": "*x_mix", "last": ""}
WORDS = {"first": "first stage", "mid": "second stage", "turn": "stage where experts begin",
         "rich": "stage full of experts", "last": "last stage"}  # fmt: skip


def most_of(formula: str) -> str:
    """The most that a formula comes to on any stage; it has `{}` where a letter names the stage."""
    return f"max({', '.join(formula.format(*[stage] * formula.count('{}')) for stage in STAGES)})"


BLOCKS_OF = {"first": "L_first", "mid": "L_mid", "turn": "L_mid", "rich": "L_mid", "last": "L_last"}
# Dense blocks and blocks with experts of the stage that a rank holds besides, where it holds two. Beside
# a stage between the ends that is one between them, with as many experts as any.
_RICH = "(X_rich + (1 - x_mix)*X_mid)"
_OTHER = {
    "first": ("(L_last - X_last)", "X_last"), "last": ("(L_first - X_first)", "X_first"),
    **dict.fromkeys(("mid", "turn", "rich"), (f"(L_mid - {_RICH})", _RICH)),
}  # fmt: skip


def held(stage: str, formula: str, times: str = "", others: str = "x_bi") -> str:
    """What a rank of the stage holds by its blocks, those of its other stage `others` times.

    The formula has `dense` and `experts` for the numbers of blocks.
    """
    own = (f"({BLOCKS_OF[stage]} - X_{stage})", f"X_{stage}")
    one, other = (
        formula.replace("dense", dense).replace("experts", experts)
        for dense, experts in (own, _OTHER[stage])
    )
    return f"({times}{one} + {others}*{other}){HERE[stage]}"


def _of_stage(stage: str, place: str, less: str = "") -> Iterator[Statement]:
    """The blocks of a stage before experts begin, and of the others those with experts.

    `place` counts the stage from 0, `less` what its first chunk has fewer than others.
    """
    here = HERE[stage]
    yield say(f"D_{stage}", f"blocks before experts begin, {WORDS[stage]}", ONE,
              f"(k*o_v + min(k, max(0, o_r - {place}*k)){less}){here}")  # fmt: skip
    rest = f"({BLOCKS_OF[stage]} - D_{stage})"
    yield say(f"X_{stage}", f"blocks with experts, {WORDS[stage]}", ONE,
              f"z_E*(floor({rest}/k)*ceil(k/r_E) + ceil(({rest} - k*floor({rest}/k))/r_E)){here}",
              entry="expert-rank-parameters",
              assumes="where a chunk holds no whole number of periods, it is counted with as many blocks "
              "with experts as a chunk of its size may have")  # fmt: skip


EXPERT_BLOCKS = (
    switch("z_E", "1 where blocks have experts", "min(1, L_E)"),
    switch("x_mix", "1 where stages between the ends are unlike: dense blocks come before experts",
           "min(1, L_0)*z_E*x_mid"),
    # Blocks on a grid of equal chunks, from which the first and the last lack some.
    say("o_E", "where experts begin, on a grid of equal chunks", ONE, "L_0 + L_full - L_first"),
    say("o_v", "chunks of every stage before experts begin", ONE, "floor(o_E/(p*k))"),
    say("o_r", "blocks before experts begin, in the chunks after those", ONE, "o_E - p*k*o_v"),
    say("i_turn", "number of the stage where experts begin", ONE,
        "max(1, min(p - 2, floor(o_r/k)))"),
    say("i_rich", "number of the first stage full of experts", ONE, "max(1, min(p - 2, ceil(o_r/k)))"),
    *_of_stage("first", "0", " - (L_full - L_first)"),
    *_of_stage("mid", "1"),
    *_of_stage("turn", "i_turn"),
    *_of_stage("rich", "i_rich"),
    *_of_stage("last", "(p - 1)"),
)  # fmt: skip
