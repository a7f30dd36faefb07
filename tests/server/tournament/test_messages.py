"""Messages to the phones: recipients, duration, validation."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from clocks.host.server_time import now_ms
from clocks.live import catchup
from clocks.models import Message, Table, Tournament
from clocks.tournament import messages
from clocks.tournament.tables import add_table
from tests.server.house import Page, in_loop
from tests.server.tournament.test_hall_wide import in_thread, make

pytestmark = pytest.mark.django_db(transaction=True)


async def look() -> None:
    await in_thread(catchup.look)()


@in_loop
async def test_a_message_reaches_its_phones_and_later_ones(tournament: Tournament, dora: User) -> None:
    one, two = [await in_thread(make)(tournament, name) for name in ("1", "2")]
    pages = [Page.at(one), Page.at(two)]
    for page in pages:
        await page.open()
    tables = [await Table.objects.aget(pk=one.table_id)]
    message = await in_thread(messages.send)(tournament, dora, "Please come to the desk.", tables, 15)
    await look()
    told = await pages[0].hear("message")
    assert told == {
        "t": "message",
        "now": told["now"],
        "id": message.pk,
        "text": "Please come to the desk.",
        "at": message.sent_at,
        "until": message.sent_at + 15 * 60_000,
    }
    assert await pages[1].is_silent()
    late = Page.at(one)
    assert (await late.open())["t"] == "match"
    assert (await late.hear())["id"] == message.pk
    await look()
    assert [await page.is_silent() for page in (pages[0], late)] == [True, True]


@in_loop
async def test_withdrawing_a_message_brings_no_older_one_back(tournament: Tournament, dora: User) -> None:
    match = await in_thread(make)(tournament, "1")
    page = Page.at(match)
    await page.open()
    ids = []
    for text in ("Welcome.", "Lunch at one."):
        message = await in_thread(messages.send)(tournament, dora, text, [], 15)
        await look()
        ids.append((await page.hear("message"))["id"])
    await in_thread(messages.withdraw)(message, dora)
    await look()
    gone = await page.hear("message")
    assert (gone["id"], gone["text"], len(set(ids))) == (0, "", 2)
    events = [entry.event async for entry in tournament.hall_entries.order_by("pk")]
    assert events == ["message_sent", "message_sent", "message_withdrawn"]


@in_loop
async def test_an_expired_message_brings_no_older_one_back(tournament: Tournament, dora: User) -> None:
    match = await in_thread(make)(tournament, "1")
    pages = [Page.at(match), Page("/ws/hall/open/")]
    for page in pages:
        await page.open()
        assert await page.is_silent()  # there is no message yet
    await in_thread(messages.send)(tournament, dora, "Welcome.", [], 240)
    shorter = await in_thread(messages.send)(tournament, dora, "Round 2 begins.", [], 1)
    await look()
    assert [(await page.hear("message"))["text"] for page in pages] == ["Round 2 begins."] * 2
    await Message.objects.filter(pk=shorter.pk).aupdate(until=now_ms())
    await look()
    assert [(await page.hear("message"))["id"] for page in pages] == [0, 0]


@in_loop
async def test_an_expired_message_is_not_sent(tournament: Tournament, dora: User) -> None:
    match = await in_thread(make)(tournament, "1")
    await in_thread(messages.send)(tournament, dora, "Welcome.", [], 0)
    page = Page.at(match)
    await page.open()
    assert await page.is_silent()


@pytest.mark.parametrize(
    ("given", "tables"), [("", []), ("2", ["2"]), ("1-3, Final", ["1", "2", "3", "Final"]), ("final", ["Final"])]
)
def test_a_message_names_its_tables(tournament: Tournament, dora: User, given: str, tables: list[str]) -> None:
    for name in ("1", "2", "3", "Final"):
        add_table(tournament, name)
    client = Client()
    client.force_login(dora)
    client.post("/director/open/hall/message/", {"text": "Hello.", "tables": given, "minutes": "5"})
    message = tournament.phone_messages.get()
    assert [table.name for table in message.tables.order_by("name")] == tables
    assert message.until - message.sent_at == 5 * 60_000


@pytest.mark.parametrize("wrong", [{"text": ""}, {"text": "x" * 201}, {"tables": "99"}, {"minutes": "99999"}])
def test_an_invalid_message_is_not_sent(tournament: Tournament, dora: User, wrong: dict[str, str]) -> None:
    client = Client()
    client.force_login(dora)
    given = {"text": "Hello.", "tables": "", "minutes": "5"}
    answer = client.post("/director/open/hall/message/", given | wrong)
    assert (answer.status_code, list(answer.context["message_form"].errors)) == (400, list(wrong))
    assert tournament.phone_messages.count() == 0


def test_a_message_ends_at_its_time(tournament: Tournament, dora: User) -> None:
    sent = messages.send(tournament, dora, "Welcome.", [], 5)
    found = [messages.message_to_all(tournament.pk, at) for at in (sent.until - 1, sent.until)]
    assert found == [sent, None]
