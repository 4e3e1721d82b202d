"""workings: shows and checks the workings of large-model training and serving.

    import workings

    workings.find("fsdp memory")
    workings.value("fsdp-memory", at="xxl-220b", set={"N_fsdp": 156}).shown
    workings.solve("fsdp-memory", "< 95 GB", letter="N_fsdp", at="xxl-220b").at
    workings.plan(model="llama3-8b", gpu="h100-sxm", gpus=8, per_node=8, seq=8192, global_batch=64).best
    workings.review("job.toml").verdict

What a function returns prints itself in a line or a few, and has `to_dict()`: what the command of its
name prints with `--format json`. Names are loaded when first used, so that importing costs nothing.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workings.analysis import analyze_4d
    from workings.api import (
        entry,
        find,
        get,
        lint,
        list_ids,
        plan,
        report,
        review,
        show,
        simplify,
        size,
        solve,
        solve_symbolic,
        sweep,
        value,
        verify,
        work,
    )
    from workings.derivation import Derivation, Source
    from workings.errors import UserError
    from workings.formula import parse_expression, parse_formula
    from workings.scenario import Scenario, load_scenario

_HOMES = {
    "workings.analysis": ("analyze_4d",),
    "workings.api": ("entry", "find", "get", "lint", "list_ids", "plan", "report", "show", "simplify",
                     "solve", "solve_symbolic", "size", "sweep", "value", "verify", "work"),
    "workings.derivation": ("Derivation", "Source"),  # `derivation` is the module's own name
    "workings.errors": ("UserError",),
    "workings.formula": ("parse_expression", "parse_formula"),
    "workings.scenario": ("Scenario", "load_scenario"),
}  # fmt: skip
_WHERE = {name: home for home, names in _HOMES.items() for name in names}
_ROOMS = ("review",)  # rooms that are called like a function of the API: they are that function too

__all__ = [
    "Derivation", "Scenario", "Source", "UserError", "analyze_4d", "entry", "find", "get", "lint",
    "list_ids", "load_scenario", "parse_expression", "parse_formula", "plan", "report", "review", "show",
    "simplify", "size", "solve", "solve_symbolic", "sweep", "value", "verify", "work",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Load a public name from its module on first use."""
    if name in _ROOMS:
        return import_module(f"workings.{name}")
    if name not in _WHERE:
        raise AttributeError(f"module 'workings' has no attribute {name!r}")
    return getattr(import_module(_WHERE[name]), name)


def __dir__() -> list[str]:
    """What a notebook offers to complete: the public names, loaded or not."""
    return [*__all__]


class _Callable(ModuleType):
    """A room that can be called: Python binds `workings.review` to the room as soon as it is imported."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._function(*args, **kwargs)

    @property
    def _function(self) -> Any:
        return getattr(import_module("workings.api"), self.__name__.rpartition(".")[2])

    @property
    def __signature__(self) -> Any:
        from inspect import signature  # noqa: PLC0415 - slow to load, and only for those who ask

        return signature(self._function)


class _Package(ModuleType):
    """The package, which makes such a room callable when it is bound."""

    def __setattr__(self, name: str, value: object) -> None:
        if name in _ROOMS and type(value) is ModuleType:
            value.__class__ = _Callable
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
