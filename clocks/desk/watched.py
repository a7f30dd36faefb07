"""What OpenTelemetry and Sentry are told of the desk, where the settings name one; else they are not loaded.

Nothing else of the server is watched by them. They learn how long a batch took, how many commands of how many matches
were in it, and the place in the code where one failed: no names, no commands, no values.
"""

import logging
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
    """Return what settles a batch: `settle` itself, unless somebody is to be told of it."""
    if settings.SENTRY_DSN:
        handler = ToSentry(logging.ERROR)
        handler.addFilter(Limited())  # while its database is away the desk fails each second
        logging.getLogger("clocks.desk").addHandler(handler)
    return partial(_in_a_span, settle) if settings.OTEL_EXPORTER_OTLP_ENDPOINT else settle


def _in_a_span(settle: Callable[[Sequence[T]], None], items: Sequence[T]) -> None:
    with provider().get_tracer(NAME).start_as_current_span("desk.batch") as span:
        span.set_attribute("commands", len(items))
        span.set_attribute("matches", len({getattr(item, "match_id", None) for item in items}))
        settle(items)


class ToSentry(logging.Handler):
    """Tells Sentry of exceptions that the desk has caught and logged."""

    def emit(self, record: logging.LogRecord) -> None:
        """Send what was raised and where, without the values that it met there."""
        if not record.exc_info or record.exc_info[0] is None:
            return
        from sentry_sdk.utils import event_from_exception

        try:
            event, hint = event_from_exception(record.exc_info, client_options=sentry().options)
            for raised in event["exception"]["values"]:
                raised["value"] = ""  # a database repeats in it what it was given
            event["logentry"] = {"message": str(record.msg)}  # with %d and %r in place of what was asked
            event["tags"] = {"match": str(getattr(record, "match", ""))}
            sentry().capture_event(event, hint=hint)
        except Exception:
            self.handleError(record)


@cache
def sentry() -> "Client":
    """Return the client of Sentry; made with the first fault."""
    from sentry_sdk import Client

    return Client(
        dsn=settings.SENTRY_DSN,
        release=f"{NAME}@{version()}",
        server_name="",
        default_integrations=False,
        auto_enabling_integrations=False,
        include_local_variables=False,
        include_source_context=False,
        shutdown_timeout=FLUSH_S,
    )


@cache
def provider() -> "TracerProvider":
    """Return what sends the spans; made with the first batch, so that other commands open no connection.

    OpenTelemetry reads all but its resource from its own variables: OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER.
    """
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    made = TracerProvider(resource=Resource.create({"service.name": NAME, "service.version": version()}))
    made.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return made
