"""Catalogues: complete, compiled, with matching placeholders and tags."""

import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path

import polib
import pytest
from django.conf import settings

from tests import phrases, stale

ROOT = Path(__file__).resolve().parent.parent
LOCALE = ROOT / "clocks" / "locale"
LANGUAGES = [code for code, _ in settings.LANGUAGES if code != "en"]
CATALOGUES = [LOCALE / code / "LC_MESSAGES" / f"{domain}.po" for code in LANGUAGES for domain in ("django", "djangojs")]
ENGLISH = LOCALE / "en" / "LC_MESSAGES" / "django.po"
HOLES = re.compile(r"%\(\w+\)s|\{\w+\}|%%|</?[a-z][^>]*>")


@cache
def entries_of(path: Path) -> list[polib.POEntry]:
    """Messages of a catalogue of the product."""
    return list(polib.pofile(str(path)))


def named(path: Path) -> str:
    """Display name of a catalogue, such as de/django."""
    return f"{path.parent.parent.name}/{path.stem}"


def meanings(path: Path) -> dict[tuple[str | None, str, str], tuple[str, ...]]:
    """Translations in a catalogue (.po or .mo), by context, singular and plural."""
    entries = polib.mofile(path) if path.suffix == ".mo" else entries_of(path)
    return {
        (entry.msgctxt, entry.msgid, entry.msgid_plural): tuple(entry.msgstr_plural.values()) or (entry.msgstr,)
        for entry in entries
        if entry.msgstr or any(entry.msgstr_plural.values())
    }


@pytest.mark.parametrize("path", CATALOGUES, ids=named)
def test_no_message_is_missing_or_in_doubt(path: Path) -> None:
    assert [entry.msgid for entry in entries_of(path) if not entry.translated()] == []


@pytest.mark.parametrize("path", CATALOGUES, ids=named)
def test_no_translation_is_older_than_its_english(path: Path) -> None:
    assert set(stale.pairs(path)) == stale.recorded(path), "run `make messages`, which lists stale translations"


@pytest.fixture
def catalogue(tmp_path: Path) -> polib.POFile:
    """Catalogue of three messages with recorded pairs."""
    catalogue = polib.POFile()
    catalogue.fpath, catalogue.metadata = str(tmp_path / "django.po"), {"Content-Type": "text/plain; charset=UTF-8"}
    for english, german in [("Stop the clock", "Uhr anhalten"), ("Start", "Start"), ("Begin", "Start")]:
        catalogue.append(polib.POEntry(msgid=english, msgstr=german))
    catalogue.save()
    assert stale.check(Path(catalogue.fpath)) == []
    return catalogue


def test_a_reworded_message_needs_a_new_translation(catalogue: polib.POFile) -> None:
    path = Path(catalogue.fpath)
    catalogue[0].msgid = "Stop both clocks"
    catalogue.save()
    wrong = stale.check(path)
    assert wrong == ["English changed, translation did not: Stop both clocks"]
    assert set(stale.pairs(path)) != stale.recorded(path)
    catalogue[0].msgstr = "Beide Uhren anhalten"
    catalogue.save()
    assert stale.check(path) == []
    assert set(stale.pairs(path)) == stale.recorded(path)


@pytest.mark.skipif(shutil.which("msgmerge") is None, reason="needs GNU gettext")
def test_a_fuzzy_message_does_not_become_valid_by_removing_the_flag(catalogue: polib.POFile, tmp_path: Path) -> None:
    path, template = Path(catalogue.fpath), tmp_path / "new.pot"
    new = polib.POFile()
    new.metadata = catalogue.metadata
    new.append(polib.POEntry(msgid="Stop the clocks"))
    new.save(str(template))
    subprocess.run(["msgmerge", "--quiet", "--previous", "--update", path, template], check=True)
    assert stale.check(path) == ["not translated, or fuzzy: Stop the clocks"]
    merged = polib.pofile(str(path))
    assert merged[0].fuzzy
    merged[0].flags.remove("fuzzy")
    merged.save()
    assert stale.check(path) == ["English changed, translation did not: Stop the clocks"]


def test_a_reworded_message_may_keep_its_translation_on_request(catalogue: polib.POFile) -> None:
    catalogue[0].msgid = "Halt the clock"
    catalogue.save()
    assert stale.check(Path(catalogue.fpath), unchanged=True) == []
    assert stale.check(Path(catalogue.fpath)) == []


def test_two_messages_may_have_one_translation(catalogue: polib.POFile) -> None:
    catalogue.append(polib.POEntry(msgid="Go", msgstr="Start"))
    catalogue.save()
    assert stale.check(Path(catalogue.fpath)) == []


@pytest.mark.parametrize("path", CATALOGUES, ids=named)
def test_a_translation_has_the_holes_and_tags_of_its_english(path: Path) -> None:
    wrong = []
    for entry in entries_of(path):
        for form in entry.msgstr_plural.values() or [entry.msgstr]:
            english = [entry.msgid, entry.msgid_plural] if entry.msgid_plural else [entry.msgid]
            fits = any(_fits(text, form) for text in english)
            if form and not fits:
                wrong.append((entry.msgid, form))
    assert wrong == []


HIT = re.compile(r"\bhit(s|ting|ter)?\b", re.IGNORECASE)


@pytest.mark.parametrize("domain", ["django", "djangojs"])
def test_on_pages_nobody_hits_a_clock(domain: str) -> None:
    """In backgammon a hit sends a checker to the bar, so pages call a `hit` a press."""
    pages_say = {entry.msgid: entry.msgstr for entry in entries_of(ENGLISH)}
    texts = [
        text
        for entry in entries_of(LOCALE / "de" / "LC_MESSAGES" / f"{domain}.po")
        for text in (pages_say.get(entry.msgid) or entry.msgid, entry.msgid_plural)
    ]
    assert [text for text in texts if HIT.search(text)] == []


def _fits(english: str, form: str) -> bool:
    holes = Counter(HOLES.findall(english)) == Counter(HOLES.findall(form))
    quoted = [any(sign in text for sign in '"<') for text in (english, form)]
    lines = english.count("\n") == form.count("\n")
    return holes and quoted[0] >= quoted[1] and lines


@pytest.mark.parametrize("path", [*CATALOGUES, ENGLISH], ids=named)
def test_compiled_catalogues_match_their_sources(path: Path) -> None:
    assert meanings(path.with_suffix(".mo")) == meanings(path)


@pytest.mark.parametrize("path", CATALOGUES, ids=named)
def test_no_message_is_a_fragment_of_a_sentence(path: Path) -> None:
    texts = [text for entry in entries_of(path) for text in (entry.msgid, entry.msgstr)]
    assert [text for text in texts if text[:1].isspace() or text[:1] in (",", ";")] == []


@pytest.mark.parametrize("path", CATALOGUES, ids=named)
def test_capitals_are_left_to_the_style_sheet(path: Path) -> None:
    # The draw sheet quotes the rule books, which print this in capitals.
    quoted = {"CLOCKS ON REQUEST", "CLOCKS ALLOWED", "CLOCKS REQUIRED"}
    shouted = [entry.msgid for entry in entries_of(path) if re.search(r"[A-Z]{2,} [A-Z]{2,}|^[A-Z]{5,}$", entry.msgid)]
    assert [text for text in shouted if not any(words in text for words in quoted)] == []


def test_the_english_catalogue_rewords_only_existing_messages() -> None:
    better, code = (meanings(path) for path in (ENGLISH, LOCALE / "de" / "LC_MESSAGES" / "django.po"))
    assert better.keys() <= code.keys()
    assert [english for english, said in better.items() if english[1] in said or not _fits(english[1], said[0])] == []


@pytest.mark.parametrize("domain", ["django", "djangojs"])
def test_all_languages_have_the_same_messages(domain: str) -> None:
    catalogues = [entries_of(path) for path in CATALOGUES if path.stem == domain]
    assert (
        len(
            {
                frozenset((entry.msgctxt, entry.msgid, entry.msgid_plural) for entry in catalogue)
                for catalogue in catalogues
            }
        )
        == 1
    )


@pytest.mark.skipif(shutil.which("xgettext") is None, reason="gathering messages needs GNU gettext")
@pytest.mark.parametrize("domain", ["django", "djangojs"])
def test_every_message_in_the_code_is_in_the_catalogues(domain: str, tmp_path: Path) -> None:
    for part in ("clocks", "config", "static", "templates"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("locale", "__pycache__"))
    shutil.copy(ROOT / "manage.py", tmp_path)
    gathered = tmp_path / "clocks" / "locale"
    gathered.mkdir()
    recipe = re.search(
        r"makemessages --exclude en --domain \$\$domain((?:.|\\\n)*?)\|\|", (ROOT / "Makefile").read_text()
    )
    assert recipe is not None
    options = recipe.group(1).replace("\\\n", " ").replace('"', "").split()
    command = [sys.executable, "manage.py", "makemessages", "--locale", "de", "--domain", domain, *options]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    new = {(entry.msgctxt, entry.msgid) for entry in polib.pofile(gathered / "de" / "LC_MESSAGES" / f"{domain}.po")}
    known = {(entry.msgctxt, entry.msgid) for entry in entries_of(LOCALE / "de" / "LC_MESSAGES" / f"{domain}.po")}
    assert (new - known, known - new) == (set(), set())


@pytest.mark.parametrize("path", phrases.CATALOGUES, ids=named)
def test_a_line_of_japanese_may_end_only_between_phrases(path: Path) -> None:
    unmarked = [
        entry.msgid
        for entry in entries_of(path)
        for form in entry.msgstr_plural.values() or [entry.msgstr]
        if form != phrases.marked(form)
    ]
    assert unmarked == [], "run `make messages`, which marks where a line may end"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("今日は天気です。", ["今日は", "天気です。"]),
        ("%(name)sの時計が動いています", ["%(name)sの", "時計が", "動いています"]),
        ("卓<b>%(table)s</b>の試合は終わりました。", ["卓<b>%(table)s</b>の", "試合は", "終わりました。"]),
        ("%(a)s–%(b)s ms", ["%(a)s–%(b)s ms"]),
    ],
)
def test_phrases_are_found_around_placeholders(text: str, parts: list[str]) -> None:
    assert phrases.marked(phrases.MARK.join(text)).split(phrases.MARK) == parts


@pytest.mark.parametrize("path", CATALOGUES, ids=named)
def test_an_apostrophe_is_written_in_one_way(path: Path) -> None:
    texts = [text for entry in entries_of(path) for text in (entry.msgid, entry.msgid_plural)]
    assert [
        text for text in texts if re.search(r"[a-z)]'|'(s|t|m|re|ll|ve)\b", re.sub(r"<[^>]*>|'[^' ]+'", "", text))
    ] == []


@cache
def glossary(language: str) -> dict[str, str]:
    """Forbidden words of a language, as patterns, with the better words."""
    found: dict[str, str] = tomllib.loads((LOCALE / language / "glossary.toml").read_text())["avoid"]
    return found


def avoided(language: str, text: str) -> list[str]:
    """Words forbidden by a language's glossary in a text, with better ones."""
    avoid = glossary(language)
    plain = re.sub(r"<[^>]*>", "", text.replace(phrases.MARK, ""))
    return [
        f"{found[0]!r} in {text!r}: {better}" for wrong, better in avoid.items() if (found := re.search(wrong, plain))
    ]


@pytest.mark.parametrize("path", CATALOGUES, ids=named)
def test_translations_keep_to_the_glossary_of_their_language(path: Path) -> None:
    forms = [form for entry in entries_of(path) for form in entry.msgstr_plural.values() or [entry.msgstr]]
    assert [line for form in forms for line in avoided(path.parent.parent.name, form)] == []


@pytest.mark.parametrize(
    ("language", "wrong", "right"),
    [
        ("de", "Das Telefon ist stumm.", "Das Handy ist offline."),
        ("de", "Stoppen Sie die Uhr.", "Stopp die Uhr. Sie läuft noch."),
        ("de", "Match auf %(length)s", "Match bis %(length)s"),
        ("de", "Das heißt “Zug”.", "Das heißt „Zug“."),
        ("fr", "Qui joue ?", "Qui joue\u00a0?"),
        ("fr", "Table %(table)s : libre", "Table %(table)s\u00a0: libre, 14:30"),
        ("fr", "« non »", "«\u00a0non\u00a0»"),
        ("fr", "Le temps n’est compté à personne.", "Le temps n’est décompté à personne."),
        ("es", "Este teléfono", "Este móvil"),
        ("es", "Ponga en marcha los relojes.", "Pon en marcha los relojes."),
        ("es", "Se llama “Norte”.", "Se llama «Norte»."),
        ("da", "%(name)s’ plads", "pladsen for %(name)s"),
        ("da", "Det hedder »tur«.", "Det hedder “tur”."),
        ("da", "Stillingen er 3–1.", "Scoren er 3–1. Åbn Indstillinger."),
        ("ja", "このプレーヤー", "このプレイヤー"),
        ("ja", "残り:5分", "残り：5分"),
        ("ja", "終了予想 %(time)s", "終了予想%(time)s"),
    ],
)
def test_the_glossaries_tell_wrong_words_and_signs(language: str, wrong: str, right: str) -> None:
    assert avoided(language, wrong)
    assert avoided(language, right) == []


AMERICAN = re.compile(
    r"\b(colors?|centers?|centered|favorites?|behaviors?|canceled|canceling|labeled"
    r"|(authori|organi|recogni|synchroni|initiali|normali|reali|minimi|apologi)z(e|es|ed|ing|ation))\b"
)


# Exports keep this wording of the first version.
EXPORTED = {"%(name)s stopped both clocks for an authorized break"}


@pytest.mark.parametrize("path", CATALOGUES, ids=named)
def test_the_spelling_is_british(path: Path) -> None:
    texts = {text for entry in entries_of(path) for text in (entry.msgid, entry.msgid_plural)}
    assert [text for text in texts - EXPORTED if AMERICAN.search(text)] == []
