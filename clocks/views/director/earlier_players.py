"""Players of the director's other tournaments, to fill in the list of a new one."""

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, QuerySet
from django.shortcuts import get_object_or_404

from clocks.interchange import exports
from clocks.models import CASUAL, Player, Tournament
from clocks.people.roles import Action, tournaments_of

MOST = 50
DETAILS = ("club", "rating", "country")  # without `number`, which has a meaning only in its own list


def offered(user: User, tournament: Tournament) -> QuerySet[Tournament]:
    """Other tournaments whose list of players this user may export, newest first."""
    others = tournaments_of(user, Action.EXPORT).exclude(pk=tournament.pk).exclude(slug=CASUAL)
    listed = Exists(Player.objects.filter(tournament=OuterRef("pk")))
    return others.filter(listed).order_by("-created_at", "-pk")


def lines(user: User, tournament: Tournament, slug: str) -> str:
    """Players of an offered tournament, as lines to paste.

    Includes each detail that at least one of them has. Raises Http404 for any other tournament.
    """
    earlier = get_object_or_404(offered(user, tournament), slug=slug)
    details = [each for each in DETAILS if earlier.players.exclude(**{each: ""}).exists()]
    return "".join(exports.players_csv(earlier, details)).removeprefix(exports.BYTE_ORDER_MARK).replace("\r\n", "\n")
