"""The example evening from docs/api.md, run with curl against a real server."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.server.daphne import House

TEXT = (Path(__file__).resolve().parents[3] / "docs" / "api.md").read_text()
BLOCKS = re.findall(r"^```sh\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
MAKE = """
from django.contrib.auth.models import User
from clocks.people import api_tokens, members
owner = User.objects.create_user("olga")
print(api_tokens.make(members.make_tournament("open", "Summer Open", owner), owner, "Draws", "director", None))
"""


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed here")
def test_the_twelve_documented_calls_work(tmp_path: Path) -> None:
    house = House(tmp_path / "house")
    try:
        token = house.manage("shell", "-v", "0", "-c", MAKE).strip().splitlines()[-1]
        house.start()
        named, *calls = BLOCKS
        assert len(calls) == 12 and all(call.startswith("curl ") for call in calls)
        named = named.replace("localhost:8000", f"localhost:{house.port}").replace("bgc_…", token)
        answers = []
        for call in calls:
            ran = subprocess.run(["sh", "-ec", named + call], capture_output=True, text=True, timeout=60)
            assert ran.returncode == 0, call + ran.stdout + ran.stderr
            answers.append(json.loads(ran.stdout))
    finally:
        house.close()
    assert [each["slug"] for each in answers[0]["items"]] == ["open"]
    assert [line["act"] for line in answers[2]["lines"]] == ["start"] and answers[2]["dry_run"]
    assert [line["external_id"] for line in answers[3]["lines"]] == ["r1-1", "r1-2"]
    assert (answers[4]["external_id"], answers[4]["table"]) == ("r1-3", "3")
    assert [match["names"] for match in answers[7]["items"]] == [["Ann", "Bob"], ["Chi", "Dov"], ["Eva", "Finn"]]
    assert [table["name"] for table in answers[9]["items"]] == ["1", "2", "3"]
    assert [each["external_id"] for each in answers[10]["items"]] == ["r1-1", "r1-2", "r1-3"]
    assert (answers[11]["number"], answers[11]["length"]) == (2, 3)
