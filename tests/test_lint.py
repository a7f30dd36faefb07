"""Linters of `make lint` report errors planted in a copy of the sources."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import strict_scripts

ROOT = Path(__file__).resolve().parent.parent
STYLES = ROOT / ".ci" / "styles"


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    """A copy of the scripts."""
    copy = tmp_path / "clocks"
    shutil.copytree(strict_scripts.SCRIPTS, copy)
    return copy


@pytest.fixture
def sheets(tmp_path: Path) -> Path:
    """Copy of the style sheets in the folder that the linter expects."""
    copy = tmp_path / "static" / "clocks"
    shutil.copytree(strict_scripts.SCRIPTS, copy, ignore=shutil.ignore_patterns("*.js", "*.ts", "icons"))
    return copy


def append(file: Path, text: str) -> None:
    file.write_text(f"{file.read_text()}\n{text}\n")


@pytest.mark.parametrize(
    ("file", "line", "error"),
    [
        ("phone/state.js", "export const late = indexOf('middle');", "TS2345"),
        ("offline/worker.js", "worker.skipWaitingNow();", "TS2551"),
        ("browser/storage.js", "export const parsed = (text) => JSON.parse(text);", "TS7006"),
    ],
)
def test_a_type_error_in_a_script_is_refused(scripts: Path, file: str, line: str, error: str) -> None:
    append(scripts / file, line)
    assert error in strict_scripts.main(scripts)


def lint_styles(folder: Path) -> str:
    """Output of the style linter for the sheets below `folder`/static."""
    deno = Path(sys.executable).parent / "deno"
    options = ("--quiet", "--frozen", "--allow-all", "--config", STYLES / "deno.json")
    done = subprocess.run(
        [deno, "run", *options, STYLES / "lint.js"],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "NO_COLOR": "1"},
    )
    assert (done.returncode == 0) == (done.stderr == "")
    return done.stderr


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (".half { color: red; }", ".half is defined in "),
        (".late { text-wrap: pretty; }", 'Property "text-wrap" is not a 2023 available baseline feature'),
        (".late { font-size: 13px; }", "font-size: 13px is not from style/tokens.css"),
        (".late { font-size: var(--type-vast); }", "font-size: var(--type-vast) is not from style/tokens.css"),
        (".late { font: 1rem / 1.2 serif; }", "font: 1rem / 1.2 serif is not from style/tokens.css"),
        (".late { margin-block: 0.6rem; }", "margin-block: 0.6rem is not from style/tokens.css"),
    ],
)
def test_a_fault_in_a_style_sheet_is_refused(tmp_path: Path, sheets: Path, line: str, error: str) -> None:
    append(sheets / "hall" / "page.css", line)
    assert error in lint_styles(tmp_path)


@pytest.mark.parametrize(
    "raw",
    [
        {
            "hall/boards.css": "padding: 0 0.4em",
            "console/grid.css": "column-gap: 9px",
            "style/card.css": "inset-block-start: 1rem",
            "pages/page.css": "scroll-margin: 1rem",
            "pages/lines.css": "--cell-block: 3px",
            "overlay/overlay.css": "margin: 1em",
            "phone/low.css": "gap: 4px",
        },
        {
            "phone/low.css": "font-size: 5cqw",
            "pages/cards.css": "font-size: calc(4 * var(--mm))",
            "pages/story-paper.css": "--type-small: 7pt",
            "overlay/overlay.css": "font-size: 2em",
        },
    ],
    ids=["spaces", "sizes"],
)
def test_a_raw_space_or_size_is_refused_in_every_folder(tmp_path: Path, sheets: Path, raw: dict[str, str]) -> None:
    for sheet, value in raw.items():
        append(sheets / sheet, f".late-{sheet.split('/')[0]} {{ {value}; }}")
    report = lint_styles(tmp_path)
    assert [value for value in raw.values() if f"{value} is not from style/tokens.css" not in report] == []


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (
            ".chip { color: red; }",
            ".chip is defined in ",
        ),
        (".drawer .chip { color: red; }", ""),
        ("@media print { .chip { color: #000; } }", ""),
    ],
)
def test_a_class_of_two_sheets_is_refused_unless_below_another(tmp_path: Path, line: str, error: str) -> None:
    sheets = tmp_path / "static" / "clocks" / "console"
    shutil.copytree(strict_scripts.SCRIPTS / "console", sheets, ignore=shutil.ignore_patterns("*.js", "*.ts"))
    append(sheets / "rulings.css", line)
    report = lint_styles(tmp_path)
    assert (error in report) if error else report == ""
