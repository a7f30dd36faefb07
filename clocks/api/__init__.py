"""HTTP API for other programs, `/api/v1/`.

It has no rules of its own: permissions come from `people/roles`, decisions from the desk and `tournament`.

gate.py         authentication by token, rate limit, tournament lookup
problems.py     all errors as problem details (RFC 9457)
paging.py       cursor pagination and ETags
shapes.py       response schemas
consequences.py responses about later rounds after a correction
values.py       enumerations and other shared types
bodies.py       request schemas
reading.py      operations that read
writing.py      operations that write, each recorded in the tournament's log
following.py    live boards and events for polling
idempotency.py  Idempotency-Key: a repeated request gets the first response
what_if.py      operations that replay matches under other settings
document.py     the API itself, its OpenAPI document and the page that shows it
"""
