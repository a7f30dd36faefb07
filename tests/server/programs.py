"""API client with a token."""

import json
from typing import Any

from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client

from clocks.models import Membership, Tournament
from clocks.people import api_tokens

OPEN = "/api/v1/tournaments/open"


def owner_of(tournament: Tournament) -> User:
    """Return an owner of the tournament, creating one if necessary."""
    member = tournament.memberships.filter(role="owner").select_related("user").first()
    if member is None:
        user = User.objects.create_user(f"owner-of-{tournament.slug}")
        member = Membership.objects.create(tournament=tournament, user=user, role="owner")
    return member.user


class Program:
    """API client, with a token for a role in a tournament or without a token."""

    def __init__(self, tournament: Tournament | None = None, role: str = "director", name: str = "Draws") -> None:
        self.token = api_tokens.make(tournament, owner_of(tournament), name, role, None) if tournament else ""
        self.client = Client()

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> HttpResponse:
        """Request a path, relative to the tournament unless it starts with /api."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token:
            named["Authorization"] = f"Bearer {self.token}"
        address = path if path.startswith("/api") else f"{OPEN}{path}"
        data = "" if body is None else json.dumps(body)
        answer: HttpResponse = self.client.generic(
            method.upper(), address, data, content_type="application/json", headers=named
        )
        return answer

    def get(self, path: str = "", **headers: str) -> Any:
        """Read an existing resource."""
        answer = self.ask("get", path, **headers)
        assert answer.status_code == 200, answer.content
        return answer.json()
