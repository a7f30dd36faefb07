"""Sections of a tournament, and the names of their rounds."""

from django.db import transaction
from django.utils.translation import gettext as _

from clocks.models import Round, Section, Tournament


def make(tournament: Tournament, method: str, name: str = "") -> Section:
    """Create a section; from the second on, sections and their rounds have names."""
    others = list(tournament.sections.order_by("pk"))
    taken = {each.name.casefold() for each in others}
    name = name or (_free(Section.Method(method).label, taken) if others else "")
    section = Section(tournament=tournament, name=name, method=method)
    with transaction.atomic():
        for each in others:
            if not each.name:
                each.name = _free(_("Main"), taken | {name.casefold()})
                each.save(update_fields=["name"])
                _name_rounds(each)
        section.save()
    return section


def followed_by(section: Section, method: str, name: str) -> Section:
    """Section called `name` for the losers of another one; created if there is none."""
    found = section.tournament.sections.filter(name=name, method=method).order_by("-pk").first()
    return found or make(section.tournament, method, name)


def round_name(section: Section) -> str:
    """Name of the next round of a section; "" if a number is enough."""
    return _round_name(section, section.rounds.count() + 1) if section.name else ""


def _name_rounds(section: Section) -> None:
    for number, round_ in enumerate(section.rounds.order_by("number"), 1):
        if not round_.name:
            Round.objects.filter(pk=round_.pk).update(name=_round_name(section, number))


def _round_name(section: Section, number: int) -> str:
    words = _("%(section)s, round %(number)s")
    return words % {"section": section.name, "number": number} if section.name else ""


def _free(name: str, taken: set[str]) -> str:
    """First free name: Swiss, Swiss 2, Swiss 3."""
    number, found = 1, name
    while found.casefold() in taken:
        number += 1
        found = f"{name} {number}"
    return found
