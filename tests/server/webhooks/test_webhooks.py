"""Webhook delivery: signatures, retries, claims, and what owners see."""

import http.server
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, wait
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
from clocks.webhooks import delivery, outbox, registry, sending
from tests.server import hall
from tests.server.programs import owner_of

pytestmark = pytest.mark.django_db(transaction=True)


class Receiver:
    """HTTP server that records messages; responds with `status` and `headers`."""

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
    """First word of each SQL statement."""
    return [query["sql"].split()[0] for query in context.captured_queries]


def say(tournament: Tournament, text: str = "Lunch at one.") -> None:
    messages.send(tournament, owner_of(tournament), text, [], 5)
    recorder.record()
    outbox.store([], now_ms())


class Inline(Executor):
    """Executor that completes the work before `submit` returns."""

    def submit(self, work: Callable[..., Any], /, *args: Any, **named: Any) -> Future[Any]:
        done: Future[Any] = Future()
        try:
            done.set_result(work(*args, **named))
        except Exception as error:
            done.set_exception(error)
        return done


def try_due(at: int | None = None) -> Delivery:
    """Run one pass of the claim loop and return its only delivery, reloaded."""
    sender = delivery.DeliveryThread(Inline())
    (batch,) = sender.claim(now_ms() if at is None else at)
    sender.submit(batch)
    sender.settle(now_ms())
    (message,) = batch
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
    assert not delivery.DeliveryThread(Inline()).claim(now_ms())


def test_a_former_owners_address_receives_nothing_more(
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
    assert hook.last_answer == "the person who added this is no longer an owner: an owner has to add it again"
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
    assert pauses == list(outbox.PAUSES_S[:4])
    assert len(receiver.got) == 4 and len({headers["webhook-id"] for headers, _ in receiver.got}) == 1
    assert Webhook.objects.get().last_answer.startswith(words)


def test_queued_deliveries_are_sent_in_order_until_one_fails(
    tournament: Tournament, hook: Webhook, receiver: Receiver
) -> None:
    for number in range(3):
        say(tournament, f"Message {number}")
    sender = delivery.DeliveryThread(Inline())
    (batch,) = sender.claim(now_ms())
    sender.submit(batch)
    sender.settle(now_ms())
    assert [json.loads(body)["data"]["text"] for _, body in receiver.got] == ["Message 0", "Message 1", "Message 2"]
    assert set(Delivery.objects.values_list("state", "tries")) == {("delivered", 1)}
    receiver.status = 500
    for number in range(3, 5):
        say(tournament, f"Message {number}")
    (batch,) = sender.claim(now_ms())
    sender.submit(batch)
    sender.settle(now_ms())
    tries = list(Delivery.objects.order_by("pk").values_list("tries", flat=True))
    assert (len(receiver.got), tries) == (4, [1, 1, 1, 1, 0])
    assert sender.claim(now_ms()) == [], "an address that failed rests for a second"


def test_many_deliveries_are_stored_with_few_statements(
    tournament: Tournament, hook: Webhook, receiver: Receiver
) -> None:
    """No statement per row: the desk is waiting meanwhile."""
    for _ in range(3):
        registry.make(tournament, owner_of(tournament), receiver.url, True)
    for number in range(10):
        messages.send(tournament, owner_of(tournament), f"Message {number}", [], 5)
    recorder.record()
    sender = delivery.DeliveryThread(Inline())
    with CaptureQueriesContext(connection) as kept:
        sender.settle(now_ms())
    assert Delivery.objects.count() == 10 * 4
    batches = sender.claim(now_ms())
    assert [len(batch) for batch in batches] == [10] * 4
    receiver.status = 500
    with CaptureQueriesContext(connection) as sent:
        for batch in batches:
            sender.submit(batch)
    with CaptureQueriesContext(connection) as settled:
        sender.settle(now_ms())
    assert statements(kept) == ["SELECT", "SELECT", "BEGIN", "INSERT", "UPDATE", "COMMIT"]
    assert statements(sent) == [] and len(receiver.got) == 4
    assert statements(settled).count("UPDATE") <= 4 * 3  # the tried delivery, the rest, the webhook
    assert set(Delivery.objects.values_list("state", "tries")) == {("waiting", 1), ("waiting", 0)}
    sender._failed_at = dict.fromkeys(sender._failed_at, 0.0)
    assert [len(batch) for batch in sender.claim(now_ms())] == [1, 1], "to an address that fails one at a time"


def test_failing_addresses_take_turns_and_leave_workers_to_others(tournament: Tournament, receiver: Receiver) -> None:
    owner = owner_of(tournament)
    hooks = [registry.make(tournament, owner, receiver.url, True) for _ in range(delivery.WORKERS + 1)]
    say(tournament)
    sender = delivery.DeliveryThread(Inline())
    sender._failed_at = {hook.pk: -float(number) for number, hook in enumerate(hooks[:-1])}
    chosen = [batch[0].webhook.pk for batch in sender.claim(now_ms())]
    assert chosen == [hooks[-1].pk, hooks[-2].pk, hooks[-3].pk] and delivery.FAILING_WORKERS == 2


def test_a_delivery_is_given_up_after_a_day(tournament: Tournament, hook: Webhook, receiver: Receiver) -> None:
    assert 23 * 3600 < sum(outbox.PAUSES_S) < 24 * 3600
    receiver.status = 500
    say(tournament)
    Delivery.objects.update(made_at=now_ms() - outbox.DAY_MS)
    assert try_due().state == "given-up"


def test_a_hanging_or_dead_receiver_delays_nothing_and_is_named(
    tournament: Tournament, hook: Webhook, receiver: Receiver, monkeypatch
) -> None:
    monkeypatch.setattr(sending, "IN_ALL_S", 0.5)
    receiver.hang.clear()
    say(tournament)
    running = delivery.DeliveryThread()
    (batch,) = running.claim(now_ms())
    running.submit(batch)
    say(tournament, "Another")
    assert running.claim(now_ms()) == []  # a webhook has at most one batch in flight
    (pairing,) = hall.drawn(tournament.rounds.get(), "1,Ann,Bob")
    hall.begin(pairing.match)  # play does not wait for the receiver
    assert not wait(running._sending.values(), 20).not_done
    running.settle(now_ms())
    tried = Delivery.objects.get(pk=batch[0].delivery.pk)
    assert (tried.state, tried.tries) == ("waiting", 1)
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        Webhook.objects.update(url=f"http://127.0.0.1:{nobody.getsockname()[1]}/")
        started = time.monotonic()
        assert try_due().state == "waiting"
    assert Webhook.objects.get().last_answer.startswith("no answer") and time.monotonic() - started < 10


def test_a_message_that_crashes_is_tried_again_after_a_pause(
    tournament: Tournament, hook: Webhook, receiver: Receiver, monkeypatch
) -> None:
    say(tournament)
    sender = delivery.DeliveryThread(Inline())
    with monkeypatch.context() as patch:
        patch.setattr(sending, "send", lambda *given: 1 / 0)
        sender.submit(*sender.claim(now_ms()))
        sender.settle(now_ms())
    assert Webhook.objects.get().last_answer == delivery.CRASHED.words
    assert sender.claim(now_ms()) == []
    assert try_due(now_ms() + outbox.PAUSES_S[0] * 1000).state == "delivered"


def test_only_old_finished_deliveries_are_deleted(tournament: Tournament, hook: Webhook) -> None:
    now = now_ms()
    for text in ("old", "waiting", "given up", "recent"):
        say(tournament, text)
    _, waiting, given_up, recent = Delivery.objects.order_by("pk")
    Delivery.objects.update(made_at=now - outbox.KEPT_MS - 1, state="delivered")
    Delivery.objects.filter(pk=waiting.pk).update(state="waiting")
    Delivery.objects.filter(pk=given_up.pk).update(state="given-up")
    Delivery.objects.filter(pk=recent.pk).update(made_at=now - outbox.KEPT_MS)
    outbox.tidy(now)
    assert list(Delivery.objects.order_by("pk")) == [waiting, recent]


def test_dns_rebinding_does_not_get_past_the_address_check(
    tournament: Tournament, hook: Webhook, receiver: Receiver, monkeypatch
) -> None:
    """Each attempt resolves the name once and connects to the address it checked."""
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


def test_an_owner_opens_and_closes_the_public_feed(tournament: Tournament) -> None:
    owner = hall.client_of("owner")
    for public, value in ((True, "yes"), (False, "no")):
        owner.post("/director/open/programs/feed/", {"public": value})
        assert Tournament.objects.get(pk=tournament.pk).public_feed is public


def test_a_message_has_type_timestamp_and_data(tournament: Tournament, hook: Webhook) -> None:
    say(tournament)
    body = json.loads(sending.body_of(Delivery.objects.get().event))
    assert set(body) == {"type", "timestamp", "data"} and body["timestamp"].endswith("+00:00")
