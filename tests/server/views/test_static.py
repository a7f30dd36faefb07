"""Minified scripts and style sheets behave like their sources."""

import re
from pathlib import Path

import pytest
from django.core.management import call_command
from pytest_django import Settings
from rcssmin import cssmin
from rjsmin import jsmin

from clocks.templatetags.modules import IMPORT, LATER
from config.storage import HashedStatic
from tests import prepared

ROOT = Path("static/clocks")
SCRIPTS = sorted(ROOT.rglob("*.js"))
SHEETS = sorted(ROOT.rglob("*.css"))
HASHED = re.compile(r"[\w-]+\.[0-9a-f]{12}\.js")
STRING = re.compile(r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`""")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def named(file: Path) -> str:
    """Relative path of a file, as its test id."""
    return str(file.relative_to(ROOT))


def without_comments(script: str) -> str:
    """Remove the comments from a script, but keep its string literals."""
    parts = re.compile(rf"({STRING.pattern})|/\*.*?\*/|//[^\n]*", re.DOTALL)
    return parts.sub(lambda found: found[1] or " ", script)


@pytest.mark.parametrize("file", SCRIPTS, ids=named)
def test_minifying_keeps_all_string_literals(file: Path) -> None:
    script = without_comments(file.read_text())
    assert STRING.findall(jsmin(file.read_text())) == STRING.findall(script)


@pytest.mark.parametrize("file", SCRIPTS, ids=named)
def test_no_template_literal_is_nested_in_another(file: Path) -> None:
    script = without_comments(file.read_text())
    assert [text for text in STRING.findall(script) if text[0] == "`" and text.count("{") != text.count("}")] == []


@pytest.mark.parametrize("file", SCRIPTS, ids=named)
def test_every_import_of_a_minified_script_gets_its_hashed_name(file: Path) -> None:
    patterns = [pattern for extension, found in HashedStatic()._patterns.items() for pattern, _ in found]
    small = jsmin(file.read_text())
    seen = {match["url"] for pattern in patterns for match in pattern.finditer(small) if "import" in match[0]}
    assert seen == {*IMPORT.findall(file.read_text()), *LATER.findall(file.read_text())}


def test_no_collected_script_loads_a_module_by_an_unhashed_name(tmp_path: Path) -> None:
    prepared.static_files(tmp_path)
    scripts = [file for file in (tmp_path / "static" / "clocks").rglob("*.js") if HASHED.fullmatch(file.name)]
    loaded = {
        (file.name, path)
        for file in scripts
        for path in re.findall(r"""(?:\bfrom|\bimport\(?)\s*["'](\.[^"']+)["']""", file.read_text())
    }
    assert len(loaded) > len(scripts) > 100
    assert [each for each in loaded if not HASHED.fullmatch(Path(each[1]).name)] == []


@pytest.mark.parametrize("file", SHEETS, ids=named)
def test_a_small_style_sheet_has_every_rule_and_declaration(file: Path) -> None:
    def essence(sheet: str) -> str:
        return re.sub(r"[\s;]", "", COMMENT.sub("", sheet))

    assert essence(cssmin(file.read_text())) == essence(file.read_text())


@pytest.mark.parametrize("file", SHEETS, ids=named)
def test_no_pseudo_class_follows_a_space_that_minifying_would_remove(file: Path) -> None:
    assert re.findall(r"[\w\])&*] :(?:is|not|where|has)\([^{;]*", COMMENT.sub("", file.read_text())) == []


def test_a_sheet_is_rebuilt_if_only_one_of_its_imports_changed(tmp_path: Path, settings: Settings) -> None:
    source = tmp_path / "source" / "clocks"
    source.mkdir(parents=True)
    settings.STATICFILES_DIRS, settings.STATIC_ROOT = [source.parent], tmp_path / "collected"
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STORAGES = settings.STORAGES | {"staticfiles": {"BACKEND": "config.storage.HashedStatic"}}
    (source / "style.css").write_text('@import "part.css";')
    found = []
    for colour in ("red", "blue"):
        (source / "part.css").write_text(f"p {{ color: {colour}; }}")
        call_command("collectstatic", interactive=False, verbosity=0)
        found.append((tmp_path / "collected" / HashedStatic().stored_name("clocks/style.css")).read_text())
    assert found == ["p{color:red}", "p{color:blue}"]


WORDED = re.compile(r"""([\w-]+)=["']\{% (?:translate|blocktranslate) """)  # a translated attribute in a template
SET = re.compile(r"""["']?(data-[\w-]+|class)["']?[:,]\s*(?:gettext|pgettext|ngettext)\(""")


def test_no_style_depends_on_a_translated_word() -> None:
    templates = [path.read_text() for path in Path("templates").rglob("*.html")]
    words = {name for text in templates for name in WORDED.findall(text)} | {
        "title",
        "aria-label",
        "alt",
        "placeholder",
    }
    chosen = {name for file in SHEETS for name in re.findall(r"\[([\w-]+)[~|^$*]?=", file.read_text())}
    scripted = {name for file in SCRIPTS for name in SET.findall(without_comments(file.read_text()))}
    assert (words & chosen, scripted, "class" in words) == (set(), set(), False)
