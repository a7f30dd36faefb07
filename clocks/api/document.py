"""The API with its operations, its OpenAPI document, and a page that shows it."""

from collections.abc import Callable
from copy import deepcopy
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import path, re_path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema

from clocks.api import following, problems, reading, what_if, writing
from clocks.api.gate import Token
from clocks.feed import stream
from clocks.feed.problems import MEDIA_TYPE, Problem

PREFIX = "/api/v1"
METHODS = ("get", "put", "post", "delete", "patch")
DESCRIPTION = (
    "Read tournaments, rounds, tables, matches, turns, journals and results. Write draws, results of matches without a "
    "clock, and messages. Rulings on a running match stay with people. Every error is a problem details object (RFC "
    "9457). Durations end in _ms; timestamps are milliseconds of server time."
)
ETAG = {"description": "Version of this response. Send it as If-None-Match to get 304 until something changes."}


class Clock(NinjaAPI):
    """The API; its document also has the feed, problem details and response headers."""

    def get_openapi_schema(self, **options: Any) -> OpenAPISchema:
        """Build the OpenAPI document."""
        document = super().get_openapi_schema(**options)
        document["paths"][f"{PREFIX}/tournaments/{{slug}}/feed"] = deepcopy(stream.DOCUMENT)
        for operations in document["paths"].values():
            for operation in operations.values():
                for status, response in operation["responses"].items():
                    _described(int(status), response, 304 in map(int, operation["responses"]))
        _pairs_as_lists(document)
        return document


def _pairs_as_lists(part: Any) -> None:
    """Describe pairs as lists, because many OpenAPI tools don't know `prefixItems`."""
    if isinstance(part, dict):
        if "prefixItems" in part:
            part["items"] = part.pop("prefixItems")[0]  # minItems and maxItems are both 2
        for each in part.values():
            _pairs_as_lists(each)
    elif isinstance(part, list):
        for each in part:
            _pairs_as_lists(each)


def _described(status: int, response: dict[str, Any], polled: bool) -> None:
    if status >= 400 and "content" in response:
        response["content"] = {MEDIA_TYPE: next(iter(response["content"].values()))}
    if polled and status in (200, 304):
        response["headers"] = {"ETag": {"schema": {"type": "string"}, **ETAG}}
    if status == 429:
        response["headers"] = {
            "Retry-After": {"schema": {"type": "integer"}, "description": "Seconds to wait before the next request."}
        }
    if status == 401:
        response["headers"] = {"WWW-Authenticate": {"schema": {"type": "string"}}}


api = Clock(
    title="Backgammon clock",
    version="1",
    description=DESCRIPTION,
    openapi_url=None,
    docs_url=None,
    auth=Token(),
    urls_namespace="api",
)
problems.install(api)
assert following.router is writing.router is reading.router  # Ninja needs GET and PUT of a path in the same router
api.add_router("", reading.router)
api.add_router("", what_if.router)


@require_safe
def openapi(request: HttpRequest) -> JsonResponse:
    """Serve the OpenAPI 3.1 document."""
    response = JsonResponse(dict(api.get_openapi_schema(path_prefix=f"{PREFIX[1:]}/")))
    response["Cache-Control"] = "public, max-age=300"
    response["Access-Control-Allow-Origin"] = "*"  # public, and OpenAPI editors run in browsers
    return response


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """Show the OpenAPI document as a page."""
    document = api.get_openapi_schema(path_prefix=f"{PREFIX[1:]}/")
    operations = [
        {**operation, "method": method.upper(), "path": where, "answers": _answers(operation), "body": _body(operation)}
        for where, found in document["paths"].items()
        for method, operation in found.items()
        if method in METHODS
    ]
    shapes = document["components"]["schemas"]
    context = {
        "document": document,
        "operations": operations,
        "shapes": [_shape(name, shapes[name]) for name in shapes],
    }
    return render(request, "clocks/api/docs.html", context)


def _answers(operation: dict[str, Any]) -> list[dict[str, Any]]:
    """List an operation's responses: status, type, name and description."""
    found = []
    for status, response in operation["responses"].items():
        schema: dict[str, Any] = next((content["schema"] for content in response.get("content", {}).values()), {})
        shape = _type(schema) if schema else ""
        found.append(
            {"status": status, "shape": shape, "name": shape.strip("[]"), "description": response["description"]}
        )
    return found


def _body(operation: dict[str, Any]) -> str:
    """Type of an operation's request body, or ""."""
    content = operation.get("requestBody", {}).get("content", {})
    return _type(next(iter(content.values()))["schema"]) if content else ""


def _shape(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    required = schema.get("required", ())
    fields = [
        {"name": field, "type": _type(part), "required": field in required, "description": part.get("description", "")}
        for field, part in schema.get("properties", {}).items()
    ]
    return {"name": name, "description": schema.get("description", ""), "fields": fields}


def _type(schema: dict[str, Any]) -> str:
    """Abbreviate a JSON schema's type: `[integer]`, `string | null`."""
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1]
    if "anyOf" in schema:
        return " | ".join(_type(each) for each in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if "const" in schema:
        return str(schema["const"])
    if schema.get("type") == "array":
        return f"[{_type(schema.get('items', {}))}]"
    return str(schema.get("format") or schema.get("type", "any"))


@csrf_exempt
def nothing(request: HttpRequest) -> HttpResponse:
    """Answer 404 for an unknown address of the API."""
    return problems.answer(Problem(404, f"The API has nothing at this address. {PREFIX}/docs lists what it has."))


def _in_words(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorator: send problem details with 405; answer HEAD like GET, without a body."""

    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        asked = request.method
        if asked == "HEAD":
            request.method = "GET"
        response = view(request, *args, **kwargs)
        if response.status_code == 405:
            allow = response["Allow"].replace("GET", "GET, HEAD")
            response = problems.answer(
                Problem(405, f"This address takes {allow}, not {asked}.", headers={"Allow": allow})
            )
        return response if asked != "HEAD" else _without_body(response)

    return answered


def _without_body(response: HttpResponse) -> HttpResponse:
    response.headers.setdefault("Content-Length", str(len(response.content)))
    response.content = b""
    return response


def _urls() -> Any:
    patterns, app, namespace = api.urls
    for pattern in patterns:
        assert pattern.callback is not None
        pattern.callback = _in_words(pattern.callback)
    return patterns, app, namespace


urlpatterns = [
    path("openapi.json", openapi, name="openapi"),
    path("docs", docs, name="api-docs"),
    path("", _urls()),
    re_path("", nothing),
]
