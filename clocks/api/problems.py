"""What goes wrong, as problem documents (RFC 9457): what happened, in a sentence, and the field at fault."""

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

import orjson
from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI, Schema
from ninja.errors import AuthenticationError, HttpError, ValidationError
from pydantic import Field

from clocks.engine.refusals import Refused, Why
from clocks.wording.language import said

MEDIA_TYPE = "application/problem+json"
BEARER = 'Bearer realm="backgammon clock"'


class FieldProblem(Schema):
    """A field that is at fault."""

    pointer: str = Field(description="Where it is: a JSON pointer into the body, or the name of a parameter.")
    detail: str = Field(description="What is wrong with it, as a sentence.")


class ProblemDocument(Schema):
    """What went wrong (RFC 9457)."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    code: str = Field("", description="The clock's own word for a refusal, such as `bad-value`, where there is one.")
    errors: list[FieldProblem] = []


class Problem(Exception):
    """Says what went wrong with a request: a status, a sentence, and the fields at fault."""

    def __init__(
        self,
        status: int,
        detail: str,
        *,
        code: str = "",
        errors: list[tuple[str, str]] | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        self.status, self.detail, self.code = status, detail, code
        self.errors = errors or []
        self.headers = headers or {}
        super().__init__(detail)


def answer(problem: Problem) -> HttpResponse:
    """Return a problem as an answer."""
    document = ProblemDocument(
        title=HTTPStatus(problem.status).phrase,
        status=problem.status,
        detail=problem.detail,
        code=problem.code,
        errors=[FieldProblem(pointer=pointer, detail=detail) for pointer, detail in problem.errors],
    )
    response = HttpResponse(orjson.dumps(document.model_dump()), status=problem.status, content_type=MEDIA_TYPE)
    for name, value in problem.headers.items():
        response[name] = value
    response["Cache-Control"] = "no-store"
    return response


def of_refusal(refused: Refused, pointer: str = "") -> Problem:
    """Return a refusal of the rules or the desk as a problem."""
    words = said(refused.words)
    status = {Why.BAD_VALUE: 422, Why.NOT_STORED: 503, Why.NOT_DIRECTOR: 403}.get(refused.code, 409)
    return Problem(status, words, code=refused.code, errors=[(pointer, words)] if pointer else None)


@contextmanager
def at_fault(*fields: str, usual: str = "") -> Iterator[None]:
    """Say of what is refused within which of these fields is at fault: the one that the sentence names.

    Where it names none, a wrong value is that of the `usual` one. A field of `options` is called `options/delay_ms`.
    """
    try:
        yield
    except Refused as refused:
        values = getattr(refused.words, "values", {})
        named = {*values, *(str(values[key]) for key in ("name", "key") if key in values)}
        field = next((field for field in fields if field.rpartition("/")[2] in named), "")
        if not field and refused.code == Why.BAD_VALUE:
            field = usual
        raise of_refusal(refused, f"/{field}" if field else "") from None


def answered_by(api: NinjaAPI) -> None:
    """Have an API answer everything that goes wrong with a problem document."""

    @api.exception_handler(Problem)
    def _problem(request: HttpRequest, error: Problem) -> HttpResponse:
        return answer(error)

    @api.exception_handler(Refused)
    def _refused(request: HttpRequest, error: Refused) -> HttpResponse:
        return answer(of_refusal(error))

    @api.exception_handler(Http404)
    def _not_found(request: HttpRequest, error: Http404) -> HttpResponse:
        return answer(Problem(404, "There is nothing at this address that your token may see."))

    @api.exception_handler(AuthenticationError)
    def _unknown(request: HttpRequest, error: AuthenticationError) -> HttpResponse:
        return answer(unknown_token())

    @api.exception_handler(HttpError)
    def _other(request: HttpRequest, error: HttpError) -> HttpResponse:
        words = "The body is not JSON." if error.status_code == HTTPStatus.BAD_REQUEST else str(error)
        return answer(Problem(error.status_code, words))

    @api.exception_handler(ValidationError)
    def _invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
        errors = [(_pointer(each["loc"]), each["msg"]) for each in error.errors]
        words = "; ".join(f"{pointer}: {detail}" for pointer, detail in errors[:3])
        return answer(Problem(422, f"The request is not as the document describes it: {words}", errors=errors[:50]))


def unknown_token() -> Problem:
    """Return the problem with which a request without a valid token is answered."""
    words = "Send a token that is valid: “Authorization: Bearer …”. An owner makes one on the tournament’s People page."
    return Problem(401, words, headers={"WWW-Authenticate": BEARER})


def _pointer(loc: tuple[Any, ...]) -> str:
    """Return where a fault is: for a body `/pairings/0/left`, else the name of the parameter."""
    source, *rest = loc
    parts = [str(part) for part in rest]
    if source != "body":
        return "/".join(parts)
    return "".join(f"/{part}" for part in parts[1:])
