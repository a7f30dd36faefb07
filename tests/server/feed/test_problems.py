"""Problem details of the API and the feed."""

import json

from clocks.api.problems import ProblemDocument
from clocks.feed.problems import Problem


def test_a_problem_document_has_every_field_of_its_schema() -> None:
    problem = Problem(409, "The cursor is wrong.", code="bad-value", errors=[("cursor", "It is wrong.")])
    whole = {
        "type": "about:blank",
        "title": "Conflict",
        "status": 409,
        "detail": "The cursor is wrong.",
        "code": "bad-value",
        "errors": [{"pointer": "cursor", "detail": "It is wrong."}],
    }
    assert json.loads(problem.body()) == whole == ProblemDocument.model_validate(whole).model_dump()


def test_a_problem_is_never_cached_and_401_names_the_scheme() -> None:
    assert Problem(404, "No.").headers == {"Content-Type": "application/problem+json", "Cache-Control": "no-store"}
    assert Problem(429, "Later.", headers={"Retry-After": "60"}).headers["Retry-After"] == "60"
    assert Problem(401, "Who?").headers["WWW-Authenticate"] == 'Bearer realm="backgammon clock"'
