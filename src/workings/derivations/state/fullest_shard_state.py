"""FSDP's exact shard: a padded flat buffer."""

from fractions import Fraction

from workings.chain import Row
from workings.derivation import derivation
from workings.derivations.state._sources import TORCHTITAN_FSDP
from workings.derivations.state._zero_rows import letters
from workings.simulate.stored_state import flat_shard
from workings.units import BYTE


def cut_flat_buffers(N: int, P: int, **widths: Fraction) -> Fraction:
    """Each flat buffer padded and cut into equal pieces; one piece of each, value by value."""
    kept = [widths["w_c"], widths["w_g"], widths["w_p"], widths["w_o"], widths["w_o"]]
    return sum((width for width in kept for _ in range(flat_shard(P, N))), Fraction(0))


def _row(name: str, width: str) -> Row:
    return Row(name, f"{width}*ceil(P/N)", "one of `N` equal pieces of a padded buffer")


FULLEST_SHARD_STATE = derivation(
    "fullest-shard-state",
    title="Model state of a device under ZeRO stage 3, to the last value",
    unit=BYTE,
    letters=letters(3),
    source=TORCHTITAN_FSDP,
    oracle=cut_flat_buffers,
    convention="All parameters lie in one flat buffer, as in FSDP1 with a single unit; with several "
    "units each pads its own, FSDP2 pads the first dimension of each parameter.",
    ledger=(
        _row("working weights", "w_c"),
        _row("gradients", "w_g"),
        _row("master weights", "w_p"),
        _row("first moments", "w_o"),
        _row("second moments", "w_o"),
    ),
    chain="""
    S_pad = rows                                           -- add the rows
      = (w_c + w_g + w_p + 2*w_o)*ceil(P/N)                -- no device holds more than `ceil(P/N)`
    """,
)
