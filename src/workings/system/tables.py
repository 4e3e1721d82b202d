"""What is wrong with a table that a person wrote: the key, what was found and what was expected."""

from __future__ import annotations

from typing import Any, get_args

import msgspec

# What msgspec calls a kind of value, and what we do.
_OURS = {"str": "text", "array": "list", "object": "table"}


def explained(message: str, table: Any, shape: type[msgspec.Struct]) -> str:
    """msgspec's message on a table as key, found, expected."""
    problem, at, where = message.rpartition(" - at `$")
    problem, key = (problem, where.strip("`. ").partition("[")[0]) if at else (message, "")
    _, quoted, name = problem.removesuffix("`").partition("field `")
    if quoted and problem.startswith("Object contains unknown"):
        expected = f"expected one of {', '.join(shape.__struct_encode_fields__)}"
        return f"{' '.join(name.split())[:60]}: found an unknown key, {expected}"
    if quoted and problem.startswith("Object missing required"):
        return f"{name}: found nothing, expected a value"
    found = table.get(key) if isinstance(table, dict) else table
    if problem.startswith("Invalid enum value"):
        known = {field.encode_name: get_args(field.type) for field in msgspec.structs.fields(shape)}
        return f"{key}: found {str(found)[:60]!r}, expected one of {', '.join(filter(None, known[key]))}"
    words = problem.removeprefix("Expected ").replace("`", "").replace(",", " ,").split(" ")
    wanted = " ".join(_OURS.get(word, word) for word in words).replace(" ,", ",")
    return f"{key or 'file'}: found {str(found)[:60]!r}, expected {wanted}"
