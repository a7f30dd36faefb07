"""Mutation testing: where mutants are found, and which survive."""

from pathlib import Path

import pytest

from tests.mutants import mutants_of, survives

MODULE = '''"""Length 7."""
LIMIT: Literal[3] = 3

def may_press(turn: int, paused: bool = False) -> bool:
    """True within the limit of 3."""
    logger.info("turn %d", 1)
    assert turn != 0
    pairs = zip([turn], [turn], strict=True)
    return (turn < LIMIT) and not paused
'''


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Module whose test notices only a changed comparison."""
    (tmp_path / "pressing.py").write_text("def may_press(turn, late=False):\n    return turn < 3\n")
    (tmp_path / "test_pressing.py").write_text(
        "from pressing import may_press\ndef test_it(): assert [may_press(turn) for turn in (2, 3)] == [True, False]\n"
    )
    monkeypatch.delenv("DJANGO_SETTINGS_MODULE", raising=False)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    return tmp_path / "pressing.py"


def test_mutants_change_what_the_program_does_and_no_formalities(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(MODULE)
    changed = [mutant.apply(MODULE.encode()).decode().splitlines()[mutant.line - 1] for mutant in mutants_of(path)]
    assert changed == [
        "LIMIT: Literal[3] = 4",
        "def may_press(turn: int, paused: bool = True) -> bool:",
        "    return None",
        "    return (turn < LIMIT) or not paused",
        "    return (turn <= LIMIT) and not paused",
        "    return (turn < LIMIT) and paused",
    ]


def test_a_mutant_survives_if_no_test_notices_it(module: Path) -> None:
    source = module.read_bytes()
    alive = [mutant for mutant in mutants_of(module) if survives(mutant, module.parent, ["test_pressing.py"], 60)]
    assert [str(mutant).splitlines()[2] for mutant in alive] == ["  + def may_press(turn, late=True):"]
    assert module.read_bytes() == source
