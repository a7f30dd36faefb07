"""Language set by the browser or by choice; records stay in English."""

import re
from functools import cache
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.test import Client
from django.utils.translation import override
from pytest_django.asserts import assertInHTML

from clocks.engine.refusals import REFUSALS
from clocks.engine.words import Words
from clocks.templatetags.modules import imported
from clocks.tournament import casual_limit
from clocks.views.script_catalogue import FIRST_MODULES
from clocks.wording.language import preferred, said, said_in, unmarked

pytestmark = pytest.mark.django_db

LOCALE = Path(settings.BASE_DIR) / "clocks" / "locale"
LANGUAGES = [code for code, _ in settings.LANGUAGES]


@cache
def catalogue(language: str) -> dict[str, str]:
    """Translations of the messages of pages."""
    return {entry.msgid: entry.msgstr for entry in polib.pofile(LOCALE / language / "LC_MESSAGES" / "django.po")}


def written(language: str, english: str) -> str:
    """Translation of a message, or the message itself if there is none."""
    return catalogue(language)[english] or english


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_is_in_the_browsers_language(client: Client, language: str) -> None:
    page = client.get("/", headers={"accept-language": f"{language}-XX,en;q=0.5"})
    words = "Two phones, one clock" if language == "en" else written(language, "Two phones, one clock")
    assert f'<html lang="{language}" dir="ltr">' in page.content.decode()
    assert f"<h1>{words}</h1>" in page.content.decode()
    assert "Accept-Language" in page.headers["Vary"]


def test_an_unknown_language_falls_back_to_the_next_and_then_to_english(client: Client) -> None:
    french = client.get("/", headers={"accept-language": "tlh,fr;q=0.5"})
    english = client.get("/", headers={"accept-language": "tlh"})
    assert [re.findall('<html lang="(..)"', page.content.decode()) for page in (french, english)] == [["fr"], ["en"]]


def test_a_chosen_language_stays_and_returns_to_the_page(client: Client) -> None:
    chosen = client.post("/language/", {"language": "da", "next": "/rules/"})
    assert (chosen.status_code, chosen.headers["Location"]) == (302, "/rules/")
    assert client.cookies["language"].value == "da"
    page = client.get("/rules/", headers={"accept-language": "fr"}).content.decode()
    assert '<html lang="da"' in page
    assertInHTML('<button name="language" value="da" lang="da" aria-current="true">Dansk</button>', page)
    assertInHTML('<button name="language" value="en" lang="en">English</button>', page)


@pytest.mark.parametrize(
    ("cookies", "accepted", "language"),
    [
        ({}, "", "en"),
        ({}, "ja-JP,ja;q=0.9,en;q=0.8", "ja"),
        ({"language": "de"}, "ja", "de"),
        ({"language": "xx"}, "es-MX", "es"),
        ({}, "*", "en"),
    ],
)
def test_a_socket_uses_the_language_of_its_page(cookies: dict[str, str], accepted: str, language: str) -> None:
    assert preferred(cookies, accepted) == language


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_refusal_is_translated(language: str) -> None:
    told = {code: said_in(language, words) for code, words in REFUSALS.items()}
    assert told == {code: written(language, words) for code, words in REFUSALS.items()}


def test_translated_refusals_contain_the_names() -> None:
    words = Words("%(name)s’s clock is running.", name="Ann & 50 % Bob")
    assert words == "Ann & 50 % Bob’s clock is running."
    template = written("de", "%(name)s’s clock is running.")
    assert said_in("de", words) == template % {"name": "Ann & 50 % Bob"}
    with override("en"):
        assert said(words) == words


@pytest.mark.parametrize(
    ("language", "one", "two"),
    [
        ("en", "1 match has been started here ", "2 matches have been started here "),
        ("da", "Der er startet 1 kamp her ", "Der er startet 2 kampe her "),
        ("de", "Hier wurde in einer Stunde 1 Match ", "Hier wurden in einer Stunde 2 Matches "),
        ("es", "Aquí se ha empezado 1 match ", "Aquí se han empezado 2 matches "),
        ("fr", "1 match a été lancé ici ", "2 matchs ont été lancés ici "),
        ("ja", "ここでは1時間に1件のマッチが", "ここでは1時間に2件のマッチが"),
    ],
)
def test_a_refusal_has_the_plural_form_of_its_number(language: str, one: str, two: str) -> None:
    for number, begins in ((1, one), (2, two)):
        words = casual_limit._words("all", number)
        assert unmarked(said_in(language, words)).startswith(begins)


def test_zero_is_singular_in_french_only() -> None:
    words = casual_limit._words("all", 0)
    assert said_in("fr", words).startswith("0 match a été lancé ici ")
    assert said_in("en", words).startswith("0 matches have been started here ") and words.startswith("0 matches ")


@pytest.mark.parametrize("language", LANGUAGES[1:])
@pytest.mark.parametrize("part", ["phone", "all"])
def test_script_catalogues_are_cached_for_a_year(client: Client, language: str, part: str) -> None:
    answer = client.get(f"/words/{part}/{language}/1.js", headers={"accept-encoding": "gzip"})
    assert answer.headers["Cache-Control"] == "max-age=31536000, immutable"
    assert answer.headers["Content-Encoding"] == "gzip"
    assert answer.headers["Content-Type"].startswith("text/javascript")


def test_the_phone_catalogue_has_the_words_of_all_modules_of_its_pages() -> None:
    folder = Path(settings.BASE_DIR) / "templates"
    texts = {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*.html")}
    loads = {name for name, text in texts.items() if 'words.html" with part="phone"' in text}
    loads |= {name for name, text in texts.items() if any(f'{{% extends "{base}" %}}' in text for base in loads)}
    run = {path for name in loads for path in re.findall(r'{% module "([^"]+)" %}', texts[name])}
    silent = {path for path in run if "i18n.js" not in " ".join(imported(f"clocks/{path}", later=True))}
    assert run - silent - set(FIRST_MODULES["phone"]) == set()


def test_scripts_get_a_word_with_several_meanings_by_its_context(client: Client) -> None:
    catalogue = client.get("/words/all/de/1.js").content.decode()
    assert '"alert\\u0004Dismiss": "Ausblenden"' in catalogue
    assert '"proposal\\u0004Dismiss": "Abweisen"' in catalogue


@pytest.mark.parametrize("path", ["/words/phone/xx/1.js", "/words/none/de/1.js"])
def test_an_unknown_catalogue_is_404(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_an_english_page_loads_no_catalogue(client: Client) -> None:
    assert "/words/" not in client.get("/rules/").content.decode()
