"""Signing in by name and password."""

from django.test import Client

PASSWORD = "seven green doors"


def sign_in(client: Client, name: str = "olga", password: str = PASSWORD, **more: str) -> int:
    """Submit the sign-in form and return the status."""
    return client.post("/director/", {"username": name, "password": password, **more}).status_code
