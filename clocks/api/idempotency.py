"""A request that is sent again under its Idempotency-Key gets the first answer, for a day; nothing is done twice.

Only what was done is kept: whoever is told that something is wrong can correct it and send it under the same key.
"""

import hashlib
from collections.abc import Callable
from datetime import timedelta
from typing import Annotated, Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Header, Schema

from clocks.api.gate import token_of
from clocks.api.problems import Problem
from clocks.models import ApiAnswer, ApiToken

KEPT = timedelta(days=1)
HEADER = "Idempotency-Key"
Key = Annotated[
    str | None,
    Header(
        alias=HEADER,
        min_length=1,
        max_length=200,
        description="Your own word for this request: sent again with it, it gets the first answer.",
    ),
]


def done(
    request: HttpRequest, key: str | None, shape: type[Schema], work: Callable[[], Any], status: int = 200
) -> HttpResponse:
    """Do something and answer with it, in one transaction with the answer that is kept; what was done is not repeated.

    Of two sent at once with the same key, the second waits for the first.
    """
    with transaction.atomic():
        kept = None if key is None else _kept(request, token_of(request), key)
        if kept is not None and kept.status:
            return _again(kept)
        text = shape.model_validate(work()).model_dump_json()
        if kept is not None:
            ApiAnswer.objects.filter(pk=kept.pk).update(status=status, body=text)
    return _answer(text, status)


def done_by_the_desk(
    request: HttpRequest, key: str | None, shape: type[Schema], work: Callable[[str | None], Any]
) -> HttpResponse:
    """Do something that the desk commits by itself, under a command id that makes it harmless to ask again."""
    token = token_of(request)
    if key is None:
        return _answer(shape.model_validate(work(None)).model_dump_json(), 200)
    with transaction.atomic():
        kept = _kept(request, token, key)
        if kept.status:
            return _again(kept)
    command_id = f"api-{hashlib.sha256(f'{token.pk} {key}'.encode()).hexdigest()[:48]}"
    try:
        text = shape.model_validate(work(command_id)).model_dump_json()
    except Exception:
        ApiAnswer.objects.filter(pk=kept.pk, status=0).delete()
        raise
    ApiAnswer.objects.filter(pk=kept.pk, status=0).update(status=200, body=text)
    return _answer(text, 200)


def _kept(request: HttpRequest, token: ApiToken, key: str) -> ApiAnswer:
    """Return what is kept under a key, made now where there is nothing; refuse a key of another request."""
    ApiAnswer.objects.filter(token=token, made_at__lt=timezone.now() - KEPT).delete()
    whole = f"{request.method} {request.get_full_path()}\n".encode() + request.body
    asked = hashlib.sha256(whole).hexdigest()
    kept, _made = ApiAnswer.objects.select_for_update().get_or_create(token=token, key=key, defaults={"asked": asked})
    if kept.asked != asked:
        words = "This Idempotency-Key was sent with another request. Send each request under a key of its own."
        raise Problem(422, words, errors=[(HEADER, words)])
    return kept


def _again(kept: ApiAnswer) -> HttpResponse:
    response = _answer(kept.body, kept.status)
    response["Idempotent-Replayed"] = "true"
    return response


def _answer(text: str, status: int) -> HttpResponse:
    response = HttpResponse(text, status=status, content_type="application/json; charset=utf-8")
    response["Cache-Control"] = "no-store"
    return response
