"""Somebody who signs in by name and password, as tests need it."""

from django.test import Client

PASSWORD = "seven green doors"


def sign_in(client: Client, name: str = "olga", password: str = PASSWORD, **more: str) -> int:
    """Send the form of the door; return the status of the answer."""
    return client.post("/director/", {"username": name, "password": password, **more}).status_code
