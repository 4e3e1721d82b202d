"""Cases that only multiply: one test goes through all of them and names every one that fails."""

import inspect
from collections.abc import Callable, Iterable
from typing import Any

Test = Callable[..., None]


def each(
    names: str, cases: Iterable[Any], ids: Callable[[Any], str] | None = None
) -> Callable[[Test], Test]:
    """As pytest.mark.parametrize, but one test: for cases that share what the test is given.

    It fails once, with every case that fails and why.
    """
    wanted, known = [name.strip() for name in names.split(",")], list(cases)
    assert known, f"no cases of {names}"

    def decorate(test: Test) -> Test:
        def looped(**shared: Any) -> None:
            failed: dict[str, Exception] = {}
            for number, case in enumerate(known):
                values = dict(zip(wanted, (case,) if len(wanted) == 1 else case, strict=True))
                try:
                    test(**shared, **values)
                except Exception as error:
                    said = ids(case) if ids else " ".join(f"{n}={v!r:.80}" for n, v in values.items())
                    failed[f"case {number}, {said}"] = error
            if failed:
                why = "\n".join(f"{case}: {type(e).__name__}: {e}" for case, e in failed.items())
                raise AssertionError(f"{len(failed)} of {len(known)} cases fail\n{why}") from (
                    next(iter(failed.values()))
                )

        signature = inspect.signature(test)
        left = [p for name, p in signature.parameters.items() if name not in wanted]
        looped.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        for name in ("__name__", "__doc__", "__module__", "__qualname__"):
            setattr(looped, name, getattr(test, name))
        return looped

    return decorate
