"""Fast `dataclasses.replace` for frozen dataclasses without slots.

`replace` calls `__init__`, which sets the fields one by one; a match has more than thirty. Copying the instance's
`__dict__` costs a sixth of that (docs/performance.md), so classes that are often copied have no slots.
"""

from typing import Any, TypeVar

T = TypeVar("T")


def changed(value: T, /, **fields: Any) -> T:
    """Copy a frozen dataclass without slots, with these fields changed.

    Asserts that the fields exist.
    """
    copy: T = object.__new__(type(value))
    held = copy.__dict__
    held.update(value.__dict__)
    count = len(held)
    held.update(fields)
    assert len(held) == count, f"{type(value).__name__} has no such field: {sorted(fields)}"
    return copy
