"""Players who have entered by phone: the director admits or declines them."""

from typing import NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_POST

from clocks.engine.refusals import Refused
from clocks.models import Entrant, Tournament
from clocks.people.roles import Action
from clocks.tournament import entering
from clocks.tournament.players import MOST_COMPARED, Players, in_order
from clocks.views import access
from clocks.views.access import signed_in
from clocks.wording.language import said


class Waiting(NamedTuple):
    """An entrant, with a warning if the name is the same as or like another one.

    `taken` is True if the name is in the list of players.
    """

    entrant: Entrant
    warning: str = ""
    taken: bool = False

    @property
    def stamp(self) -> str:
        """Hash of the entry as shown."""
        return entering.stamp(self.entrant)


def waiting(known: Players) -> list[Waiting]:
    """Players waiting to be admitted to this list, in order of entry."""
    names = set[str]()
    compared = MOST_COMPARED // max(1, len(known.by_name))
    found = []
    for number, entrant in enumerate(known.tournament.entrants.order_by("pk")):
        same, words = known.in_any_order(entrant.name), in_order(entrant.name)
        nearest = known.nearest(entrant.name) if same is None and number < compared else []
        if same is not None:
            found.append(Waiting(entrant, gettext("already in the list"), True))
        elif words in names:
            found.append(Waiting(entrant, gettext("entered twice")))
        elif nearest:
            found.append(Waiting(entrant, gettext("like %(names)s") % {"names": ", ".join(nearest)}))
        else:
            found.append(Waiting(entrant))
        names.add(words)
    return found


@require_POST
@access.to(Action.ARRANGE)
def admit_players(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Admit or decline an entrant, admit all without a warning, or decline all.

    Skips entries that are new or have changed since the page was loaded.
    """
    user = signed_in(request)
    declines = "decline" in request.POST
    wanted = request.POST.get("decline" if declines else "admit", "")
    known, shown = Players(tournament), set(request.POST.getlist("shown"))
    if wanted == "all" and not declines:
        rows = [each.entrant for each in waiting(known) if not each.warning]
    else:
        rows = [each for each in tournament.entrants.order_by("pk") if wanted in ("all", str(each.pk))]
    seen = [each for each in rows if entering.stamp(each) in shown]
    if wanted != "all" and len(seen) < len(rows):
        messages.warning(request, gettext("%(name)s has just changed the entry. Check it.") % {"name": rows[0].name})
    done = []
    for entrant in seen:
        try:
            if declines:
                entering.decline(entrant, user)
            else:
                entering.admit(entrant, user, known)
        except Refused as refused:
            messages.warning(request, said(refused.words))
        else:
            done.append(entrant.name)
    if len(done) == 1:
        words = gettext("%(name)s has been declined.") if declines else gettext("%(name)s is in the list.")
        messages.success(request, words % {"name": done[0]})
    elif done:
        words = (
            ngettext("%(number)s player declined.", "%(number)s players declined.", len(done))
            if declines
            else ngettext("%(number)s player added.", "%(number)s players added.", len(done))
        )
        messages.success(request, words % {"number": len(done)})
    elif not rows:
        messages.warning(request, gettext("Nobody waits to be admitted."))
    return redirect("players", tournament.slug)
