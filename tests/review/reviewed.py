"""Reviews and their files, each made once: the tests of a process share what they only read."""

from collections.abc import Mapping

from workings.planning.job import Job
from workings.review import build, writing
from workings.review.build import Review

_REVIEWS: dict[str, Review] = {}
_FILES: dict[tuple[int, tuple[str, ...]], Mapping[str, str]] = {}


def review(job: Job) -> Review:
    """The review of a job, which another test may have asked for already."""
    key = f"{job!r} {job.hashes}"
    if key not in _REVIEWS:
        _REVIEWS[key] = build.review(job)
    return _REVIEWS[key]


def files(found: Review, formats: tuple[str, ...] = ("md", "tex")) -> Mapping[str, str]:
    """The files of a review that stays in memory, so that its identity is its name."""
    key = (id(found), formats)
    if key not in _FILES or all(found is not kept for kept in _REVIEWS.values()):
        _FILES[key] = writing.files(found, formats)
    return _FILES[key]
