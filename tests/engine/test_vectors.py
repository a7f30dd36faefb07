"""Full matches under every rule set, replayed and compared with expected output.

`vectors/<rule set>.<ending>.jsonl` must replay to the `.out.jsonl` file of the same name. The `why` in each line
explains how its figures were computed by hand before the engine was run.
"""

import io
import json
from pathlib import Path

import pytest
from django.core.management import call_command

from clocks.engine.books.published import RULESETS

VECTORS = Path(__file__).parent.parent / "vectors"
MATCHES = sorted(path for path in VECTORS.glob("*.jsonl") if not path.name.endswith(".out.jsonl"))


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def out_of(match: Path) -> Path:
    return match.with_suffix(".out.jsonl")


@pytest.mark.parametrize("match", MATCHES, ids=lambda path: path.stem)
def test_a_full_match_replays_to_its_expected_output(match: Path) -> None:
    printed = io.StringIO()
    call_command("replay", str(match), stdout=printed, stderr=io.StringIO())
    assert [json.loads(line) for line in printed.getvalue().splitlines()] == lines(out_of(match))


@pytest.mark.parametrize("rules", list(RULESETS))
def test_every_rule_set_has_a_match_ended_by_score_and_one_by_time(rules: str) -> None:
    matches = [match for match in MATCHES if match.name.startswith(f"{rules}.")]
    assert {lines(match)[0]["setup"]["rules"] for match in matches} == {rules}
    assert all(lines(out_of(match))[-1]["status"] == "over" for match in matches)
    endings = {match.name.split(".")[1] for match in matches}
    assert "score" in endings
    assert endings & {"flag", "points"}
    flagged = [{line["flagged"] for line in lines(out_of(match))} for match in matches]
    assert any({"left", "right"} <= seats for seats in flagged)


def test_penalty_points_end_a_match_in_every_rule_set_that_has_them() -> None:
    ended_by_points = {match.name.split(".")[0] for match in MATCHES if ".points." in match.name}
    assert {key for key, rules in RULESETS.items() if rules.flag == "penalty"} <= ended_by_points
