"""Number of pages answered by this process, by status class, for metrics."""

from collections import Counter

responses: Counter[str] = Counter({"2xx": 0, "3xx": 0, "4xx": 0, "5xx": 0})


def count(status: int) -> None:
    """Count a response. Only for the event loop's thread, because there is no lock."""
    responses[f"{status // 100}xx"] += 1
