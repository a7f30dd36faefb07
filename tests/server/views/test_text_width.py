"""Estimated text width of names."""

from clocks.views.text_width import em, shortened


def test_a_broad_name_is_wider_than_a_narrow_one_of_as_many_letters() -> None:
    assert em("Willi Illi") < em("WAMM OMMW") < em("山田太郎山田太郎山田")
    assert em("e\u0301") == em("e")


def test_only_a_name_that_is_too_long_is_cut() -> None:
    assert shortened("Jørgen Møller", 20) == "Jørgen Møller"
    cut = shortened("Maximiliane Schwarzenberger-Andersson", 12)
    assert cut.endswith("…") and em(cut) <= 12
