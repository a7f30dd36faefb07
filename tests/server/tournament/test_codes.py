"""Table codes as typed, pasted or scanned."""

import pytest

from clocks.tournament.codes import normalise_code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("7K3M9Q", "7K3M9Q"),
        (" 7k3-m9q ", "7K3M9Q"),
        ("https://clock.example.org/t/7K3M9Q/clock/?seat=left", "7K3M9Q"),
        ("7K3M9", ""),
        ("7K3M9QX", ""),
        ("7K3M9O", ""),
        ("HELLO!", ""),
        ("", ""),
    ],
)
def test_a_code_has_six_characters_of_its_alphabet(text: str, code: str) -> None:
    assert normalise_code(text) == code
