"""Idempotency-Key: for a day, a repeated request gets the first response.

Only the latest thousand responses of each token are stored, so that no program can fill the disk.
Errors are not stored, so a caller can correct a request and send it under the same key.
"""

import hashlib
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Annotated, Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Header, Schema

from clocks.api.bodies import TEXT
from clocks.api.gate import token_of
from clocks.feed.problems import Problem
from clocks.models import ApiAnswer, ApiToken

KEPT = timedelta(days=1)
MOST_KEPT = 1_000  # stored responses per token
TIDIED = 50  # most expired, and most surplus, responses deleted per request
WAIT_S, LOOK_S = 10.0, 0.05
HEADER = "Idempotency-Key"
Key = Annotated[
    str | None,
    Header(
        alias=HEADER,
        min_length=1,
        max_length=200,
        pattern=TEXT,
        description="Your own id for this request. Sent again under it, the request gets the first response.",
    ),
]


def done(
    request: HttpRequest, key: str | None, shape: type[Schema], work: Callable[[], Any], status: int = 200
) -> HttpResponse:
    """Run `work` and store its response in one transaction.

    For short work only, because the transaction holds the write lock. If two requests with the same key arrive
    together, the second waits for the first.
    """
    with transaction.atomic():
        kept = None if key is None else _kept(request, token_of(request), key)[0]
        if kept is not None and kept.status:
            return _again(kept)
        text = shape.model_validate(work()).model_dump_json()
        if kept is not None:
            ApiAnswer.objects.filter(pk=kept.pk).update(status=status, body=text)
    return _answer(text, status)


def done_by_itself(
    request: HttpRequest,
    key: str | None,
    shape: type[Schema],
    work: Callable[[str | None], Any],
    status: int = 200,
) -> HttpResponse:
    """Run `work`, which commits by itself, and store its response.

    `work` gets a command id (None without a key), by which the desk recognises a repeated command. After an error the
    key has a new one, because the desk would repeat the refusal.
    If two requests with the same key arrive together, the second waits up to WAIT_S seconds for the first.
    """
    token = token_of(request)
    if key is None:
        return _answer(shape.model_validate(work(None)).model_dump_json(), status)
    with transaction.atomic():
        kept, made = _kept(request, token, key)
    if not made:
        kept = _answered(kept)
    if kept.status:
        return _again(kept)
    command_id = f"api-{kept.pk}"
    try:
        text = shape.model_validate(work(command_id)).model_dump_json()
    except TimeoutError:  # the desk may still do it, so the next request keeps the command id
        raise
    except Exception:
        ApiAnswer.objects.filter(pk=kept.pk, status=0).delete()
        raise
    ApiAnswer.objects.filter(pk=kept.pk, status=0).update(status=status, body=text)
    return _answer(text, status)


def _answered(kept: ApiAnswer) -> ApiAnswer:
    """Wait up to WAIT_S seconds for the response of a request in progress."""
    until = time.monotonic() + WAIT_S
    while not kept.status and time.monotonic() < until:
        time.sleep(LOOK_S)
        now = ApiAnswer.objects.filter(pk=kept.pk).first()
        if now is None:  # the first request failed, so its record is gone
            break
        kept = now
    return kept


def _kept(request: HttpRequest, token: ApiToken, key: str) -> tuple[ApiAnswer, bool]:
    """Get or create the record of a key; True if created. Deletes some old ones first.

    Raises Problem (422) if the key belongs to another request.
    """
    own = ApiAnswer.objects.filter(token=token).values_list("pk", flat=True)
    old = list(own.filter(made_at__lt=timezone.now() - KEPT).order_by("pk")[:TIDIED])
    old += own.exclude(pk__in=old).order_by("-pk")[MOST_KEPT : MOST_KEPT + TIDIED]
    ApiAnswer.objects.filter(pk__in=old).delete()
    whole = f"{request.method} {request.get_full_path()}\n".encode() + request.body
    asked = hashlib.sha256(whole).hexdigest()
    kept, made = ApiAnswer.objects.select_for_update().get_or_create(token=token, key=key, defaults={"asked": asked})
    if kept.asked != asked:
        words = "This Idempotency-Key was sent with another request. Send each request under a key of its own."
        raise Problem(422, words, errors=[(HEADER, words)])
    return kept, made


def _again(kept: ApiAnswer) -> HttpResponse:
    response = _answer(kept.body, kept.status)
    response["Idempotent-Replayed"] = "true"
    return response


def _answer(text: str, status: int) -> HttpResponse:
    response = HttpResponse(text, status=status, content_type="application/json; charset=utf-8")
    response["Cache-Control"] = "no-store"
    return response
