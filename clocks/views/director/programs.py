"""Settings for other programs: the public feed and webhooks."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST

from clocks.engine.refusals import Refused
from clocks.host import addresses
from clocks.models import Tournament
from clocks.people.roles import Action
from clocks.views import access
from clocks.views.access import signed_in
from clocks.views.forms.posted import posted
from clocks.views.forms.renderer import CHECK
from clocks.views.page import FORM, page
from clocks.webhooks import registry
from clocks.webhooks.addresses import LONGEST
from clocks.wording.language import said


class NewWebhook(forms.Form):
    """Address of a new webhook."""

    url = forms.CharField(
        label=_("Address"),
        max_length=LONGEST,
        widget=forms.URLInput(attrs={"placeholder": "https://example.org/clock", "autocomplete": "off"}),
    )
    private = forms.BooleanField(
        label=_("It may be on this machine or in our own network"), required=False, template_name=CHECK
    )

    def __init__(self, *args: Any, may_be_private: bool = True, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not may_be_private:
            del self.fields["private"]


@require_http_methods(FORM)
@access.to(Action.PEOPLE)
def programs(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """List the webhooks with their last response.

    A POST adds one and shows its secret once.
    """
    form = NewWebhook(posted(request), may_be_private=settings.WEBHOOKS_PRIVATE)
    made = None
    if request.method == "POST" and form.is_valid():
        try:
            given = form.cleaned_data
            made = registry.make(tournament, signed_in(request), given["url"].strip(), given.get("private", False))
            form = NewWebhook(may_be_private=settings.WEBHOOKS_PRIVATE)
        except Refused as refused:
            form.add_error("url", said(refused.words))
    return page(
        request,
        tournament,
        "programs",
        form,
        here="people",
        made=made,
        webhooks=registry.of_tournament(tournament),
        api=f"{addresses.base_url(request)}/api/v1/tournaments/{tournament.slug}",
    )


@require_POST
@access.to(Action.PEOPLE)
def remove_webhook(request: HttpRequest, tournament: Tournament, webhook_id: int) -> HttpResponse:
    """Remove a webhook."""
    registry.remove(get_object_or_404(tournament.webhooks, pk=webhook_id), signed_in(request))
    messages.success(request, gettext("The address has been removed. Nothing is sent to it any more."))
    return redirect("programs", tournament.slug)


@require_POST
@access.to(Action.PEOPLE)
def publish_feed(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Open or close the public feed of the hall screen's data."""
    public = request.POST.get("public") == "yes"
    registry.publish_feed(tournament, signed_in(request), public)
    words = (
        gettext("Everybody may follow the feed now.")
        if public
        else gettext("Only programs with a token may follow the feed.")
    )
    messages.success(request, words)
    return redirect("programs", tournament.slug)
