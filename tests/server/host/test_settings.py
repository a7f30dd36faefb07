"""Settings: defaults of a fresh clone, and errors naming the setting."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher

from clocks.people.hashing import QuietPBKDF2

ROOT = Path(__file__).resolve().parents[3]


def start(data_dir: Path, code: str = "", first: str = "", **environment: str) -> tuple[int, str, str]:
    """Load the settings in a new process; run `first` before and `code` after.

    Returns the exit status, the output and the last line of stderr.
    """
    done = subprocess.run(
        [sys.executable, "-c", f"{first}\nfrom config import settings; {code}"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "DATA_DIR": str(data_dir), **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout.strip(), (done.stderr.strip().splitlines() or [""])[-1]


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("DEBUG", "perhaps", "DEBUG must be yes or no, not 'perhaps'"),
        ("LOG_LEVEL", "loud", "LOG_LEVEL must be DEBUG, INFO, WARNING or ERROR, not 'LOUD'"),
        ("BASE_URL", "clock.example.org", "BASE_URL must look like https://clock.example.org, not 'clock.example.org'"),
        ("BASE_URL", "ftp://clock", "BASE_URL must look like https://clock.example.org, not 'ftp://clock'"),
        (
            "TRUSTED_PROXIES",
            "127.0.0.1,proxy.example.org",
            "TRUSTED_PROXIES must be addresses or networks such as 127.0.0.1,10.8.0.0/24, not 'proxy.example.org'",
        ),
        (
            "TRUSTED_PROXIES",
            "0.0.0.0/0",
            "TRUSTED_PROXIES must be addresses or networks such as 127.0.0.1,10.8.0.0/24, not '0.0.0.0/0'",
        ),
        (
            "TRUSTED_PROXIES",
            "10.8.0.7/24",
            "TRUSTED_PROXIES must be addresses or networks such as 127.0.0.1,10.8.0.0/24, not '10.8.0.7/24'",
        ),
        ("DATABASE_URL", "nonsense", "DATABASE_URL must look like postgres://user:password@host/name, not 'nonsense'"),
        ("CHANNEL_REDIS_URL", "host", "CHANNEL_REDIS_URL must look like redis://host:6379/0, not 'host'"),
        (
            "CHANNEL_REDIS_URL",
            "redis://host:99999/0",
            "CHANNEL_REDIS_URL must have a port from 1 to 65535, not 'redis://host:99999/0'",
        ),
        ("BASE_URL", "http://clock:99999", "BASE_URL must have a port from 1 to 65535, not 'http://clock:99999'"),
        ("BASE_URL", "http://clock:0", "BASE_URL must have a port from 1 to 65535, not 'http://clock:0'"),
        (
            "SECRET_KEY",
            "x",
            "SECRET_KEY must be 32 random characters or more, because whoever guesses it signs in as anybody. This "
            "prints one: openssl rand -hex 32",
        ),
        (
            "SENTRY_DSN",
            "https://sentry.example.org/1",
            "SENTRY_DSN must look like https://key@host/project, as the project's page in Sentry shows it",
        ),
    ],
)
def test_a_wrong_value_fails_at_the_start_with_its_name(tmp_path: Path, name: str, value: str, words: str) -> None:
    status, _, last = start(tmp_path, **{name: value})
    assert (status, last) == (1, f"django.core.exceptions.ImproperlyConfigured: {words}")


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        (
            "OTEL_TRACES_SAMPLER",
            "sometimes",
            "OTEL_TRACES_SAMPLER must be always_on, always_off, traceidratio, or one of these after parentbased_, not "
            "'sometimes'",
        ),
        (
            "OTEL_TRACES_SAMPLER_ARG",
            "1 %",
            "OTEL_TRACES_SAMPLER_ARG must be a share from 0 to 1, such as 0.01, not '1 %'",
        ),
    ],
)
def test_a_wrong_sampler_fails_at_the_start_with_its_name(tmp_path: Path, name: str, value: str, words: str) -> None:
    given = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318", "OTEL_TRACES_SAMPLER": "traceidratio"}
    status, _, last = start(tmp_path, **given | {name: value})
    assert (status, last) == (1, f"django.core.exceptions.ImproperlyConfigured: {words}")
    assert start(tmp_path, **given, OTEL_TRACES_SAMPLER_ARG="0.01")[0] == 0


def test_settings_that_are_empty_have_their_defaults(tmp_path: Path) -> None:
    text = (ROOT / "docs/settings.md").read_text()
    names = {name for line in text.splitlines() for name in re.findall(r"`([A-Z_]{4,})`", line.split(" | ")[0])}
    assert len(names) > 20
    code = "print(settings.LOG_LEVEL, settings.CASUAL_PER_HOUR['all'], settings.WEBHOOKS_PRIVATE)"
    assert start(tmp_path, code, **dict.fromkeys(names - {"DATA_DIR"}, "")) == (0, "INFO 600 True", "")


def test_an_unwritable_data_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    status, _, last = start(tmp_path / "file" / "folder")
    assert (status, last) == (
        1,
        f"django.core.exceptions.ImproperlyConfigured: There is no folder {tmp_path}/file/folder, and it cannot "
        "be created: Not a directory. Set DATA_DIR to a folder in which the clock may write",
    )


def test_a_command_reports_a_wrong_setting_in_one_line(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "verify"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path), "LOG_LEVEL": "loud"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, "LOG_LEVEL must be DEBUG, INFO, WARNING or ERROR, not 'LOUD'\n")


def test_a_command_reports_a_database_error_in_one_line(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "verify"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    words = "The database refuses: no such table: clocks_match. `manage.py upgrade` finds out what it needs.\n"
    assert (done.returncode, done.stderr) == (1, words)


def test_a_password_in_a_wrong_address_is_not_repeated(tmp_path: Path) -> None:
    _, _, last = start(tmp_path, DATABASE_URL="oops://me:secret@host/name")
    assert "secret" not in last


def test_the_secret_key_is_made_once_and_readable_by_its_owner_only(tmp_path: Path) -> None:
    first = start(tmp_path, "print(settings.SECRET_KEY)")
    assert start(tmp_path, "print(settings.SECRET_KEY)") == first
    assert first[0] == 0 and len(first[1]) >= 50
    assert (tmp_path / "secret-key").stat().st_mode & 0o777 == 0o600


def test_an_unreadable_secret_key_is_not_replaced(tmp_path: Path) -> None:
    first = start(tmp_path, "print(settings.SECRET_KEY)")
    no_more_files = "import os\ndef no_more(*_, **__): raise OSError(24, 'Too many open files')\nos.open = no_more"
    status, _, last = start(tmp_path, first=no_more_files)
    assert (status, "secret-key cannot be written: Too many open files" in last) == (1, True)
    assert start(tmp_path, "print(settings.SECRET_KEY)") == first


LOAD = (
    "import os, django; os.environ['DJANGO_SETTINGS_MODULE'] = 'config.settings'; django.setup(); "
    "from django.db import connection; connection.cursor().execute('CREATE TABLE anything (x)'); "
    "from pathlib import Path; print(*sorted(f'{path.name} {path.stat().st_mode & 0o777:o}' "
    "for path in [settings.DATA_DIR, *settings.DATA_DIR.iterdir()]), sep=', ')"
)


def test_database_and_keys_are_created_with_mode_0600(tmp_path: Path) -> None:
    status, modes, _ = start(tmp_path / "folder", LOAD)
    private = "clock.sqlite3 600, clock.sqlite3-shm 600, clock.sqlite3-wal 600, folder 700, secret-key 600"
    assert (status, modes) == (0, private)


def test_open_permissions_are_mended_at_the_start(tmp_path: Path) -> None:
    start(tmp_path, LOAD)
    (tmp_path / "tls").mkdir(mode=0o755)
    names = "secret-key", "clock.sqlite3", "clock.sqlite3-wal", "clock.sqlite3-shm", "tls/clock.key"
    for name in names:
        (tmp_path / name).touch()
        (tmp_path / name).chmod(0o644)
    tmp_path.chmod(0o755)
    assert start(tmp_path)[0] == 0
    modes = {name: (tmp_path / name).stat().st_mode & 0o777 for name in (*names, "tls", ".")}
    # The folder keeps its mode, which somebody may have chosen.
    assert modes == dict.fromkeys(names, 0o600) | {"tls": 0o700, ".": 0o755}


def test_a_data_folder_may_have_characters_that_urls_escape(tmp_path: Path) -> None:
    folder = tmp_path / "Anna's #1 100% ?"
    status, name, _ = start(folder, "print(settings.DATABASES['default']['NAME'])")
    assert (status, name) == (0, str(folder / "clock.sqlite3"))


def test_sqlite_is_durable(tmp_path: Path) -> None:
    _, options, _ = start(tmp_path, "print(settings.DATABASES['default']['OPTIONS'])")
    assert "synchronous=FULL" in options and "journal_mode=WAL" in options and "IMMEDIATE" in options


def test_cookies_are_secure_on_https(tmp_path: Path) -> None:
    code = "print(settings.SESSION_COOKIE_SECURE, settings.CSRF_COOKIE_SECURE)"
    assert start(tmp_path, code)[1] == "False False"
    assert start(tmp_path, code, BASE_URL="https://clock.example.org")[1] == "True True"


def test_with_https_cookies_are_host_only_and_hsts_is_sent(tmp_path: Path) -> None:
    names = "SESSION_COOKIE_NAME", "CSRF_COOKIE_NAME", "DEVICE_COOKIE_NAME", "SECURE_HSTS_SECONDS"
    code = f"print(*(getattr(settings, name) for name in {names}))"
    assert start(tmp_path, code)[1] == "sessionid csrftoken device 0"
    secured = "__Host-sessionid __Host-csrftoken __Host-device 31536000"
    assert start(tmp_path, code, BASE_URL="https://clock.example.org")[1] == secured


def test_passwords_are_hashed_by_djangos_pbkdf2(tmp_path: Path) -> None:
    assert start(tmp_path, "print(settings.PASSWORD_HASHERS)")[1] == "['clocks.people.hashing.QuietPBKDF2']"
    assert QuietPBKDF2().encode("a password", "salt", 1_000) == PBKDF2PasswordHasher().encode(
        "a password", "salt", 1_000
    )
