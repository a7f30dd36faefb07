"""Minified scripts and style sheets behave like their sources."""

import json
import re
from io import StringIO
from pathlib import Path
from unittest.mock import Mock

import pytest
from django.core.management import call_command
from pytest_django import Settings
from rcssmin import cssmin
from rjsmin import jsmin

from clocks.templatetags.modules import IMPORT, LATER, imported, imported_later, module
from config.storage import HashedStatic
from tests import prepared

ROOT = Path("static/clocks")
SCRIPTS = sorted(ROOT.rglob("*.js"))
SHEETS = sorted(ROOT.rglob("*.css"))
HASHED = re.compile(r"[\w-]+\.[0-9a-f]{6}\.js")
STRING = re.compile(r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`""")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def named(file: Path) -> str:
    """Relative path of a file, used as test id."""
    return str(file.relative_to(ROOT))


def without_comments(script: str) -> str:
    """Remove a script's comments, but keep its string literals."""
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


@pytest.fixture
def source(tmp_path: Path, settings: Settings) -> Path:
    """Folder with the only static files, collected in `tmp_path / "collected"`."""
    source = tmp_path / "source" / "clocks"
    source.mkdir(parents=True)
    settings.STATICFILES_DIRS, settings.STATIC_ROOT = [source.parent], tmp_path / "collected"
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STORAGES = settings.STORAGES | {"staticfiles": {"BACKEND": "config.storage.HashedStatic"}}
    return source


def test_a_sheet_is_rebuilt_if_only_one_of_its_imports_changed(source: Path, tmp_path: Path) -> None:
    (source / "style.css").write_text('@import "part.css";')
    found = []
    for colour in ("red", "blue"):
        (source / "part.css").write_text(f"p {{ color: {colour}; }}")
        call_command("collectstatic", interactive=False, verbosity=0)
        found.append((tmp_path / "collected" / HashedStatic().stored_name("clocks/style.css")).read_text())
    assert found == ["p{color:red}", "p{color:blue}"]


def test_nothing_is_done_again_while_no_source_has_changed(source: Path) -> None:
    done = []
    for colour in ("red", "red", "blue"):
        (source / "style.css").write_text(f"p {{ color: {colour}; }}")
        printed = StringIO()
        call_command("collectstatic", interactive=False, stdout=printed)
        done.append(int(re.findall(r", (\d+) post-processed|$", printed.getvalue())[0] or 0))
    assert done == [1, 0, 1]


def test_a_collection_cut_short_is_made_again(source: Path, tmp_path: Path) -> None:
    (source / "style.css").write_text("p { color: red; }" * 100)
    with pytest.MonkeyPatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(HashedStatic, "compress_files", Mock(side_effect=KeyboardInterrupt))
        call_command("collectstatic", interactive=False, verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    name = HashedStatic().stored_name("clocks/style.css")
    found = sorted(path.name for path in (tmp_path / "collected/clocks").iterdir())
    assert found == sorted(["style.css", *(Path(name).name + suffix for suffix in ("", ".br", ".gz"))])


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


LOADED = re.compile(r"""\bload(?:ed)?\(\s*'([^']+)',\s*\(\) => import\('([^']+)'\)""")


def test_later_imports_are_named_by_their_files() -> None:
    calls = [(file, *found) for file in SCRIPTS for found in LOADED.findall(file.read_text())]
    wrong = [call for call in calls if (ROOT / call[1]).resolve() != (call[0].parent / call[2]).resolve()]
    lazy = {named(file) for file in SCRIPTS if LATER.search(file.read_text())}
    assert (wrong, lazy - {named(file) for file, *_ in calls}) == (
        [],
        {"offline/page.js"},
    )  # it is in the worker's cache


def test_a_page_lists_the_files_of_what_it_imports_later() -> None:
    tag = module("phone/watch-page.js")
    found = re.search(r'<script type="application/json" data-later>(.*)</script>', tag)
    assert found
    assert json.loads(found[1]) == {
        "phone/leaving.js": ["/static/clocks/phone/leaving.js"],
        "phone/message.js": ["/static/clocks/phone/message.js"],
        "phone/seat-request.js": ["/static/clocks/phone/seat-request.js"],
        "phone/start-time.js": ["/static/clocks/phone/start-time.js"],
    }


def test_the_list_leaves_out_what_the_page_loads_at_once() -> None:
    lists = imported_later("clocks/phone/page.js")
    assert set(imported("clocks/phone/page.js")) & {file for files in lists.values() for file in files} == set()
    assert {"clocks/phone/equipment.js", "clocks/phone/menus.js"} <= set(lists["clocks/phone/equipment.js"])
