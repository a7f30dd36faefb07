"""Sections of a tournament, and the names of their rounds."""

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils.translation import gettext as _

from clocks.engine.refusals import Refused, Why
from clocks.engine.words import Words
from clocks.models import Round, Section, Tournament
from clocks.tournament import events, rounds
from clocks.tournament.rounds import like_the_last


def make(tournament: Tournament, method: str, name: str = "", **more: Any) -> Section:
    """Create a section. With the second, name unnamed sections and their rounds."""
    adopt(tournament)
    return _create(tournament, method, name, **more)


def adopt(tournament: Tournament) -> None:
    """Create sections for drawn rounds without one, grouped by their players."""
    if not tournament.rounds.filter(section=None).exclude(pairings=None).exists():
        return
    loose = [event for event in events.of_tournament(tournament) if event.section is None]  # read without a lock
    with transaction.atomic():
        for event in loose:
            section = _create(tournament, event.method)
            for round_, _games in event.rounds:
                put(round_, section)


@transaction.atomic
def _create(tournament: Tournament, method: str, name: str = "", **more: Any) -> Section:
    others = list(tournament.sections.order_by("pk"))
    taken = {each.name.casefold() for each in others}
    for each in others:
        if not each.name:
            each.name = _free(_("Main"), taken | {name.casefold()})
            each.save(update_fields=["name"])
            taken.add(each.name.casefold())
            for number, round_ in enumerate(each.rounds.order_by("number"), 1):
                round_.name = round_.name or _round_name(each, number)
                round_.save(update_fields=["name"])
    name = name or (_free(Section.Method(method).label, taken) if others else "")
    return Section.objects.create(tournament=tournament, name=name, method=method, **more)


def make_groups(tournament: Tournament, names: Sequence[str], knockout: str, rounds: Sequence[Round]) -> list[Section]:
    """Create groups with a round each, and the knockout that they feed (last).

    They are created in one short transaction: all or none. Raises IntegrityError if somebody else has just added a
    round.
    """
    adopt(tournament)
    with transaction.atomic():
        first = _create(tournament, Section.Method.CIRCLE, names[0])
        others = [Section(tournament=tournament, name=each, method=first.method) for each in names[1:]]
        groups = [first, *Section.objects.bulk_create(others)]
        final = _create(tournament, Section.Method.KNOCKOUT, knockout)
        tournament.sections.filter(pk__in=[each.pk for each in groups]).update(feeds=final)
        last = tournament.rounds.aggregate(last=Max("number"))["last"] or 0
        for round_, section in zip(rounds, groups, strict=True):
            _enter(round_, section, _named(section, 1))
        new = [each for each in rounds if each.pk is None]
        for number, each in enumerate(new, last + 1):
            each.number = number
        Round.objects.bulk_create(new)
        Round.objects.bulk_update([each for each in rounds if each not in new], ["section", "name"])
    return [*groups, final]


def followed_by(section: Section, method: str, name: str, **more: Any) -> Section:
    """Section called `name` for the losers of another one; created if there is none."""
    found = section.tournament.sections.filter(name=name, method=method).order_by("-pk").first()
    return found or make(section.tournament, method, name, losers_of=section, **more)


def drawn(section: Section) -> list[Round]:
    """Rounds of a section that have matches or byes.

    A round has only byes if all opponents have withdrawn.
    """
    found = section.rounds.exclude(pairings=None, byes=None).select_related("tournament", "section")
    return list(found.order_by("number").distinct())


def new_round(section: Section, example: Round | None = None) -> Round:
    """Unsaved next round of a section.

    Rules and length come from the section if set there, other settings from `example`.
    """
    round_ = like_the_last(section.tournament, example)
    round_.section, round_.name = section, round_name(section)
    round_.length = section.length or round_.length
    if section.rules:
        round_.rules, round_.options = section.rules, section.options
    return round_


def make_round(tournament: Tournament, stage: str, given: dict[str, Any], user: User) -> Round:
    """Store a round in the section called `stage`, or else in that of the last round.

    Raises Refused if no section has that name.
    """
    last = tournament.rounds.select_related("section").order_by("-number").first()
    section = last.section if last else None
    if stage:
        named = {each.name.casefold(): each for each in tournament.sections.all()}
        section = named.get(stage.casefold())
        if section is None:
            raise Refused(Why.BAD_VALUE, Words("There is no event “%(stage)s”.", stage=stage))
    if section is not None and not given.get("name"):
        given = {**given, "name": round_name(section)}
    return rounds.make(tournament, given, user, section)


def put(round_: Round, section: Section) -> None:
    """Put a round in a section and save it.

    A name derived from its former section is replaced. Rounds of an unnamed section need only a number.
    """
    if round_.section_id != section.pk:
        _enter(round_, section, round_name(section))
    elif section.name and not round_.name:
        others = section.rounds.exclude(pk=round_.pk)
        round_.name = _round_name(section, others.filter(number__lt=round_.number).count() + 1, others)
    round_.save()


def _enter(round_: Round, section: Section, name: str) -> None:
    old = round_.section
    if old is not None and _is_named_after(round_, old.name):
        round_.name = ""
    round_.section, round_.name = section, round_.name or name


def rename(section: Section, name: str) -> None:
    """Rename a section and the rounds named after it; name unnamed rounds."""
    old, section.name = section.name, name
    section.save(update_fields=["name"])
    for number, round_ in enumerate(section.rounds.order_by("number"), 1):
        if name and _is_named_after(round_, old):
            round_.name = name + round_.name[len(old) :]
        round_.name = round_.name or (_round_name(section, number) if name else "")
        round_.save(update_fields=["name"])


def _is_named_after(round_: Round, name: str) -> bool:
    """True if a round is called after a section, as “A, round 1” is after “A”."""
    return bool(name) and round_.name.startswith(name) and not round_.name[len(name) :][:1].isalnum()


def round_name(section: Section) -> str:
    """Name of the next round of a section; "" if a number is enough."""
    return _round_name(section, section.rounds.count() + 1) if section.name else ""


def _round_name(section: Section, number: int, others: QuerySet[Round] | None = None) -> str:
    """Name of a round, with the first free number from `number` on."""
    taken = set((section.rounds.all() if others is None else others).values_list("name", flat=True))
    while (name := _named(section, number)) in taken:
        number += 1
    return name


def _named(section: Section, number: int) -> str:
    return _("%(section)s, round %(number)s") % {"section": section.name, "number": number}


def _free(name: str, taken: set[str]) -> str:
    """First free name: Swiss, Swiss 2, Swiss 3."""
    number, found = 1, name
    while found.casefold() in taken:
        number += 1
        found = f"{name} {number}"
    return found
