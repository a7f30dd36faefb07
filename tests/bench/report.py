"""The figures as a page for people."""

from typing import Any


def table(figures: dict[str, Any]) -> str:
    """Return the figures as lines of text."""
    machine = figures["machine"]
    lines = [
        f"{machine['processor']}, Python {machine['python']}, Daphne {machine['daphne']}, "
        f"4 KiB to the disk {machine['flush_ms']} ms",
        f"server on core {machine['cores'][0]}, load on core {machine['cores'][1]}",
        "",
        "Closed loop                     hits/s   of relay   server CPU   load CPU",
    ]
    for name, hits in figures["durable_hits"].items():
        lines += [
            _row("bare relay", hits["relay"], 1, hits["relay_cpu"], hits["relay_load_cpu"]),
            _row(
                f"{name}, {hits['boards']} boards",
                hits["per_second"],
                hits["ratio"],
                hits["server_cpu"],
                hits["load_cpu"],
            ),
        ]
    if late := figures["latency"]:
        lines += [
            "",
            f"Hit to the other phone, {late['boards']} boards, a hit each {late['every_s']:g} s: {late['hits']} hits",
            f"  p50 {late['p50_ms']} ms   p99 {late['p99_ms']} ms   worst {late['max_ms']} ms",
            f"  server CPU {late['server_cpu']:.0%}   load CPU {late['load_cpu']:.0%}   server {late['server_mb']} MB",
        ]
    return "\n".join(lines)


def _row(name: str, per_second: float, ratio: float, server_cpu: float, load_cpu: float) -> str:
    return f"  {name:<28} {per_second:>7,}   {ratio:>8.2f}   {server_cpu:>10.0%}   {load_cpu:>8.0%}"
