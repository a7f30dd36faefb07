"""Every page has a next step; no phone page except the rules repeats a sentence."""

import html
import re
from collections import Counter

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from clocks.engine.books.published import RULESETS
from clocks.models import Entrant, Match, Player, Tournament
from clocks.tournament import entering
from tests.server.hall import begin, drawn, summer_open, win
from tests.server.house import running_match
from tests.server.who_may import PAGES, client_of, make_house

pytestmark = pytest.mark.django_db(transaction=True)

UNSEEN = re.compile(r"<(script|noscript|svg|datalist)\b.*?</\1>", re.DOTALL)
NAMES = re.compile(r"<(nav|button)\b.*?</\1>", re.DOTALL)  # these repeat titles of the pages that they lead to
BLOCK = re.compile(r"</?(?:p|h[1-6]|li|d[dt]|t[dh]|summary|legend|label|small|button|a|div|option|span)\b[^>]*>")
SENTENCE = 4  # minimum words; shorter texts are names and labels
STEP = re.compile(r'<a\b[^>]*\bhref="(?!#)|<button\b')


def main_of(answer: HttpResponse) -> str:
    """HTML of a page's <main>; empty for files and redirects."""
    if not answer.headers["Content-Type"].startswith("text/html"):
        return ""
    return UNSEEN.sub("", answer.content.decode().partition("<main")[2].partition("</main>")[0])


def said_twice(main: str) -> list[str]:
    """Sentences that occur more than once on a page."""
    blocks = BLOCK.split(NAMES.sub("", main))
    texts = (" ".join(html.unescape(re.sub("<[^>]+>", " ", block)).split()) for block in blocks)
    return [text for text, times in Counter(texts).items() if times > 1 and len(text.split()) >= SENTENCE]


def without_a_step(*looks: tuple[str, Client, str]) -> list[str]:
    """Names of pages without any link or button."""
    mains = [(name, main_of(client.get(path, follow=True))) for name, client, path in looks]
    return [name for name, main in mains if main and not STEP.search(main)]


def faults(*looks: tuple[str, Client, str]) -> dict[str, list[str]]:
    """Pages without a next step or with repeated sentences, by name."""
    found = {name: said_twice(main_of(client.get(path, follow=True))) for name, client, path in looks}
    repeating = {name: sentences for name, sentences in found.items() if sentences}
    return repeating | {name: ["leads nowhere"] for name in without_a_step(*looks)}


def sat(match: Match, seat: str) -> Client:
    """Phone that has claimed this seat."""
    phone = Client()
    assert phone.post(f"/t/{match.table.code}/seat/", {"seat": seat}).status_code == 302
    return phone


def test_every_page_of_the_house_leads_on_and_says_nothing_twice() -> None:
    anybody = Client()
    paths = ["/", "/?code=XXXXXX", "/practice/", "/offline/", "/nowhere", "/t/XXXXXX/", "/director/"]
    assert faults(*((path, anybody, path) for path in paths)) == {}
    rules = ["/rules/", *(f"/rules/{key}/" for key in RULESETS)]  # these repeat sentences to compare rule books
    assert without_a_step(*((path, anybody, path) for path in rules)) == []


def test_every_page_of_a_casual_match_leads_on_and_says_nothing_twice() -> None:
    match = running_match()
    table = f"/t/{match.table.code}/"
    phone, stranger, third = sat(match, "left"), Client(), Client()
    third.post(f"{table}seat/", {"seat": "left"})
    record = f"{table}record/{match.pk}/"
    assert main_of(phone.get(record))
    running = faults(
        ("home", phone, "/"),
        ("own table", phone, table),
        ("table", stranger, table),
        ("asking", third, f"{table}asking/"),
        ("record", phone, record),
    )
    win(match, points=7)
    over = faults(
        ("home, over", phone, "/"),
        ("own table, over", phone, table),
        ("table, over", stranger, table),
        ("record, over", phone, record),
    )
    assert running | over == {}


def test_a_record_with_a_story_says_result_and_times_once() -> None:
    match = running_match()
    phone, record = sat(match, "left"), f"/t/{match.table.code}/record/{match.pk}/"

    def head() -> str:
        return main_of(phone.get(record)).partition("<details")[0]

    facts = (
        'class="about"',
        'class="figures"',
        "0–0</b>",
        "7–0</b>",
        "Ann won</",
        "Ann beat Bob 7–0.",
        "At the end Ann",
    )
    assert [fact for fact in facts if fact in head()] == list(facts[:3])
    win(match, points=7)
    assert [fact for fact in facts if fact in head()] == [facts[0], *facts[5:]]


def test_every_table_of_a_tournament_leads_on_and_says_nothing_twice() -> None:
    first, second = (pairing.match for pairing in drawn(summer_open(), "1,Ann,Bob", "2,Chi,Dov"))
    assert first and second
    win(first)
    begin(second)
    looks = []
    for match in (first, second):
        table = f"/t/{match.table.code}/"
        looks += [(f"own {table}", sat(match, "left"), table), (table, Client(), table)]
    assert faults(*looks) == {}


def test_every_public_page_leads_on_and_says_nothing_twice() -> None:
    first, second = (pairing.match for pairing in drawn(summer_open(), "1,Ann,Bob", "2,Chi,Dov"))
    assert first and second
    Tournament.objects.update(public=True)
    win(first)
    begin(second)
    public = [f"/e/open/{page}" for page in ("", "standings/", "results/", "me/")]
    player = Client()
    player.post("/e/open/me/", {"name": "Bob"})
    found = {path: said_twice(main_of(Client().get(path))) for path in public}
    found["me, chosen"] = said_twice(main_of(player.get("/e/open/me/")))
    assert {path: repeated for path, repeated in found.items() if repeated} == {}


@pytest.mark.parametrize(
    ("public", "way"), [(True, 'href="/e/open/me/"'), (False, 'href="/"')], ids=["public", "not public"]
)
def test_a_player_who_has_entered_is_led_on(public: bool, way: str) -> None:
    round_ = summer_open()
    Tournament.objects.update(entry_open=True, public=public)
    path = reverse("enter", args=["open", entering.code(round_.tournament)])
    phone = Client()
    assert STEP.search(main_of(phone.get(path)))
    waits = main_of(phone.post(path, {"name": "Zoe Berg"}, follow=True))
    Entrant.objects.all().delete()
    Player.objects.create(tournament=round_.tournament, name="Zoe Berg")
    admitted = main_of(phone.get(path))
    assert "Zoe Berg is in the list of players." in admitted
    assert [(way in shown, said_twice(shown)) for shown in (waits, admitted)] == [(True, [])] * 2


def test_every_page_of_a_director_leads_on() -> None:
    house = make_house()
    director = client_of("superuser")
    looks = []
    for page in PAGES:
        if page.method == "get":
            given = {"form" if name == "transcript" else name: house.of[name] for name in page.of}
            looks.append((page.name, director, reverse(page.name, kwargs={"slug": "open", **given})))
    assert without_a_step(*looks) == []
