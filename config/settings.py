"""Django settings, read from the environment; an invalid value prevents the start.

The error message names it. All variables are optional: DATA_DIR, BACKUP_DIR, SECRET_KEY, DEBUG, ALLOWED_HOSTS,
BASE_URL, TRUSTED_PROXIES, DATABASE_URL, CHANNEL_REDIS_URL, WEB_CONCURRENCY, ADMIN, WEBHOOKS_PRIVATE, CASUAL_PER_PHONE,
CASUAL_PER_ADDRESS, CASUAL_PER_HOUR, KEEP_DAYS, METRICS_TOKEN, SENTRY_DSN, OTEL_EXPORTER_OTLP_ENDPOINT,
OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG, LOG_LEVEL, LOG_FORMAT. docs/settings.md explains each.
"""

import contextlib
import os
import re
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TextIO
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key

from config import proxies
from config.private import keep_database_private, keep_private

BASE_DIR = Path(__file__).resolve().parent.parent

env = environ.Env()
DATABASE_SCHEMES = ("postgres", "postgresql", "sqlite")


def _flag(name: str) -> bool:
    """Boolean such as yes, 0 or on from the environment; False if unset or empty."""
    value = env.str(name, default="no").strip().lower()
    if value not in ("1", "0", "true", "false", "yes", "no", "on", "off", ""):
        raise ImproperlyConfigured(f"{name} must be yes or no, not {value!r}")
    return value in ("1", "true", "yes", "on")


def _whole(name: str, default: int) -> int:
    """Positive integer from the environment; the default may be 0."""
    value = env.str(name, default="").strip()
    if not value:
        return default
    if not (value.isascii() and value.isdigit() and int(value)):
        raise ImproperlyConfigured(f"{name} must be a whole number above 0, not {value!r}")
    return int(value)


def _address(name: str, example: str, schemes: tuple[str, ...]) -> str:
    """URL from the environment, "" if unset; the error message never shows a password."""
    value = str(env.str(name, default=""))
    parts = urlsplit(value)
    shown = repr(value) if "@" not in value else "what it is now"
    if value and (parts.scheme not in schemes or not (parts.hostname or parts.scheme in ("sqlite", "unix"))):
        raise ImproperlyConfigured(f"{name} must look like {example}, not {shown}")
    try:
        is_port = parts.port is None or parts.port > 0
    except ValueError:
        is_port = False
    # PostgreSQL accepts several hosts, each with its port; its driver checks those.
    if not is_port and "," not in parts.netloc:
        raise ImproperlyConfigured(f"{name} must have a port from 1 to 65535, not {shown}")
    return value


def _proxies(name: str) -> list[proxies.Network]:
    """Trusted proxy networks from the environment; an error names the invalid one."""
    found = []
    for text in filter(None, map(str.strip, env.list(name, default=[]))):
        try:
            found.append(proxies.network(text))
        except ValueError:
            raise ImproperlyConfigured(
                f"{name} must be addresses or networks such as 127.0.0.1,10.8.0.0/24, not {text!r}"
            ) from None
    return found


def _new_private_file(path: Path) -> TextIO:
    """Create a file with mode 0600 for writing; fails if it exists."""
    return os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="ascii")


def _own_secret_key() -> str:
    """Secret key of this installation, generated on first start and kept in DATA_DIR."""
    path = DATA_DIR / "secret-key"
    made = False
    try:
        with contextlib.suppress(FileExistsError), _new_private_file(path) as file:
            made = True
            file.write(get_random_secret_key())
    except OSError as error:
        if made:
            path.unlink(missing_ok=True)  # don't leave a partial key
        raise ImproperlyConfigured(f"{path} cannot be written: {error.strerror}") from None
    # If two processes start together, both read the first one's key, which may still be being written.
    for _ in range(100):
        if key := path.read_text():
            return key
        time.sleep(0.02)
    raise ImproperlyConfigured(
        f"{path} is empty. Remove it: the next start makes a new key, and everybody signs in again"
    )


def _data_folder(path: Path) -> Path:
    """Data folder, created if missing; an error says what is wrong with it."""
    advice = "Set DATA_DIR to a folder in which the clock may write"
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(
            f"There is no folder {path}, and it cannot be created: {error.strerror}. {advice}"
        ) from None
    if not os.access(path, os.W_OK):
        raise ImproperlyConfigured(f"The clock may not write in {path}, where everything is kept. {advice}")
    return path


DATA_DIR = _data_folder(Path(env.str("DATA_DIR", default="") or BASE_DIR / "var").resolve())
# Folder for backups and the record of the last one; processes with separate data folders can share it.
_backups = env.str("BACKUP_DIR", default="")
BACKUP_DIR = Path(_backups).resolve() if _backups else None  # None: in DATA_DIR
SERVED_ADDRESS_FILE = DATA_DIR / "address"  # address of the running server, for the other commands
# The served certificate, and the authority that phones may install; set by `serve --tls`.
CERTIFICATE_FILE: Path | None = None
AUTHORITY_FILE: Path | None = None

SECRET_KEY = env.str("SECRET_KEY", default="") or _own_secret_key()
if len(SECRET_KEY) < 32 or len(set(SECRET_KEY)) < 5:
    raise ImproperlyConfigured(
        "SECRET_KEY must be 32 random characters or more, because whoever guesses it signs in as anybody. This prints "
        "one: openssl rand -hex 32"
    )
keep_private(DATA_DIR / "secret-key", DATA_DIR / "tls", *(DATA_DIR / "tls").glob("*.key"))
DEBUG = _flag("DEBUG")
ALLOWED_HOSTS = [*env.list("ALLOWED_HOSTS", default=[]), "localhost", "127.0.0.1", "[::1]"]
BASE_URL = _address("BASE_URL", "https://clock.example.org", ("http", "https"))  # base of the URLs in QR codes
if BASE_URL:
    ALLOWED_HOSTS.append(str(urlsplit(BASE_URL).hostname))
HTTPS = BASE_URL.startswith("https://")
TRUSTED_PROXIES = _proxies("TRUSTED_PROXIES")  # X-Forwarded-For and -Proto are trusted from these only

# Casual matches per hour: per phone, per address (a whole hall may share one), and in total.
CASUAL_PER_HOUR = {
    "device": _whole("CASUAL_PER_PHONE", 20),
    "address": _whole("CASUAL_PER_ADDRESS", 120),
    "all": _whole("CASUAL_PER_HOUR", 600),
}

KEEP_DAYS = _whole("KEEP_DAYS", 0)  # days for which names are kept after a tournament's last event; 0: for ever

# Webhooks to this machine and its private network; a hosted clock should forbid them.
WEBHOOKS_PRIVATE = env.str("WEBHOOKS_PRIVATE", default="").strip() == "" or _flag("WEBHOOKS_PRIVATE")

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.forms",  # its widget templates, used with our field templates
    "clocks",
]

DATA_UPLOAD_MAX_NUMBER_FIELDS = 4_000  # the slips of 1,000 matches have up to three fields each

MIDDLEWARE = [
    "clocks.middleware.SecurityHeaders",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

FORM_RENDERER = "clocks.views.forms.renderer.FieldRenderer"

_sqlite = {"ENGINE": "django.db.backends.sqlite3", "NAME": str(DATA_DIR / "clock.sqlite3")}
_database = _address("DATABASE_URL", "postgres://user:password@host/name", DATABASE_SCHEMES)
DATABASES: dict[str, dict[str, Any]] = {"default": env.db_url("DATABASE_URL") if _database else _sqlite}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        # An acknowledged hit is on disk; writers queue instead of failing half-way. Checkpoints run in the
        # background (`host/checkpoints.py`); the log reaches 64 MB only while no second passes without a commit.
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=16000;",
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
    }
    keep_database_private(Path(DATABASES["default"]["NAME"]))
else:
    # Give up on an unreachable PostgreSQL after some seconds, or callers would hang.
    patience = {"connect_timeout": 3, "tcp_user_timeout": 5_000}
    patience |= {"keepalives_idle": 3, "keepalives_interval": 1, "keepalives_count": 3}
    # Peak use: four page threads, five socket threads (four opening, one ruling), the desk, the flag watch with its
    # catch-up poll, the feed and webhook delivery. After an outage, the next request makes the pool reconnect.
    pool = {"min_size": 1, "max_size": 20, "timeout": 5.0, "reconnect_timeout": 2.0}
    DATABASES["default"]["OPTIONS"] = {**patience, **DATABASES["default"].get("OPTIONS", {}), "pool": pool}
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True  # don't hand out a connection that PostgreSQL has closed
DATABASES["default"]["CONN_MAX_AGE"] = 0  # under ASGI nothing else reliably closes or returns connections

# Number of server processes; uvicorn reads WEB_CONCURRENCY too.
PROCESSES = _whole("WEB_CONCURRENCY", 1)

CHANNEL_REDIS_URL = _address("CHANNEL_REDIS_URL", "redis://host:6379/0", ("redis", "rediss", "unix"))
CHANNEL_LAYERS = {
    "default": {"BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer", "CONFIG": {"hosts": [CHANNEL_REDIS_URL]}}
    if CHANNEL_REDIS_URL
    else {"BACKEND": "channels.layers.InMemoryChannelLayer"}
}

LANGUAGE_CODE = "en"
LANGUAGES = [  # native names
    ("en", "English"),
    ("fr", "Français"),
    ("de", "Deutsch"),
    ("es", "Español"),
    ("da", "Dansk"),
    ("ja", "日本語"),
]
LOCALE_PATHS = [BASE_DIR / "clocks" / "locale"]
LANGUAGE_COOKIE_NAME = "language"
LANGUAGE_COOKIE_AGE = 400 * 24 * 3600  # the maximum in browsers
LANGUAGE_COOKIE_SAMESITE = "Lax"
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = DATA_DIR / "static"
WHITENOISE_ALLOW_ALL_ORIGINS = False  # no other site needs them; saves a header on some forty files per page
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.storage.HashedStatic"},
}

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LOGIN_URL = "/director/"
ADMIN = _flag("ADMIN")  # enables /admin/
AUTHENTICATION_BACKENDS = ["clocks.people.backend.ThrottledBackend"]
PASSWORD_HASHERS = ["clocks.people.hashing.QuietPBKDF2"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
CSRF_FAILURE_VIEW = "clocks.views.errors.csrf_failure"
SECURE_REFERRER_POLICY = "same-origin"  # `no-referrer` would make browsers send `Origin: null`, and POST fail with 403
SECURE_CROSS_ORIGIN_OPENER_POLICY = None  # set in clocks/middleware.py, which omits it on plain http
SESSION_ENGINE = "clocks.people.sessions"
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
# Cookie prefix: over https, no other host or insecure page can set these cookies. `serve --tls` does the same.
HOST_ONLY = "__Host-"
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME, DEVICE_COOKIE_NAME, KNOWN_COOKIE_NAME = (
    f"{HOST_ONLY if HTTPS else ''}{name}" for name in ("sessionid", "csrftoken", "device", "known")
)
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0  # not with our own certificate: its warning must be skippable

# The proxy redirects to https (deploy/); HSTS for subdomains and preloading are up to the owner of the domain.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W008", "security.W021"]

METRICS_TOKEN = env.str("METRICS_TOKEN", default="")  # required for /metrics from other machines
if METRICS_TOKEN and len(METRICS_TOKEN) < 16:
    raise ImproperlyConfigured("METRICS_TOKEN must have 16 characters or more")


def _told(name: str, module: str, install: str) -> str:
    """URL of a monitoring service, "" if unset; an error if its client is missing."""
    address = _address(name, "https://host/path", ("http", "https"))
    if address and not find_spec(module):
        raise ImproperlyConfigured(f"{name} needs what is not installed here: python -m pip install {install}")
    return address


SENTRY_DSN = _told("SENTRY_DSN", "sentry_sdk", "sentry-sdk==2.75.0")
OTEL_EXPORTER_OTLP_ENDPOINT = _told(
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "opentelemetry",
    "opentelemetry-sdk==1.45.2 opentelemetry-exporter-otlp-proto-http==1.45.2",
)

if SENTRY_DSN:
    from sentry_sdk.utils import BadDsn, Dsn

    try:
        Dsn(SENTRY_DSN)
    except BadDsn:
        raise ImproperlyConfigured(
            "SENTRY_DSN must look like https://key@host/project, as the project's page in Sentry shows it"
        ) from None
# OpenTelemetry reads these itself, and would sample all spans if one is invalid.
SAMPLERS = ("always_on", "always_off", "traceidratio")
if OTEL_EXPORTER_OTLP_ENDPOINT:
    _sampler = env.str("OTEL_TRACES_SAMPLER", default="") or "parentbased_always_on"
    if _sampler.removeprefix("parentbased_") not in SAMPLERS:
        raise ImproperlyConfigured(
            f"OTEL_TRACES_SAMPLER must be {', '.join(SAMPLERS)}, or one of these after parentbased_, not {_sampler!r}"
        )
    _share = env.str("OTEL_TRACES_SAMPLER_ARG", default="") or "1"
    if _sampler.endswith("traceidratio") and not re.fullmatch(r"0(\.\d+)?|1(\.0+)?|\.\d+", _share):
        raise ImproperlyConfigured(f"OTEL_TRACES_SAMPLER_ARG must be a share from 0 to 1, such as 0.01, not {_share!r}")

LOG_LEVEL = env.str("LOG_LEVEL", default="").upper() or "INFO"
if LOG_LEVEL not in ("DEBUG", "INFO", "WARNING", "ERROR"):
    raise ImproperlyConfigured(f"LOG_LEVEL must be DEBUG, INFO, WARNING or ERROR, not {LOG_LEVEL!r}")
LOG_FORMAT = env.str("LOG_FORMAT", default="").lower() or "text"
if LOG_FORMAT not in ("text", "json"):
    raise ImproperlyConfigured(f"LOG_FORMAT must be text or json, not {LOG_FORMAT!r}")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {"()": "config.logs.Line", "format": "%(asctime)s %(levelname)s %(name)s: %(message)s"},
        "json": {"()": "config.logs.Json"},
    },
    "filters": {"limited": {"()": "config.logs.Limited"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT, "filters": ["limited"]}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "clocks": {"level": LOG_LEVEL},
        # Remove Django's own handlers, so that every line goes through the redacting formatter.
        "django": {"handlers": [], "level": "WARNING", "propagate": True},
        "django.request": {"level": "ERROR"},  # mistyped codes are 404s, not worth a log line
        "django.security.DisallowedHost": {"level": "CRITICAL"},  # nor are network scans
    },
}
