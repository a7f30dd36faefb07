"""The figures as text, with their limits and explanations."""

from collections.abc import Mapping
from typing import Any

# Formats of supporting figures, printed below the limits.
BESIDE = {
    "per_second": "{:,} hits/s",
    "relay": "the relay {:,}",
    "boards": "{:,} boards",
    "hits": "{:,} hits",
    "p50_ms": "p50 {} ms",
    "max_ms": "worst {} ms",
    "quiet_p99_ms": "without p99 {} ms",
    "p99_of_steps": "p99 of each step {}",
    "steps_s": "seconds {}",
    "slowest": "the longest, in ms: {}",
    "stopped_s": "stopped after {} s",
    "listens_s": "listens after {} s",
    "listens_cpu_s": "{} s of processor time until then",
    "all_back_cpu_s": "{} s until all are back",
    "us_here": "a hit {} µs where it happens",
    "us_elsewhere": "{} µs at the other process",
    "sockets": "{:,} sockets",
    "messages_a_hit": "{} messages between processes for each hit",
    "control_pings_in_10_s": "{} of them control pings",
    "quiet_server_cpu": "server without {:.1%}",
    "server_cpu": "server {:.0%}",
    "load_cpu": "load {:.0%}",
    "server_mb": "{} MB",
    "matches": "{:,} matches",
    "cpu_s": "{} s of processor time",
}


def head(machine: Mapping[str, Any]) -> str:
    """Machine and versions, as text."""
    return (
        f"{machine['processor']}, Python {machine['python']}, Daphne {machine['daphne']}, "
        f"4 KiB to the disk {machine['flush_ms']} ms, load average {machine['load_average']}\n"
        f"server on core {machine['cores'][0]}, load on core {machine['cores'][1]}\n"
    )


def lines(words: str, figures: Mapping[str, Any]) -> str:
    """Text of a row: a line per limit, or the p99 if it has none; supporting figures."""
    if "left_out" in figures:
        return f"{words}\n    not measured: {figures['left_out']}"
    explained = ", ".join(text.format(figures[name]) for name, text in BESIDE.items() if name in figures)
    told = [_limit(limit, figures) for limit in figures["limits"]] or [f"    p99 {figures['p99_ms']} ms"]
    return "\n".join([words, *told, f"        {explained}"])


def _limit(limit: Mapping[str, Any], figures: Mapping[str, Any]) -> str:
    name = limit["figure"].replace("_", " ")
    bound = f"at {'least' if limit['at_least'] else 'most'} {limit['bound']:g} {limit['unit']}".rstrip()
    return f"    {name:<16}{figures[limit['figure']]:>9} {bound:<32}{'holds' if limit['holds'] else 'MISSED'}"
