"""The order in which ranks are dealt out over the parallel axes, the fastest axis first.

In all orders in use tensor parallelism varies fastest and context parallelism next; they differ in
whether replicas or pipeline stages come first. Expert parallelism lies inside data parallelism.
"""

from __future__ import annotations

from collections.abc import Mapping

from workings.scenario.errors import ScenarioError

# Megatron-LM, megatron/core/parallel_state.py, initialize_model_parallel: its default, and what
# its --use-tp-pp-dp-mapping asks for, which is the order of The Llama 3 Herd of Models, figure 5.
REPLICAS_FIRST, STAGES_FIRST = "tp-cp-ep-dp-pp", "tp-cp-ep-pp-dp"
ORDERS = (REPLICAS_FIRST, STAGES_FIRST)
EXPECTED = f"{REPLICAS_FIRST} (Megatron's default) or {STAGES_FIRST} (Llama 3's), the fastest axis first"


def order_of(text: str) -> str | None:
    """The one of `ORDERS` that a text names, or None. Experts lie among replicas and may be left out."""
    said = text.strip().lower()
    return next((order for order in ORDERS if said in (order, order.replace("ep-", ""))), None)


def replicas_before_stages(order: str) -> int:
    """1 where replicas vary faster than pipeline stages, else 0."""
    return int(order == REPLICAS_FIRST)


def without_scenario(settings: Mapping[str, str] | None) -> dict[str, str]:
    """Settings with an order of ranks as the figure that formulas read. Raises ScenarioError."""
    figures = dict(settings or {})
    if "order" in figures:
        text = figures.pop("order")
        order = order_of(text)
        if order is None:
            raise ScenarioError(f"--set order: found {text[:60]!r}, expected {EXPECTED}")
        figures["dp_before_pp"] = str(replicas_before_stages(order))
    return figures
