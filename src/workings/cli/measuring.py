"""`measure`."""

from __future__ import annotations

from pathlib import Path

import click

from workings.cli.options import plainly
from workings.errors import UserError


@click.command()
@click.option("--quick", is_flag=True, help="Fewer sizes: under a minute on an H100.")
@click.option("--only", metavar="FAMILIES", help="Some of matmul,attention,memory,collective.")
@click.option(
    "--device", type=click.Choice(["cuda", "cpu"]), help="The GPU where there is one, if not given."
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File to write to.")
@plainly
def measure(quick: bool, only: str | None, device: str | None, output: Path | None) -> None:
    """Measure what this node reaches, with PyTorch: products, attention, memory, collectives.

    Printed is one TOML document, which [assume] of a job can name: `node = "node.toml"`. The module
    workings/measure/node.py is a script too and needs nothing but PyTorch: copy it to the node.
    """
    from workings.measure import node  # noqa: PLC0415 - loads PyTorch

    try:
        made = node.measured(node.asked(device, quick, only), output)
    except node.NodeError as error:
        raise UserError(str(error)) from None
    except OSError as error:
        raise UserError(f"{output}: {error.strerror or error}") from None
    click.echo(made if output is None else output, nl=output is not None)
