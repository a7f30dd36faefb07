"""Protocol types for the scripts; `python -m tests.script_types` writes them.

Derived from the annotations of the frames (`clocks/live/frames.py`), the commands and the match state.
"""

import dataclasses
import inspect
import os
import subprocess
import sys
import types
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, NotRequired, Union, get_args, get_origin, get_type_hints

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from clocks.engine import closed_sets, commands, proposals, setup  # noqa: E402 - Django first
from clocks.engine.match import Match  # noqa: E402
from clocks.engine.refusals import Why  # noqa: E402
from clocks.live import do_frame, frames, protocol  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "static" / "clocks" / "match" / "protocol.d.ts"
HEAD = """\
// Written by `make format` from the types in clocks/live/frames.py and clocks/engine/.
//
// Times are integer milliseconds; what ends in `_at`, `since` and `now` are instants of server time. A `Pair` is
// [left, right]. Times may be null in a snapshot for spectators: then the rules hide them.

export type Pair = [number, number];
"""
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null", Any: "unknown"}
NAMED = {
    closed_sets.Party: "Party",
    proposals.Terms: "Terms",
    setup.Option: "Option",
    frames.ServerFrame: "ServerFrame",
}
# Arguments whose type differs between the frame and the command; None: not in the frame.
ARGUMENTS: dict[tuple[type, str], str | None] = {
    (commands.Press, "credit_ms"): None,
    (commands.Stop, "reason"): "reason?: " + " | ".join(f"'{reason}'" for reason in commands.REASONS),
    (commands.Move, "before"): None,
    (commands.Move, "after"): "to: string",
    (commands.ReplaceCode, "before"): None,
    (commands.ReplaceCode, "after"): None,
    (commands.HandOver, "kept"): "kept: (Command & KeptAt)[]",
}


class Writer:
    """Writes TypeScript declarations; keeps those written so far, by name."""

    def __init__(self) -> None:
        self.declared: dict[str, str] = {}

    def text(self, kind: Any, hides: bool = False) -> str:
        """TypeScript for a type; with `hides`, its times may be null."""
        origin, inner = get_origin(kind), get_args(kind)
        if kind in NAMED:
            return self.named(NAMED[kind], kind, hides)
        if kind in PLAIN:
            return PLAIN[kind]
        if origin is Annotated:
            return " & ".join(self.text(part, hides) for part in kind.__metadata__)
        if origin is Literal:
            return " | ".join(f"'{value}'" for value in inner)
        if origin in (Union, types.UnionType):
            return self.union(kind, hides)
        if origin is tuple and inner[1:] != (Ellipsis,):
            parts = [self.text(part, hides) for part in inner]
            return "Pair" if parts == ["number", "number"] else f"[{', '.join(parts)}]"
        if origin in (dict, Mapping):
            return f"Record<string, {self.text(inner[1], hides)}>"
        if origin is not None:
            each = self.text(inner[0], hides)
            return f"({each})[]" if " " in each else f"{each}[]"
        return self.named(kind.__name__, kind, hides)

    def union(self, kind: Any, hides: bool = False) -> str:
        """TypeScript union of a type's alternatives."""
        return " | ".join(dict.fromkeys(self.text(part, hides) for part in get_args(kind)))

    def named(self, name: str, kind: Any, hides: bool) -> str:
        """Return the name of a type; declare it on first use."""
        hides = hides and has_times(kind)
        name = f"Shown{name}" if hides else name
        if name not in self.declared:
            self.declared[name] = ""  # types may be recursive
            if kind in NAMED:
                form = self.union(kind, hides)
            elif issubclass(kind, StrEnum):
                form = " | ".join(f"'{member}'" for member in kind)
            else:
                form = braced(self.fields(kind, hides))
            self.declared[name] = f"{comment(kind)}export type {name} = {form};\n"
        return name

    def fields(self, kind: type, hides: bool = False) -> list[str]:
        """TypeScript fields of a type; with `hides`, its times may be null."""
        hidden = protocol.TIMES if kind is frames.Snapshot else protocol.TIMES_OF_TERMS if hides else ()
        found = []
        for name, hint in hints(kind).items():
            optional = get_origin(hint) is NotRequired
            hint = get_args(hint)[0] if optional else hint
            form = self.text(hint, hides or (kind is frames.Snapshot and name == "proposal"))
            null = " | null" if name in hidden and "null" not in form else ""
            found.append(f"{name}{'?' if optional else ''}: {form}{null}")
        return found

    def arguments(self, kind: type) -> list[str]:
        """Fields of a command or terms in a `do` frame; optional if null or defaulted."""
        found = []
        for field in dataclasses.fields(kind):
            base = next((each for each in kind.__mro__ if (each, field.name) in ARGUMENTS), None)
            if base is not None:
                found.append(ARGUMENTS[base, field.name] or "")
            elif field.name != "terms":
                form = self.text(hints(kind)[field.name])
                optional = field.name != "what" and (field.default is not dataclasses.MISSING or "null" in form)
                found.append(f"{field.name}{'?' if optional else ''}: {form}")
        return [each for each in found if each]

    def command(self, kind: type[commands.Command]) -> str:
        """TypeScript for a command in a `do` frame."""
        own = braced([f"do: '{kind.do}'", *self.arguments(kind)])
        return f"({own} & Proposable)" if kind is commands.Propose else own

    def proposable(self) -> str:
        """TypeScript for terms in a `propose` frame."""
        terms = [each for each in get_args(proposals.Terms) if each is not proposals.Expiry]
        return " | ".join(braced(self.arguments(each)) for each in terms)


def braced(fields: list[str]) -> str:
    """TypeScript object type with these fields."""
    return f"{{ {'; '.join(fields)} }}"


def has_times(kind: Any) -> bool:
    """True if a type has a time that may be hidden from spectators."""
    if get_args(kind):
        return any(has_times(part) for part in get_args(kind))
    return dataclasses.is_dataclass(kind) and any(
        name in protocol.TIMES_OF_TERMS or has_times(hint) for name, hint in hints(kind).items()
    )


def hints(kind: type) -> dict[str, Any]:
    """Type hints of a type's fields; `what` becomes a literal of its default."""
    found = {
        name: hint
        for name, hint in get_type_hints(kind, include_extras=True).items()
        if get_origin(hint) is not ClassVar
    }
    if "what" in found and "what" in getattr(kind, "__dataclass_fields__", {}):
        found["what"] = Literal[kind.__dataclass_fields__["what"].default]  # type: ignore[attr-defined]
    return found


def comment(kind: Any) -> str:
    """First line of a type's docstring."""
    said = inspect.getdoc(kind) if isinstance(kind, type) else None
    return f"/** {said.splitlines()[0]} */\n" if said else ""


def of_frames() -> list[type[commands.Command]]:
    """Commands that a frame may carry."""
    kinds = [kind for kind in vars(commands).values() if isinstance(kind, type) and issubclass(kind, commands.Command)]
    return [kind for kind in kinds if kind.do and kind.do not in do_frame.SERVERS_OWN]


def written() -> str:
    """Contents of the file, formatted like the other scripts."""
    writer = Writer()
    for kind in (frames.ServerFrame, frames.Address, frames.KeptAt, Match, Why):
        writer.text(kind)
    parts = "\n  | ".join(writer.command(kind) for kind in of_frames())
    sent = " | ".join(writer.text(kind) for kind in get_args(frames.ClientFrame))
    text = "\n".join(
        [
            HEAD,
            *writer.declared.values(),
            f"/** Terms as a command proposes them. */\nexport type Proposable = {writer.proposable()};\n",
            f"/** What a `do` frame asks for. */\nexport type Command = {parts};\n",
            "export type DoFrame = Command & Address;\n",
            f"export type ClientFrame = DoFrame | {sent};\n",
        ]
    )
    deno = [Path(sys.executable).with_name("deno"), "fmt", "--quiet", "--ext", "ts", "-"]
    return subprocess.run(deno, cwd=ROOT, input=text, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    FILE.write_text(written())
