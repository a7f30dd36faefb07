"""A short run of the socket fuzzer, without time limits."""

from pathlib import Path

import pytest

from tests.bench.fuzz_sockets import parsed, run
from tests.bench.server import cores

FEW = parsed("--frames 2000 --rate 400 --pairs 8 --shared 5 --consoles 2".split())
REFUSED = {"bad-message", "bad-value", "stale", "not-director", "not-your-turn", "proposal-pending"}


def test_fuzzed_conversations_stop_no_clock_and_change_no_other_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    found = run(FEW, cores()[0])
    assert found["wrong"] == []
    assert found["sent"] >= FEW.frames
    assert {"accepted", *REFUSED} <= set(found["answers"])
    assert "not-stored" not in found["answers"]
