"""Counts of this process's HTTP responses by status class, for metrics."""

from collections import Counter

responses: Counter[str] = Counter({"2xx": 0, "3xx": 0, "4xx": 0, "5xx": 0})


def count(status: int) -> None:
    """Count a response. Without a lock, so call it only in the event loop's thread."""
    responses[f"{status // 100}xx"] += 1
