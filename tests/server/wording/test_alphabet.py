"""Names sorted by each language's alphabet, in the order of ICU."""

import random

import pytest
from django.utils.translation import override

from clocks.wording.alphabet import place, plain


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("da", "Adam Allan Zeb Zorn Ægir Ærø Öhman Østen Åge Ågot Aaholm"),
        ("en", "Adam Aegis Ågot Allan Öhman Østen Zeb Zorn"),
        ("de", "Adam Äneas Anna Jörg Jorgen Müller Müllner Weiß Weisser"),
        ("es", "Nadal Natal Nuño Ñaco Ñu Oñate"),
        ("es", "Peña Peñalver Pera"),
        ("fr", "Cote Coté Côte Côté Cotet Eva Ève Evelyne"),
        ("ja", "Ann Zoe あい アオ いえ ウノ"),
    ],
)
def test_names_are_in_the_order_of_the_readers_alphabet(language: str, names: str) -> None:
    listed = names.split()
    shuffled = random.Random(7).sample(listed, len(listed))
    with override(language):
        assert sorted(shuffled, key=place) == listed


def test_case_and_spaces_do_not_move_a_name() -> None:
    with override("en"):
        assert sorted(["ann  Berg", "Ann Abel", "ANN ZORN"], key=place) == ["Ann Abel", "ann  Berg", "ANN ZORN"]


def test_a_plain_name_has_no_accents() -> None:
    assert [plain(name) for name in ("Jørgen Møller", "GARCÍA", "Weiß", "Łukasz")] == [
        "jorgen moller",
        "garcia",
        "weiss",
        "lukasz",
    ]
