"""A frozen value with some fields changed: `dataclasses.replace` without its cost.

`replace` goes through `__init__`, which sets every field one by one; a match has some thirty, and each hit changes
three values. Copying the instance's dict costs a fifth of that (measured: docs/performance.md), so what a match holds
has no slots.
"""

from typing import Any, TypeVar

T = TypeVar("T")


def changed(value: T, /, **fields: Any) -> T:
    """Return a copy of a frozen dataclass without slots, with these fields changed; an unknown name is a bug."""
    copy: T = object.__new__(type(value))
    held = copy.__dict__
    held.update(value.__dict__)
    count = len(held)
    held.update(fields)
    assert len(held) == count, f"{type(value).__name__} has no such field: {sorted(fields)}"
    return copy
