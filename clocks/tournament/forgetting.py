"""Remove personal data (names and notes); results and clock times stay.

Each journal records the removal.

Names become Player 1 and Player 2, by seat, so that nothing links the matches of a person. Players in the list and
all notes of these matches are removed too, because a note may mention anybody.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from time import monotonic
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Exists, Max, OuterRef, Q, QuerySet
from django.utils import timezone

from clocks import desk
from clocks.desk import Request
from clocks.engine.closed_sets import Official, Status
from clocks.engine.commands import RemoveNames
from clocks.engine.events import NamesCorrected, NamesRemoved
from clocks.engine.refusals import Refused, Why
from clocks.engine.words import Words
from clocks.host.garbage import FREED_ROWS
from clocks.host.server_time import now_ms
from clocks.host.slices import SLICE, delete_in_slices, update_in_slices
from clocks.host.yielding import rest
from clocks.journal import entries, removal, tournament_events, tournament_log
from clocks.journal.entries import SETUP
from clocks.journal.names import called
from clocks.models import (
    CASUAL,
    ApiAnswer,
    Bye,
    Entrant,
    HallEntry,
    JournalEntry,
    Match,
    Membership,
    Message,
    Pairing,
    Player,
    Tournament,
)
from clocks.tournament.mentions import MESSAGE, REMOVED, forget_account, forget_mentions, is_mentioned, mention, rewrite
from clocks.tournament.players import name_key

Names = tuple[str, str]

NEUTRAL: Names = ("Player 1", "Player 2")
OTHERWISE = "Former player"  # replacement name if the opponent is called Player 1 or Player 2
# Fields of tournament log entries that may name players.
MENTIONS_PLAYERS = ("reason", "text", "note", "match", "winner", "player", "was")


@dataclass
class Plan:
    """Replacement names by match and pairing id, and rows to anonymise or delete.

    Tournaments and accounts are anonymised; players, entrants and byes are deleted.
    """

    matches: dict[int, Names] = field(default_factory=dict)
    pairings: dict[int, Names] = field(default_factory=dict)
    tournaments: list[Tournament] = field(default_factory=list)
    accounts: list[User] = field(default_factory=list)
    players: list[int] = field(default_factory=list)
    entrants: list[int] = field(default_factory=list)
    byes: list[int] = field(default_factory=list)
    person: str = ""
    within: Tournament | None = None  # None: everywhere

    def __bool__(self) -> bool:
        beside = self.accounts or self.players or self.entrants or self.byes
        found = self.matches or self.pairings or self.tournaments or beside
        return bool(found) or (bool(self.person) and is_mentioned(self.person, self.within))


def of_tournament(tournament: Tournament) -> Plan:
    """Plan the removal of a tournament's names. Raises Refused while a clock runs."""
    matches = Match.objects.filter(table__tournament=tournament)
    if matches.filter(status=Status.RUNNING).exists():
        raise Refused(Why.BAD_VALUE, "A clock is running. Names can be removed once it has stopped.")
    pairings = Pairing.objects.filter(round__tournament=tournament)
    return Plan(_noted_since(matches) | _all(matches), _all(pairings), [tournament])


def of_person(name: str) -> Plan:
    """Plan the removal of a person everywhere, including teams and accounts.

    Raises Refused if a tournament would be left without an owner.
    """
    wanted = name_key(name)
    accounts = [
        user for user in User.objects.order_by("pk") if wanted in map(name_key, (user.get_username(), called(user)))
    ]
    for member in Membership.objects.filter(user__in=accounts, role=Membership.Role.OWNER).select_related("tournament"):
        others = member.tournament.memberships.filter(role=Membership.Role.OWNER, user__is_active=True)
        if not others.exclude(user__in=accounts).exists():
            words = Words("%(name)s is the only owner. Make somebody else an owner first.", name=name)
            raise Refused(Why.BAD_VALUE, words)
    everywhere = Match.objects.all()
    return Plan(
        _with_notes_about(name, everywhere) | _once_called(wanted, everywhere) | _with(everywhere, wanted),
        _with(Pairing.objects.all(), wanted),
        [],
        accounts,
        [player.pk for player in Player.objects.all() if name_key(player.name) == wanted],
        [each.pk for each in Entrant.objects.all() if name_key(each.name) == wanted],
        [bye.pk for bye in Bye.objects.all() if any(_theirs((bye.name, ""), wanted))],
        " ".join(name.split()),
    )


def of_player(tournament: Tournament, name: str) -> Plan:
    """Plan the removal of a person from one tournament; accounts stay."""
    wanted = name_key(name)
    own = Match.objects.filter(table__tournament=tournament)
    return Plan(
        _with_notes_about(name, own) | _once_called(wanted, own) | _with(own, wanted),
        _with(Pairing.objects.filter(round__tournament=tournament), wanted),
        players=[player.pk for player in tournament.players.all() if name_key(player.name) == wanted],
        entrants=[each.pk for each in tournament.entrants.all() if name_key(each.name) == wanted],
        byes=[
            bye.pk for bye in Bye.objects.filter(round__tournament=tournament) if any(_theirs((bye.name, ""), wanted))
        ],
        person=" ".join(name.split()),
        within=tournament,
    )


def _once_called(wanted: str, matches: QuerySet[Match]) -> dict[int, Names]:
    """Matches whose journal ever had this name, with their current names."""
    corrected = entries.but_hits().filter(event=NamesCorrected.name, match__in=matches).values("match")
    entries_of = JournalEntry.objects.filter(match__in=corrected, event__in=(SETUP, NamesCorrected.name))
    rows = [row for row in entries_of.select_related("match") if _theirs(row.data["names"], wanted) != (False, False)]
    return {row.match_id: tuple(row.match.setup["names"]) for row in rows}


def _with_notes_about(name: str, matches: QuerySet[Match]) -> dict[int, Names]:
    """Matches with a note that mentions this name, with their current names."""
    found_in = mention(name)
    noted = entries.but_hits().filter(match__in=matches).only("match_id", "data", "command").iterator()
    found = {entry.match_id for entry in noted if any(map(found_in.search, entries.notes([entry.data, entry.command])))}
    return {match.pk: tuple(match.setup["names"]) for match in Match.objects.filter(pk__in=found)}


def _noted_since(matches: QuerySet[Match]) -> dict[int, Names]:
    """Anonymised matches whose journals gained names or notes since the last removal."""
    removed = entries.but_hits().filter(match=OuterRef("match"), seq__gte=OuterRef("seq"), event=NamesRemoved.name)
    nameless = matches.filter(setup__names=list(NEUTRAL))
    written = entries.but_hits().filter(match__in=nameless).exclude(Exists(removed)).only("match_id", "data", "command")
    return {
        entry.match_id: NEUTRAL
        for entry in written
        for told in [[entry.data, entry.command]]
        if entries.without_names(told, NEUTRAL) != told
    }


def expired() -> Plan:
    """Plan the removal of data whose last event is older than KEEP_DAYS days.

    Tournaments expire as a whole, casual matches one by one. The plan is empty if KEEP_DAYS is not set.
    """
    plan = Plan()
    if not settings.KEEP_DAYS:
        return plan
    since = timezone.now() - timedelta(days=settings.KEEP_DAYS)
    since_ms = int(since.timestamp() * 1000)
    old = Match.objects.annotate(last=Max("journal__at")).filter(Q(last__lt=since_ms) | Q(last=None))
    for tournament in Tournament.objects.filter(created_at__lt=since).exclude(slug=CASUAL):
        matches = Match.objects.filter(table__tournament=tournament)
        fresh = matches.exclude(pk__in=old.filter(table__tournament=tournament).values("pk"))
        lately = HallEntry.objects.filter(tournament=tournament, at__gte=since_ms)
        entered = tournament.entrants.filter(entered_at__gte=since)
        if fresh.exists() or lately.exists() or entered.exists() or matches.filter(status=Status.RUNNING).exists():
            continue
        its = of_tournament(tournament)
        if its.matches or its.pairings or _names_anybody(tournament):
            plan.matches |= its.matches
            plan.pairings |= its.pairings
            plan.tournaments.append(tournament)
    casual = old.filter(table__tournament__slug=CASUAL).exclude(status=Status.RUNNING)
    plan.matches |= _noted_since(casual) | _all(casual)
    return plan


def _names_anybody(tournament: Tournament) -> bool:
    """True if a tournament has players, entrants, byes, messages or texts in its log."""
    byes = Bye.objects.filter(round__tournament=tournament)
    kept = (tournament.players.all(), tournament.entrants.all(), byes, _messages(tournament))
    data = tournament.hall_entries.values_list("data", flat=True)
    return any(rows.exists() for rows in kept) or any(_without_texts(each) != each for each in data)


def _messages(tournament: Tournament) -> QuerySet[Message]:
    return Message.objects.filter(tournament=tournament).exclude(text=REMOVED)


def carry_out(plan: Plan, user: User | None = None) -> int:
    """Carry out a plan, for `user` or the server; return how many journals changed.

    Raises Refused if a match could not be changed; earlier matches stay changed.
    """
    if not plan:
        return 0
    for match_id, names in plan.matches.items():  # one by one, so that presses do not wait for a whole tournament
        began = monotonic()
        reply = desk.submit_and_wait(_request(match_id, names, user))
        if not reply.ok:
            raise reply.refusal()
        rest(began)
    _forget_beside_the_journals(plan)
    for tournament in plan.tournaments:
        tournament_log.write(tournament, user, tournament_events.NamesRemoved())
    return len(plan.matches)


def _forget_beside_the_journals(plan: Plan) -> None:
    """Remove data outside the journals, in batches so that no press waits. Idempotent."""
    entries.overwrite_what_goes()
    drawn = Pairing.objects.filter(pk__in=plan.pairings).values_list("pk", "setup")
    neutral = [(json.dumps(entries.without_names(setup, plan.pairings[key])), key) for key, setup in drawn]
    update_in_slices(f"UPDATE {Pairing._meta.db_table} SET setup = %s, external_id = '' WHERE id = %s", neutral)
    # API answers stored during the last day contain names too.
    answers = ApiAnswer.objects.all()
    delete_in_slices(answers if plan.within is None else answers.filter(token__tournament=plan.within), SLICE)
    for tournament in plan.tournaments:
        update_in_slices(MESSAGE, [(REMOVED, key) for key in _messages(tournament).values_list("pk", flat=True)])
        delete_in_slices(tournament.players.all())
        delete_in_slices(tournament.entrants.all())
        delete_in_slices(Bye.objects.filter(round__tournament=tournament))
        rewrite(tournament.hall_entries.all(), _without_texts)
    delete_in_slices(Player.objects.filter(pk__in=plan.players))
    delete_in_slices(Entrant.objects.filter(pk__in=plan.entrants))
    delete_in_slices(Bye.objects.filter(pk__in=plan.byes))
    for account in plan.accounts:
        forget_account(account)
    if plan.person:
        forget_mentions(plan.person, plan.within)


def forget_expired() -> int:
    """Remove data older than KEEP_DAYS; return the number of journals changed."""
    return carry_out(expired())


def _request(match_id: int, names: Names, user: User | None) -> Request:
    by = Official.SERVER if user is None else Official.DIRECTOR
    return Request(
        match_id,
        RemoveNames(names),
        by,
        now_ms(),
        user_id=None if user is None else user.pk,
        alongside=partial(removal.remove_names, match_id, names, removal.plan_removal(match_id, names)),
    )


def _all(rows: QuerySet[Match] | QuerySet[Pairing]) -> dict[int, Names]:
    """Replacement names, by id, of rows that are not anonymised yet."""
    return {row.pk: NEUTRAL for row in rows.iterator(FREED_ROWS) if tuple(row.setup["names"]) != NEUTRAL}


def _with(rows: Iterable[Match] | Iterable[Pairing], wanted: str) -> dict[int, Names]:
    """Replacement names, by id, of rows with this player, alone or in a team."""
    found: dict[int, Names] = {}
    for row in rows:
        left, right = row.setup["names"]
        theirs = _theirs((left, right), wanted)
        if any(theirs):
            kept = [name for name, removed in zip((left, right), theirs, strict=True) if not removed]
            new = [
                (own if not removed else neutral if neutral not in kept else OTHERWISE)
                for own, removed, neutral in zip((left, right), theirs, NEUTRAL, strict=True)
            ]
            found[row.pk] = (new[0], new[1])
    return found


def _theirs(names: Sequence[str], wanted: str) -> tuple[bool, bool]:
    """For each of two names, True if it is this player or a team with this player."""
    left, right = (wanted in (name_key(name), *map(name_key, re.split(r"[/&+,;]| and ", name))) for name in names)
    return left, right


def _without_texts(data: dict[str, Any]) -> dict[str, Any]:
    """Data of a log entry without free text and players' names."""
    cleaned = {}
    for key, value in data.items():
        value = _without_texts(value) if isinstance(value, dict) else value
        cleaned[key] = REMOVED if value and key in MENTIONS_PLAYERS else value
    return cleaned
