"""What the rules say of a job, asked once: the tests of a process share what they only read."""

from workings.planning import rules
from workings.planning.job import Job
from workings.planning.rules import Finding

_KNOWN: dict[str, tuple[Finding, ...]] = {}


def lint(job: Job) -> tuple[Finding, ...]:
    """The findings of a job, which another test may have asked for already."""
    key = repr(job)
    if key not in _KNOWN:
        _KNOWN[key] = rules.lint(job)
    return _KNOWN[key]
