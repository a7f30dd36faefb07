"""The hash chain of a match reveals any changed entry or stored value."""

import hashlib
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db.migrations.recorder import MigrationRecorder

from clocks import desk
from clocks.engine.clock import Seat
from clocks.engine.commands import AnswerCall, Call, Hit, Propose
from clocks.engine.proposals import GiveTime
from clocks.host.server_time import now_ms
from clocks.journal import chain
from clocks.models import JournalEntry, Match, Pairing
from clocks.tournament import forgetting, moves
from tests.server.hall import drawn, next_round, summer_open
from tests.server.house import make_match, running_match, sit_down

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def olga() -> User:
    return User.objects.create_user("olga")


@pytest.fixture
def match(olga: User) -> Match:
    """Match with two phones, a press with credit, a call and the director's answer."""
    made = running_match()
    sit_down(made, "left")
    bob, _ = sit_down(made, "right")
    for request in (
        desk.Request(made.pk, Hit(), "right", now_ms(), device_id=bob.pk, claimed_at=now_ms() - 90, credit_ms=60),
        desk.Request(made.pk, Call("Ann shook twice"), "left", now_ms()),
        desk.Request(made.pk, AnswerCall("Both agree"), "director", user_id=olga.pk),
    ):
        assert desk.submit_and_wait(request).ok
    return Match.objects.get(pk=made.pk)


def entry_of(match: Match, event: str) -> JournalEntry:
    """The match's last entry for this event."""
    return JournalEntry.objects.filter(match=match, event=event).latest("seq")


def verified() -> str:
    """Run `verify`; return its output."""
    printed = StringIO()
    call_command("verify", stdout=printed)
    return printed.getvalue()


def found(match: Match) -> str:
    """Report of `verify` on this match, the only one that differs from its journal."""
    printed = StringIO()
    with pytest.raises(CommandError, match="1 differ from their journal"):
        call_command("verify", stdout=printed)
    return printed.getvalue().removeprefix(f"match {match.pk} ({match}): ").rstrip("\n")


def broken(entry: JournalEntry) -> str:
    """Expected report of `verify` on a changed entry."""
    return f"its chain breaks at entry {entry.seq} ({entry.event}), which is not what was written then"


def test_a_chain_can_be_checked_by_json_and_sha_256_alone(match: Match) -> None:
    before = ""
    for entry in JournalEntry.objects.filter(match=match).order_by("seq"):
        sealed = entry.seals or {}

        def digest(path: str, text: str, sealed: dict[str, Any] = sealed) -> Any:
            return {"sha256": hashlib.sha256((sealed[path]["salt"] + text).encode()).hexdigest()} if text else ""

        data, command = entry.data, entry.command
        if "names" in data:
            data = data | {"names": [digest(f"data/names/{place}", name) for place, name in enumerate(data["names"])]}
        if "note" in data:
            data = data | {"note": digest("data/note", data["note"])}
        if command and "note" in command:
            command = command | {"note": digest("command/note", command["note"])}
        user_name = digest("user_name", entry.user_name)
        written = [before, entry.match_id, entry.seq, entry.at, entry.by, entry.device_id, entry.user_id, entry.event]
        written += [data, command, entry.command_id, entry.claimed_at, entry.credit_ms, entry.heard_at]
        written += [user_name, entry.user_role]
        text = json.dumps(written, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        before = hashlib.sha256(text.encode()).hexdigest()
        assert (entry.seq, entry.hash) == (entry.seq, before)
    assert chain.head(match.pk) == before


CHANGES: dict[str, tuple[str, Callable[[JournalEntry], dict[str, Any]]]] = {
    "author": ("hit", lambda entry: {"by": "left"}),
    "device": ("hit", lambda entry: {"device_id": JournalEntry.objects.filter(event="seat_taken")[0].device_id}),
    "credit": ("hit", lambda entry: {"credit_ms": 250}),
    "claim": ("hit", lambda entry: {"claimed_at": None}),
    "time": ("hit", lambda entry: {"at": entry.at - 1}),
    "command id": ("hit", lambda entry: {"command_id": "another"}),
    "heard": ("hit", lambda entry: {"heard_at": 5}),
    "user": ("call_answered", lambda entry: {"user_id": User.objects.create_user("eve").pk}),
    "user name": ("call_answered", lambda entry: {"user_name": "eve"}),
    "role": ("call_answered", lambda entry: {"user_role": "owner"}),
    "note": ("director_called", lambda entry: {"data": entry.data | {"note": "Bob shook twice"}}),
    "command": ("stopped", lambda entry: {"command": entry.command | {"note": "Bob shook twice"}}),
    "no hash": ("hit", lambda entry: {"hash": None}),
}


@pytest.mark.parametrize("what", CHANGES)
def test_any_change_to_an_entry_is_found(match: Match, what: str) -> None:
    event, change = CHANGES[what]
    entry = entry_of(match, event)
    JournalEntry.objects.filter(pk=entry.pk).update(**change(entry))
    assert broken(entry) in found(match)


def test_a_name_changed_everywhere_is_found(match: Match) -> None:
    match.setup["names"] = match.state["setup"]["names"] = ["Eve", "Bob"]
    match.save()
    setup = JournalEntry.objects.get(match=match, seq=1)
    JournalEntry.objects.filter(pk=setup.pk).update(data=setup.data | {"names": ["Eve", "Bob"]})
    assert found(match) == broken(setup)


def test_a_recomputed_hash_breaks_the_chain_after_it(match: Match) -> None:
    hit = entry_of(match, "hit")
    row = next(entry.row for entry in chain.read(match.pk) if entry.row.seq == hit.seq)
    before = JournalEntry.objects.get(match=match, seq=hit.seq - 1).hash
    changed = row._replace(credit_ms=250)
    JournalEntry.objects.filter(pk=hit.pk).update(credit_ms=250, hash=chain.link(before, changed, {}))
    assert found(match).endswith(broken(JournalEntry.objects.get(match=match, seq=hit.seq + 1)))


def test_an_entry_of_another_match_does_not_fit(match: Match) -> None:
    other = running_match()
    first, second = (JournalEntry.objects.get(match=each, seq=1) for each in (match, other))
    JournalEntry.objects.filter(pk=second.pk).update(data=first.data, seals=first.seals, hash=first.hash)
    assert broken(second) in found(other)


@pytest.mark.parametrize("seat", ["left", "right"])
def test_a_changed_seat_is_found(match: Match, seat: str) -> None:
    held = [match.left_device_id, match.right_device_id]
    Match.objects.filter(pk=match.pk).update(**{f"{seat}_device": None})
    stored = [None if seat == one else device for one, device in zip(("left", "right"), held, strict=True)]
    assert found(match) == f"seats is stored as {stored}, its journal says {held}"


def test_a_changed_tenure_is_found(match: Match) -> None:
    tenure = {"owners": [None, match.left_device_id], "lent_at": [None, 5], "between": None}
    Match.objects.filter(pk=match.pk).update(tenure=tenure)
    assert found(match) == f"tenure is stored as {Match.objects.get(pk=match.pk).tenure}, its journal says {{}}"


def test_a_match_moved_to_another_round_is_found() -> None:
    round_ = summer_open()
    (pairing,) = drawn(round_, "1,Ann,Bob")
    Match.objects.filter(pk=pairing.match_id).update(round=next_round(round_))
    stored = Match.objects.get(pk=pairing.match_id)
    assert found(stored) == f"round is stored as {stored.round_id}, the draw says {round_.pk}"


def test_a_match_at_another_table_than_its_draw_is_found() -> None:
    (one, other) = drawn(summer_open(), "1,Ann,Bob", "2,Chi,Dov")
    Match.objects.filter(pk=one.match_id).update(table=other.table_id)
    assert found(one.match) == "table is stored as 2, its journal says 1"


def test_a_match_at_another_table_than_it_moved_to_is_found() -> None:
    (one, other) = drawn(summer_open(), "1,Ann,Bob", "2,Chi,Dov")
    moves.move(one, "9", User.objects.create_user("dora"))
    assert verified().endswith("all as their journals say\n")
    Match.objects.filter(pk=one.match_id).update(table=other.table_id)
    Pairing.objects.filter(pk=one.pk).update(table=other.table_id)
    assert found(one.match) == "table is stored as 2, its journal says 9"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"struck_out": True}, "struck out is stored as True, the log says False"),
        ({"by_players": ["left"]}, "entered by players is stored as True, the log says False"),
    ],
)
def test_a_drawn_match_marked_as_entered_or_struck_out_is_found(change: dict[str, Any], words: str) -> None:
    (pairing,) = drawn(summer_open(), "1,Ann,Bob")
    Match.objects.filter(pk=pairing.match_id).update(**change)
    assert found(pairing.match) == words


@pytest.mark.parametrize("field", ["lag", "turn_number", "clock"])
def test_a_field_missing_in_a_state_of_this_version_is_found(match: Match, field: str) -> None:
    MigrationRecorder.Migration.objects.update(applied=datetime.now(UTC) - timedelta(hours=1))
    del match.state[field]
    match.save()
    assert found(match).startswith("state is stored as")


def test_the_previous_hash_is_cached_and_costs_no_query(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    give = Propose(GiveTime(Seat.LEFT, 1_000))
    assert desk.submit_and_wait(desk.Request(match.pk, give, "director")).ok
    looked_up: list[int] = []
    monkeypatch.setattr(chain, "heads_to_follow", lambda match_ids: looked_up.extend(match_ids) or {})
    assert desk.submit_and_wait(desk.Request(match.pk, give, "director")).ok
    assert looked_up == []
    assert verified().endswith("all as their journals say\n")


# --- names ---------------------------------------------------------------------------------------------------------


def test_forgetting_keeps_the_chain_valid_and_removes_the_salts(match: Match) -> None:
    hashes = list(JournalEntry.objects.filter(match=match).order_by("seq").values_list("hash", flat=True))
    forgetting.carry_out(forgetting.of_person("Ann"))
    entries_ = list(JournalEntry.objects.filter(match=match).order_by("seq"))
    assert [entry.hash for entry in entries_][:-1] == hashes
    assert "names and notes were removed from 1 of them" in verified()
    seals = entries_[0].seals
    assert (list(seals["data/names/0"]), list(seals["data/names/1"])) == (["sha256"], ["salt"])
    assert [list(seal) for entry in entries_ for path, seal in (entry.seals or {}).items() if "note" in path] == [
        ["sha256"],
        ["sha256"],
        ["sha256"],
        ["sha256"],
    ]


def test_a_name_that_stays_when_another_is_forgotten_is_still_guarded(match: Match) -> None:
    forgetting.carry_out(forgetting.of_person("Ann"))
    setup = JournalEntry.objects.get(match=match, seq=1)
    JournalEntry.objects.filter(pk=setup.pk).update(data=setup.data | {"names": ["Player 1", "Eve"]})
    assert broken(setup) in found(Match.objects.get(pk=match.pk))


def test_nobody_forges_a_name_as_if_another_had_been_forgotten(match: Match) -> None:
    called = entry_of(match, "director_called")
    seals = {path: {"sha256": chain.digest(seal["salt"], "Ann shook twice")} for path, seal in called.seals.items()}
    JournalEntry.objects.filter(pk=called.pk).update(data=called.data | {"note": "Bob shook twice"}, seals=seals)
    assert broken(called) in found(match)


def test_a_name_is_not_taken_away_as_if_it_had_been_forgotten(match: Match) -> None:
    answered = entry_of(match, "call_answered")
    seals = answered.seals | {"user_name": {"sha256": chain.digest(answered.seals["user_name"]["salt"], "olga")}}
    JournalEntry.objects.filter(pk=answered.pk).update(user_name="", seals=seals)
    assert found(match) == broken(answered)


def test_forgetting_a_user_keeps_the_chain_valid(match: Match, olga: User) -> None:
    forgetting.carry_out(forgetting.of_person("olga"))
    answered = entry_of(match, "call_answered")
    assert (answered.user_name, list(answered.seals["user_name"])) == ("", ["sha256"])
    assert verified().endswith("all as their journals say\n")


# --- earlier versions ----------------------------------------------------------------------------------------------


def unchained(match: Match, since: int) -> None:
    """Remove the hashes from `since` on, as if stored by an earlier version."""
    JournalEntry.objects.filter(match=match, seq__gte=since).update(hash=None, seals=None)
    desk.forget()


def test_an_upgrade_chains_entries_of_earlier_versions(match: Match) -> None:
    other = make_match()
    for one in (match, other):
        unchained(one, since=1)
    chain.complete()
    assert verified().endswith("all as their journals say\n")
    assert chain.head(match.pk) != chain.head(other.pk)


def test_entries_of_an_older_process_are_chained_with_the_next_entry(match: Match) -> None:
    first = JournalEntry.objects.get(match=match, seq=1).hash
    unchained(match, since=4)
    assert found(match) == (
        "entries 4 to 9 have no hash; if a process of an earlier version wrote them, `upgrade` chains them"
    )
    assert desk.submit_and_wait(desk.Request(match.pk, AnswerCall(), "director")).ok is False
    assert desk.submit_and_wait(desk.Request(match.pk, Propose(GiveTime(Seat.LEFT, 1_000)), "director")).ok
    assert JournalEntry.objects.get(match=match, seq=1).hash == first
    assert verified().endswith("all as their journals say\n")


def test_a_missing_hash_between_others_is_not_recomputed(match: Match) -> None:
    JournalEntry.objects.filter(match=match, seq=3).update(hash=None)
    desk.forget()
    assert desk.submit_and_wait(desk.Request(match.pk, Propose(GiveTime(Seat.LEFT, 1_000)), "director")).ok
    chain.complete()
    assert broken(JournalEntry.objects.get(match=match, seq=3)) in found(Match.objects.get(pk=match.pk))


# --- a known hash --------------------------------------------------------------------------------------------------


def against(match: Match, known: str) -> str:
    """Run `verify` on a match with a known hash; return its output."""
    printed = StringIO()
    call_command("verify", "--match", str(match.pk), "--hash", known, stdout=printed)
    return printed.getvalue()


def test_a_hash_that_was_printed_earlier_is_found_in_the_chain(match: Match) -> None:
    hit = entry_of(match, "hit")
    for known in (hit.hash, hit.hash[:12], hit.hash[:12].upper()):
        assert against(match, known).splitlines()[-1] == (
            f"Match {match.pk} is the same up to entry {hit.seq} as when this hash was shown. "
            f"It now has {match.version} entries."
        )


def test_a_rewritten_chain_lacks_the_printed_hash(match: Match) -> None:
    known = chain.head(match.pk)
    JournalEntry.objects.filter(match=match, event="hit", seq__gt=4).update(credit_ms=250)
    unchained(match, since=4)
    chain.complete()
    assert verified().endswith("all as their journals say\n")
    with pytest.raises(CommandError, match=f"No entry of match {match.pk} has this hash"):
        against(match, known)


def test_an_unknown_match_or_half_a_hash_is_refused_in_words(match: Match) -> None:
    with pytest.raises(CommandError, match="at least 12"):
        against(match, "abc")
    with pytest.raises(CommandError, match="There is no match 999999"):
        call_command("verify", "--match", "999999", "--hash", "a" * 64)
