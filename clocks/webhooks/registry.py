"""Webhooks of a tournament. An owner adds and removes them; changes are logged."""

import base64
import secrets

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, Max, Q, QuerySet

from clocks.engine.refusals import Refused, Why
from clocks.engine.words import Words
from clocks.host.slices import ROWS, delete_in_slices
from clocks.journal import tournament_log
from clocks.journal.tournament_events import FeedClosed, FeedOpened, WebhookMade, WebhookRemoved
from clocks.models import Delivery, FeedEvent, Tournament, Webhook
from clocks.webhooks import addresses

MOST = 10  # maximum number of webhooks per tournament


def make(tournament: Tournament, by: User, url: str, private: bool) -> Webhook:
    """Add a webhook for future events. Raises Refused for an invalid URL or too many."""
    target = addresses.parse(url)
    try:
        addresses.resolve(target, private)
    except (OSError, UnicodeError):
        raise Refused(Why.BAD_VALUE, Words("There is no computer called %(name)s.", name=target.host)) from None
    secret = "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()
    with transaction.atomic():
        Tournament.objects.select_for_update().get(pk=tournament.pk)
        if tournament.webhooks.count() >= MOST:
            raise Refused(Why.BAD_VALUE, Words("A tournament may have at most %(most)s addresses.", most=MOST))
        last = FeedEvent.objects.filter(tournament=tournament).aggregate(last=Max("number"))["last"] or 0
        made = Webhook.objects.create(
            tournament=tournament, url=url, secret=secret, private=private, upto=last, made_by=by
        )
        tournament_log.write(tournament, by, WebhookMade(target.host))
    return made


def remove(webhook: Webhook, by: User) -> None:
    """Remove a webhook and its deliveries."""
    delete_in_slices(webhook.deliveries.all(), ROWS)
    with transaction.atomic():
        tournament_log.write(webhook.tournament, by, WebhookRemoved(addresses.parse(webhook.url).host))
        webhook.delete()


def publish_feed(tournament: Tournament, by: User, public: bool) -> None:
    """Make the feed public, reduced to hall screen data, or private again."""
    with transaction.atomic():
        if Tournament.objects.filter(pk=tournament.pk).exclude(public_feed=public).update(public_feed=public):
            tournament_log.write(tournament, by, FeedOpened() if public else FeedClosed())


def of_tournament(tournament: Tournament) -> "QuerySet[Webhook]":
    """Webhooks of a tournament, with counts of their deliveries by state."""
    counts = {state.name.lower(): Count("deliveries", filter=Q(deliveries__state=state)) for state in Delivery.State}
    return tournament.webhooks.annotate(**counts).order_by("pk")
