"""OpenTelemetry spans and Sentry events of the desk, if configured.

They receive the duration of each batch and its counts of commands and matches; for a failure, its location in the code,
the log message and the match's id; but no names, commands or other values. Nothing else in the server is reported, and
unless configured neither library is imported.
"""

import atexit
import logging
import threading
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, TypeVar

from django.conf import settings

from clocks.host.version import version
from config.logs import Limited

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from sentry_sdk import Client

T = TypeVar("T")
NAME = "backgammon-clock"
FLUSH_S = 2.0


def watched(settle: Callable[[Sequence[T]], None]) -> Callable[[Sequence[T]], None]:
    """Wrap `settle` for OpenTelemetry, and report failures to Sentry."""
    if settings.SENTRY_DSN:
        handler = ToSentry(logging.ERROR)
        handler.addFilter(Limited())  # rate-limited, because without its database the desk fails every second
        logging.getLogger("clocks.desk").addHandler(handler)
    return partial(_in_a_span, settle) if settings.OTEL_EXPORTER_OTLP_ENDPOINT else settle


def _in_a_span(settle: Callable[[Sequence[T]], None], items: Sequence[T]) -> None:
    with provider().get_tracer(NAME).start_as_current_span("desk.batch") as span:
        span.set_attribute("commands", len(items))
        span.set_attribute("matches", len({getattr(item, "match_id", None) for item in items}))
        settle(items)


class ToSentry(logging.Handler):
    """Log handler that reports the desk's exceptions to Sentry."""

    def emit(self, record: logging.LogRecord) -> None:
        """Send the exception and its location, without values."""
        if not record.exc_info or record.exc_info[0] is None:
            return
        from sentry_sdk.utils import event_from_exception

        try:
            event, hint = event_from_exception(record.exc_info, client_options=sentry().options)
            for raised in event["exception"]["values"]:
                raised["value"] = ""  # database errors contain values
            event["logentry"] = {"message": str(record.msg)}  # the unformatted message, without values
            event["tags"] = {"match": str(getattr(record, "match", ""))}
            sentry().capture_event(event, hint=hint)
        except Exception:
            self.handleError(record)


@cache
def sentry() -> "Client":
    """Sentry client, created on the first failure."""
    from sentry_sdk import Client

    return Client(
        dsn=settings.SENTRY_DSN,
        release=f"{NAME}@{version()}",
        server_name="",
        default_integrations=False,
        include_local_variables=False,
        include_source_context=False,
        shutdown_timeout=FLUSH_S,
    )


@cache
def provider() -> "TracerProvider":
    """OpenTelemetry tracer provider, created on the first batch.

    Configured by OpenTelemetry's environment variables, such as OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_TRACES_SAMPLER.
    """
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    resource = Resource.create({"service.name": NAME, "service.version": version()})
    made = TracerProvider(resource=resource, shutdown_on_exit=False)
    made.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    atexit.register(within_flush_s(made.shutdown))
    return made


def within_flush_s(shutdown: Callable[[], object]) -> Callable[[], None]:
    """Wrap `shutdown` to return after FLUSH_S even if it hangs.

    OpenTelemetry keeps retrying while its collector is down. The thread is started now, because at exit Python starts
    no threads.
    """
    ends = threading.Event()

    def end() -> None:
        ends.wait()
        shutdown()

    ending = threading.Thread(target=end, name="flush", daemon=True)
    ending.start()

    def called_at_exit() -> None:
        ends.set()
        ending.join(FLUSH_S)

    return called_at_exit
