"""Turn every error of the API into problem details (RFC 9457)."""

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI, Schema
from ninja.errors import AuthenticationError, HttpError, ValidationError
from pydantic import Field

from clocks.engine.refusals import Refused, Why
from clocks.feed.problems import NOT_FOUND, Problem
from clocks.wording.language import said


class FieldProblem(Schema):
    """An invalid field."""

    pointer: str = Field(description="JSON pointer into the body, or the name of a parameter.")
    detail: str = Field(description="What is wrong with it, as a sentence.")


class ProblemDocument(Schema):
    """Problem details of an error (RFC 9457)."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    code: str = Field("", description="The clock's own code for a refusal, such as `bad-value`, or empty.")
    errors: list[FieldProblem] = []


def answer(problem: Problem) -> HttpResponse:
    """Send a problem as an HTTP response."""
    return HttpResponse(problem.body(), status=problem.status, headers=problem.headers)


def of_refusal(refused: Refused, pointer: str = "") -> Problem:
    """Convert an exception of the rules or the desk to a problem."""
    words = said(refused.words)
    status = {Why.BAD_VALUE: 422, Why.NOT_STORED: 503, Why.NOT_DIRECTOR: 403}.get(refused.code, 409)
    return Problem(status, words, code=refused.code, errors=[(pointer, words)] if pointer else None)


@contextmanager
def at_fault(*fields: str, usual: str = "") -> Iterator[None]:
    """Context manager: turn Refused into a Problem that points at the invalid field.

    If the exception names none of `fields`, a bad value is attributed to `usual`. Options are named like
    `options/delay_ms`.
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


def install(api: NinjaAPI) -> None:
    """Register exception handlers that answer with problem details."""

    @api.exception_handler(Problem)
    def _problem(request: HttpRequest, error: Problem) -> HttpResponse:
        return answer(error)

    @api.exception_handler(Refused)
    def _refused(request: HttpRequest, error: Refused) -> HttpResponse:
        return answer(of_refusal(error))

    @api.exception_handler(Http404)
    def _not_found(request: HttpRequest, error: Http404) -> HttpResponse:
        return answer(Problem(404, NOT_FOUND))

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
    """Problem (401) for a request without a valid token."""
    words = "Send a token that is valid: “Authorization: Bearer …”. An owner makes one on the tournament’s People page."
    return Problem(401, words)


def _pointer(loc: tuple[Any, ...]) -> str:
    """JSON pointer into the body (`/pairings/0/left`), or name of a parameter."""
    source, *rest = loc
    parts = [str(part) for part in rest]
    if source != "body":
        return "/".join(parts)
    return "".join(f"/{part}" for part in parts[1:])
