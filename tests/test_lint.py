"""Linters of `make lint` report errors planted in a copy of the sources."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests import strict_scripts

STYLES = Path(__file__).resolve().parent.parent / ".ci" / "styles"
SCRIPT_FAULTS = [  # a script, a line at its end, and the error in it
    ("phone/state.js", "export const late = indexOf('middle');", "TS2345"),
    ("offline/worker.js", "worker.skipWaitingNow();", "TS2551"),
    ("browser/storage.js", "export const parsed = (text) => JSON.parse(text);", "TS7006"),
]
NOT_OF_TOKENS = [  # raw spaces and sizes, in every folder
    ("hall/boards.css", "padding: 0 0.4em"),
    ("hall/page.css", "font-size: 13px"),
    ("hall/page.css", "font-size: var(--type-vast)"),
    ("hall/page.css", "font: 1rem / 1.2 serif"),
    ("hall/page.css", "margin-block: 0.6rem"),
    ("console/grid.css", "column-gap: 9px"),
    ("style/card.css", "inset-block-start: 1rem"),
    ("pages/page.css", "scroll-margin: 1rem"),
    ("pages/lines.css", "--cell-block: 3px"),
    ("pages/cards.css", "font-size: calc(4 * var(--mm))"),
    ("pages/story-paper.css", "--type-small: 7pt"),
    ("overlay/overlay.css", "margin: 1em"),
    ("overlay/overlay.css", "font-size: 2em"),
    ("phone/low.css", "gap: 4px"),
    ("phone/low.css", "font-size: 5cqw"),
]
STYLE_FAULTS = [  # a sheet, a rule at its end, and what is wrong with it
    *(
        (sheet, f".planted-{n} {{ {raw}; }}", f"{raw} is not from style/tokens.css (--type-…, --space-…)")
        for n, (sheet, raw) in enumerate(NOT_OF_TOKENS)
    ),
    (
        "hall/page.css",
        ".planted { text-wrap: pretty; }",
        'Property "text-wrap" is not a 2023 available baseline feature.',
    ),
]
DEFINED_TWICE = [  # the sheet that is read last is told of the other
    ("hall/page.css", ".drawer .planted-in-two-folders { color: red; }", ""),
    ("pages/page.css", ".drawer .planted-in-two-folders { color: red; }", ""),
    ("console/grid.css", ".planted-in-two-sheets { color: red; }", ""),
    ("console/filter.css", ".planted-in-two-sheets { color: red; }", ""),
]
TWICE = (
    r"\.(\S+) is defined in \S+ too: (let one of them have another name|define it once, or below a class of this sheet)"
)
FINE = [
    ("console/rulings.css", ".drawer .chip { color: red; }", ""),
    ("console/rulings.css", "@media print { .chip { color: #000; } }", ""),
]


def plant(folder: Path, faults: list[tuple[str, str, str]]) -> None:
    """Append faulty lines to files of a folder."""
    for name, line, _ in faults:
        with (folder / name).open("a") as file:
            file.write(f"\n{line}\n")


def test_type_errors_in_scripts_are_reported(tmp_path: Path) -> None:
    scripts = tmp_path / "clocks"
    shutil.copytree(strict_scripts.SCRIPTS, scripts)
    plant(scripts, SCRIPT_FAULTS)
    report = strict_scripts.main(scripts)
    found = re.findall(r"^(TS\d+) .*?at file://\S+/clocks/(\S+?):\d+:\d+$", report, re.MULTILINE | re.DOTALL)
    assert sorted(found) == sorted((error, name) for name, _, error in SCRIPT_FAULTS), report


def test_faults_in_style_sheets_are_reported_and_nothing_else(tmp_path: Path) -> None:
    sheets = tmp_path / "static" / "clocks"  # where the linter looks for them
    shutil.copytree(strict_scripts.SCRIPTS, sheets, ignore=shutil.ignore_patterns("*.js", "*.ts", "icons"))
    plant(sheets, STYLE_FAULTS + DEFINED_TWICE + FINE)
    done = subprocess.run(
        [
            *(Path(sys.executable).parent / "deno", "run", "--quiet", "--frozen", "--allow-all"),
            *("--config", STYLES / "deno.json", STYLES / "lint.js"),
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "NO_COLOR": "1"},
        check=False,
    )
    found = re.findall(r"/static/clocks/(\S+?):\d+:\d+: (.*) \(\S+\) \[error\]", done.stderr)
    twice = sorted(re.findall(TWICE, done.stderr))
    assert twice == [
        ("planted-in-two-folders", "let one of them have another name"),
        ("planted-in-two-sheets", "define it once, or below a class of this sheet"),
    ]
    others = sorted((sheet, error) for sheet, error in found if not re.fullmatch(TWICE, error))
    assert others == sorted((sheet, error) for sheet, _, error in STYLE_FAULTS)
    assert done.returncode == 1
