"""Convert frozen dataclasses to plain JSON values and back, by their annotations."""

import types
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")

_PLAIN = frozenset((str, int, bool, type(None)))  # checked first: most values in a match have one of these types


def encode(value: Any) -> Any:
    """Convert `value` to plain JSON types."""
    if type(value) in _PLAIN:
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return {name: encode(getattr(value, name)) for name in _names(type(value))}
    if isinstance(value, dict):
        return {key: encode(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [encode(item) for item in value]
    if isinstance(value, StrEnum):
        return value.value
    return value


def decode(kind: type[T], plain: Any) -> T:
    """Rebuild a value of type `kind` from the output of `encode`.

    In a union of dataclasses, the field `what` selects one. A missing field takes its default, so later versions can
    read the output of earlier ones.
    """
    wanted: Any = kind
    decoded: T = _decoder(wanted)(plain)
    return decoded


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(f.name for f in fields(kind))


@cache
def _decoder(kind: Any) -> Callable[[Any], Any]:
    if is_dataclass(kind):
        build: Any = kind
        return lambda plain: build(**{name: part(plain[name]) for name, part in _parts(build) if name in plain})
    if _is_words(kind):
        words: Callable[[Any], Any] = kind
        return words
    origin, inner = get_origin(kind), get_args(kind)
    if origin is tuple:
        return _tuple_decoder(inner)
    if origin in (Union, types.UnionType):
        return _union_decoder(inner)
    return lambda plain: plain


@cache
def _parts(kind: Any) -> tuple[tuple[str, Callable[[Any], Any]], ...]:
    """Name and decoder of each field; resolved lazily, because types may be recursive."""
    hints = get_type_hints(kind)
    return tuple((f.name, _decoder(hints[f.name])) for f in fields(kind))


def _tuple_decoder(inner: tuple[Any, ...]) -> Callable[[Any], Any]:
    if len(inner) == 2 and inner[1] is Ellipsis:
        each = _decoder(inner[0])
        return lambda plain: tuple(each(item) for item in plain)
    parts = [_decoder(kind) for kind in inner]
    return lambda plain: tuple(part(item) for part, item in zip(parts, plain, strict=True))


def _is_words(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, StrEnum)


def _is_tagged(kind: Any) -> bool:
    return is_dataclass(kind) and "what" in kind.__dataclass_fields__


def _union_decoder(inner: tuple[Any, ...]) -> Callable[[Any], Any]:
    tagged = {kind.__dataclass_fields__["what"].default: _decoder(kind) for kind in inner if _is_tagged(kind)}
    others = [kind for kind in inner if kind is not type(None) and not _is_tagged(kind)]
    if others and all(_is_words(kind) for kind in others):
        members = {member.value: member for kind in others for member in kind}
        return lambda plain: None if plain is None else members[plain]

    def pick(plain: Any) -> Any:
        if plain is None:
            return None
        if tagged and isinstance(plain, dict):
            return tagged[plain["what"]](plain)
        if isinstance(plain, list):
            sequence = next(kind for kind in others if get_origin(kind) is tuple)
            return _decoder(sequence)(plain)
        single = [kind for kind in others if get_origin(kind) is not tuple]
        return _decoder(single[0])(plain) if len(single) == 1 else plain

    return pick
