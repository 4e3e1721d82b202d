"""workings: shows and checks the workings of large-model training.

    import workings

    workings.value("fsdp-memory", at="xxl-220b", set={"N_fsdp": "156"}).shown
    workings.solve("fsdp-memory", "< 95 GB", letter="N_fsdp", at="xxl-220b").at

Names are loaded when first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workings.analysis import analyze_4d
    from workings.api import (
        get,
        list_ids,
        report,
        show,
        simplify,
        solve,
        solve_symbolic,
        value,
        verify,
    )
    from workings.derivation import Derivation, Source
    from workings.errors import UserError
    from workings.formula import parse_expression, parse_formula
    from workings.scenario import Scenario, load_scenario

_HOMES = {
    "workings.analysis": ("analyze_4d",),
    "workings.api": ("get", "list_ids", "report", "show", "simplify", "solve", "solve_symbolic",
                     "value", "verify"),
    "workings.derivation": ("Derivation", "Source"),  # `derivation` is the module's own name
    "workings.errors": ("UserError",),
    "workings.formula": ("parse_expression", "parse_formula"),
    "workings.scenario": ("Scenario", "load_scenario"),
}  # fmt: skip
_WHERE = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Derivation", "Scenario", "Source", "UserError", "analyze_4d", "get", "list_ids",
    "load_scenario", "parse_expression", "parse_formula", "report", "show", "simplify", "solve",
    "solve_symbolic", "value", "verify",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Load a public name from its module on first use."""
    if name not in _WHERE:
        raise AttributeError(f"module 'workings' has no attribute {name!r}")
    return getattr(import_module(_WHERE[name]), name)
