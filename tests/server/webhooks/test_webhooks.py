"""Webhooks: signed, retried for a day, off the path of a hit."""

import http.server
import json
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from standardwebhooks.webhooks import Webhook as Verifier

from clocks.feed.recorder import recorder
from clocks.host.server_time import now_ms
from clocks.models import Delivery, HallEntry, Membership, Tournament, Webhook
from clocks.tournament import messages
from clocks.webhooks import delivery, registry, sending
from clocks.webhooks.delivery import PAUSES_S
from tests.server import hall
from tests.server.programs import owner_of

pytestmark = pytest.mark.django_db(transaction=True)


class Receiver:
    """A program that is told what happens; `answer` says how it answers."""

    def __init__(self) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.status, self.headers, self.hang = 204, {}, threading.Event()
        self.hang.set()
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                receiver.got.append(({name.lower(): value for name, value in self.headers.items()}, body))
                receiver.hang.wait(20)
                self.send_response(receiver.status)
                for name, value in receiver.headers.items():
                    self.send_header(name, value)
                self.end_headers()

            def log_message(self, *args: Any) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/clock"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()
    yield made
    made.hang.set()
    made.server.shutdown()
    made.server.server_close()


@pytest.fixture
def tournament() -> Tournament:
    recorder.forget()
    tournament = hall.summer_open().tournament
    recorder.record()
    return tournament


@pytest.fixture
def hook(tournament: Tournament, receiver: Receiver) -> Webhook:
    return registry.make(tournament, owner_of(tournament), receiver.url, True)


def statements(context: CaptureQueriesContext) -> list[str]:
    """Return what the database was asked to do, a word each."""
    return [query["sql"].split()[0] for query in context.captured_queries]


def say(tournament: Tournament, text: str = "Lunch at one.") -> None:
    messages.send(tournament, owner_of(tournament), text, [], 5)
    recorder.record()
    delivery.DeliveryThread().store(now_ms())


def try_due(at: int | None = None) -> Delivery:
    """Try what is due once, as the delivery threads do, and return it as it is then."""
    sender = delivery.DeliveryThread()
    ((message,),) = sender.due(now_ms() if at is None else at)
    sender.send([message])
    sender.store(now_ms())
    message.delivery.refresh_from_db()
    return message.delivery


def test_each_event_has_a_signature_that_the_standard_library_verifies(
    tournament: Tournament, hook: Webhook, receiver: Receiver
) -> None:
    say(tournament)
    assert try_due().state == "delivered"
    (headers, body), *others = receiver.got
    told = Verifier(hook.secret).verify(body, headers)
    assert others == [] and (told["type"], told["data"]["text"]) == ("message", "Lunch at one.")
    hook.refresh_from_db()
    assert (hook.last_answer, hook.upto) == ("204", 1)
    assert not delivery.DeliveryThread().due(now_ms())


def test_an_address_is_told_nothing_more_once_whoever_added_it_is_no_owner(
    tournament: Tournament, hook: Webhook, receiver: Receiver
) -> None:
    otto = User.objects.create_user("otto")
    membership = Membership.objects.filter(tournament=tournament, user=otto)
    Membership.objects.create(tournament=tournament, user=otto, role="director")
    Webhook.objects.update(made_by=otto)
    say(tournament)
    waiting = try_due()
    hook.refresh_from_db()
    assert (waiting.state, receiver.got) == ("waiting", [])
    assert hook.last_answer == "whoever added it is no owner any more: an owner has to add it again"
    membership.update(role="owner")
    assert (try_due(waiting.next_at).state, len(receiver.got)) == ("delivered", 1)


@pytest.mark.parametrize(
    ("status", "headers", "words"),
    [(500, {}, "500"), (404, {}, "404"), (302, {"Location": "http://127.0.0.1:1/"}, "302: it leads elsewhere")],
)
def test_a_failed_delivery_is_retried_with_the_same_id_and_growing_pauses(
    tournament: Tournament, hook: Webhook, receiver: Receiver, status: int, headers: dict[str, str], words: str
) -> None:
    receiver.status, receiver.headers = status, headers
    say(tournament)
    pauses = []
    at = now_ms()
    for _ in range(4):
        delivery = try_due(at)
        pauses.append(round((delivery.next_at - now_ms()) / 1000))
        assert delivery.state == "waiting"
        at = delivery.next_at
    assert pauses == list(PAUSES_S[:4])
    assert len(receiver.got) == 4 and len({headers["webhook-id"] for headers, _ in receiver.got}) == 1
    assert Webhook.objects.get().last_answer.startswith(words)


def test_queued_deliveries_are_sent_in_order_until_one_fails(
    tournament: Tournament, hook: Webhook, receiver: Receiver
) -> None:
    for number in range(3):
        say(tournament, f"Message {number}")
    sender = delivery.DeliveryThread()
    (round_,) = sender.due(now_ms())
    sender.send(round_)
    sender.store(now_ms())
    assert [json.loads(body)["data"]["text"] for _, body in receiver.got] == ["Message 0", "Message 1", "Message 2"]
    assert set(Delivery.objects.values_list("state", "tries")) == {("delivered", 1)}
    receiver.status = 500
    for number in range(3, 5):
        say(tournament, f"Message {number}")
    (round_,) = sender.due(now_ms())
    sender.send(round_)
    sender.store(now_ms())
    tries = list(Delivery.objects.order_by("pk").values_list("tries", flat=True))
    assert (len(receiver.got), tries) == (4, [1, 1, 1, 1, 0])
    assert sender.due(now_ms()) == [], "an address that failed rests for a second"


def test_many_deliveries_are_stored_with_few_statements(
    tournament: Tournament, hook: Webhook, receiver: Receiver
) -> None:
    """While SQLite stores something here, the desk waits; so nothing of it is done row by row."""
    for _ in range(3):
        registry.make(tournament, owner_of(tournament), receiver.url, True)
    for number in range(10):
        messages.send(tournament, owner_of(tournament), f"Message {number}", [], 5)
    recorder.record()
    sender = delivery.DeliveryThread()
    with CaptureQueriesContext(connection) as kept:
        sender.store(now_ms())
    assert Delivery.objects.count() == 10 * 4
    rounds = sender.due(now_ms())
    assert [len(round_) for round_ in rounds] == [10] * 4
    receiver.status = 500
    with CaptureQueriesContext(connection) as sent:
        for round_ in rounds:
            sender.send(round_)
    with CaptureQueriesContext(connection) as settled:
        sender.store(now_ms())
    assert statements(kept) == ["SELECT", "SELECT", "BEGIN", "INSERT", "UPDATE", "COMMIT"]
    assert statements(sent) == [] and len(receiver.got) == 4
    assert statements(settled).count("UPDATE") <= 4 * 3  # for an address: what was tried, the rest, its answer
    assert set(Delivery.objects.values_list("state", "tries")) == {("waiting", 1), ("waiting", 0)}
    sender._failed_at = dict.fromkeys(sender._failed_at, 0.0)
    assert [len(round_) for round_ in sender.due(now_ms())] == [1, 1], "to an address that fails one at a time"


def test_addresses_that_fail_leave_places_to_the_others_and_take_turns(
    tournament: Tournament, receiver: Receiver
) -> None:
    owner = owner_of(tournament)
    hooks = [registry.make(tournament, owner, receiver.url, True) for _ in range(delivery.PLACES + 1)]
    say(tournament)
    sender = delivery.DeliveryThread()
    sender._failed_at = {hook.pk: -float(number) for number, hook in enumerate(hooks[:-1])}
    chosen = [round_[0].webhook.pk for round_ in sender.due(now_ms())]
    assert chosen == [hooks[-1].pk, hooks[-2].pk, hooks[-3].pk] and delivery.FAILING_PLACES == 2


def test_after_a_day_it_is_given_up(tournament: Tournament, hook: Webhook, receiver: Receiver) -> None:
    assert 23 * 3600 < sum(PAUSES_S) < 24 * 3600
    receiver.status = 500
    say(tournament)
    Delivery.objects.update(made_at=now_ms() - delivery.DAY_MS)
    assert try_due().state == "given-up"


def test_a_receiver_that_is_gone_or_hangs_is_said_so_and_holds_nothing_up(
    tournament: Tournament, hook: Webhook, receiver: Receiver, monkeypatch
) -> None:
    monkeypatch.setattr(sending, "IN_ALL_S", 0.5)
    receiver.hang.clear()
    say(tournament)
    running = delivery.DeliveryThread()
    (round_,) = running.due(now_ms())
    sender = threading.Thread(target=running.send, args=(round_,))
    sender.start()
    say(tournament, "Another")
    assert running.due(now_ms()) == []  # one at a time to an address
    (pairing,) = hall.drawn(tournament.rounds.get(), "1,Ann,Bob")
    hall.begin(pairing.match)  # nothing waits for the receiver
    sender.join(20)
    running.store(now_ms())
    assert not sender.is_alive() and Delivery.objects.get(pk=round_[0].delivery.pk).state == "waiting"
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        Webhook.objects.update(url=f"http://127.0.0.1:{nobody.getsockname()[1]}/")
        started = time.monotonic()
        assert try_due().state == "waiting"
    assert Webhook.objects.get().last_answer.startswith("no answer") and time.monotonic() - started < 10


def test_dns_rebinding_does_not_get_past_the_address_check(
    tournament: Tournament, hook: Webhook, receiver: Receiver, monkeypatch
) -> None:
    """Each try looks the name up once, and what was checked is what is written to."""
    looked_up: list[str] = []

    def rebinding(host: str, port: int, *args: Any, **options: Any) -> Any:
        ip = "93.184.216.34" if not looked_up else "127.0.0.1"
        looked_up.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (ip, port))]

    written_to: list[Any] = []

    def connect(where: Any, *args: Any, **options: Any) -> Any:
        written_to.append(where)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", rebinding)
    monkeypatch.setattr(socket, "create_connection", connect)
    Webhook.objects.update(url="http://rebind.example.org/", private=False)
    say(tournament)
    try_due()
    assert (looked_up, written_to) == (["rebind.example.org"], [("93.184.216.34", 80)])


def test_an_owner_adds_an_address_sees_its_secret_once_and_removes_it(
    tournament: Tournament, receiver: Receiver
) -> None:
    owner = hall.client_of("owner")
    made = owner.post("/director/open/programs/", {"url": receiver.url, "private": "on"})
    hook = Webhook.objects.get()
    assert made.status_code == 200 and hook.secret in made.content.decode()
    assert hook.secret not in owner.get("/director/open/programs/").content.decode()
    say(tournament)
    try_due()
    page = owner.get("/director/open/programs/").content.decode()
    assert "1 delivered, 0 waiting, 0 given up" in page and "204" in page
    assert owner.post(f"/director/open/programs/{hook.pk}/remove/").status_code == 302
    assert not Webhook.objects.exists()
    events = HallEntry.objects.values_list("event", flat=True)
    assert [event for event in events if event.startswith("webhook")] == ["webhook_made", "webhook_removed"]


def test_an_owner_lets_everybody_follow(tournament: Tournament) -> None:
    owner = hall.client_of("owner")
    for public, value in ((True, "yes"), (False, "no")):
        owner.post("/director/open/programs/feed/", {"public": value})
        assert Tournament.objects.get(pk=tournament.pk).public_feed is public


def test_a_message_says_what_happened_when(tournament: Tournament, hook: Webhook) -> None:
    say(tournament)
    body = json.loads(sending.body_of(Delivery.objects.get().event))
    assert set(body) == {"type", "timestamp", "data"} and body["timestamp"].endswith("+00:00")
