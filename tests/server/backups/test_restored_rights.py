"""Rights and secrets after restoring a backup, possibly a forged one."""

import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from clocks.backups import taking
from tests import prepared
from tests.server.backups.test_backups import Laptop
from tests.server.backups.test_foreign_backups import tampered
from tests.server.daphne import House

pytestmark = [
    pytest.mark.django_db,  # the expected schema is built in memory
    pytest.mark.filterwarnings("ignore:Overriding setting DATABASES"),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="the database of the settings is replaced by a file"),
]

GIVEN = """
import json
from datetime import timedelta
from django.contrib.auth.models import User
from clocks.models import Membership, Wifi
from clocks.people import api_tokens, members
from clocks.webhooks import registry

olga, dora = (User.objects.create_user(name) for name in ("olga", "dora"))
tournament = members.make_tournament("open", "Open", olga)
Membership.objects.create(tournament=tournament, user=dora, role="director")
api_tokens.make(tournament, olga, "DrawBoss", "director", None)
members.invite(tournament, olga, "helper", timedelta(days=1))
Wifi.objects.create(tournament=tournament, name="Hall", password="trictrac")
print(json.dumps([registry.make(tournament, olga, f"http://127.0.0.1/{path}", True).secret for path in "ab"]))
"""
REMOVED = """
from django.contrib.auth.models import User
from clocks.models import ApiToken, Invite, Tournament
from clocks.people import api_tokens, members

olga, dora = (User.objects.get(username=name) for name in ("olga", "dora"))
members.remove(Tournament.objects.get(slug="open"), dora.pk, olga)
api_tokens.revoke(ApiToken.objects.get(), olga)
members.revoke(Invite.objects.get(), olga)
print("null")
"""
RIGHTS = (
    "SELECT (SELECT count(*) FROM clocks_membership JOIN auth_user ON auth_user.id = user_id WHERE username = 'dora'), "
    "(SELECT count(*) FROM clocks_apitoken WHERE revoked_at IS NULL), "
    "(SELECT count(*) FROM clocks_invite WHERE revoked_at IS NULL)"
)
TOKEN = "UPDATE clocks_apitoken SET token_hash = 'forged'"


@pytest.fixture
def laptop(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Laptop:
    monkeypatch.setattr(taking, "run_on", lambda url, *command: "")  # the replay of all journals takes a second
    prepared.database(tmp_path / "empty")
    return Laptop(tmp_path / "laptop", tmp_path / "empty" / "clock.sqlite3", settings)


@pytest.fixture
def house(laptop: Laptop) -> House:
    """The same data folder, for running code in another process."""
    return House(laptop.folder)


def test_a_restored_backup_brings_back_rights_removed_since(laptop: Laptop, house: House) -> None:
    house.python(GIVEN)
    backup, before = laptop.backup(), laptop.sql(RIGHTS)
    house.python(REMOVED)
    after = laptop.sql(RIGHTS)
    laptop.run("restore", str(backup), "--yes")
    assert (before, after, laptop.sql(RIGHTS)) == ([(1, 1, 1)], [(0, 0, 0)], [(1, 1, 1)])


def test_a_forged_backup_keeps_the_rights_and_passwords_in_it(laptop: Laptop, house: House) -> None:
    house.python(GIVEN)
    forged = tampered(laptop.backup(), ("UPDATE auth_user SET is_superuser = 1, password = 'forged'", TOKEN))
    laptop.run("restore", str(forged), "--yes")
    assert laptop.sql("SELECT is_superuser, password FROM auth_user WHERE username = 'dora'") == [(1, "forged")]
    assert laptop.sql("SELECT token_hash, role FROM clocks_apitoken") == [("forged", "director")]


def test_a_backup_holds_webhook_secrets_and_the_wifi_password(laptop: Laptop, house: House) -> None:
    first, second = house.python(GIVEN)
    with zipfile.ZipFile(laptop.backup()) as archive:
        database = archive.read("clock.sqlite3")
    assert [secret.encode() in database for secret in (first, second, "trictrac")] == [True] * 3
    assert first != second
