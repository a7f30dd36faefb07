"""Exports are escaped so that spreadsheets do not treat text as formulas."""

import csv
import io
import json
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from clocks.interchange import exports
from clocks.models import Membership
from clocks.tournament import formulas
from tests.server.house import make_match

FORMULA = re.compile(r"[\s\"\u200b-\u200f\u2060\ufeff]*[=+\-@＝＋－＠﹦﹢﹣﹫−]")


@pytest.mark.parametrize("sign", "=+-@＝＋－＠﹦﹢﹣﹫−")
def test_formulas_are_neutralised_at_every_cell_boundary(sign: str) -> None:
    assert exports.cell(f"{sign}1+1") == f"'{sign}1+1"
    for split in "\t\n\r\v\f;,|\x85\u2028":
        assert exports.cell(f"Ann{split}{sign}1+1") == f"Ann{split}'{sign}1+1"
    for hidden in (" ", '"', ' "', "\u200b", "\xa0"):
        assert exports.cell(f"Ann;{hidden}{sign}1+1") == f"Ann;{hidden}'{sign}1+1"
        assert exports.cell(f"{hidden}{sign}1+1") == f"{hidden}'{sign}1+1"


@pytest.mark.parametrize(
    "name", ["Ann-Marie O'Brien", "a+b", "Ann – Bob", "ann@example.org", "12:30, −", "O'=1", "7", ""]
)
def test_other_text_stays_unchanged(name: str) -> None:
    expected = name.replace("−", "'−")
    assert exports.cell(name) == expected
    assert [exports.cell(value) for value in (-5, None, 1.5)] == [-5, None, 1.5]


@given(st.text(st.sampled_from("'=-a ,;\"\u200b＝"), max_size=9))
def test_a_neutralised_text_is_restored(text: str) -> None:
    assert formulas.restore(formulas.neutralise(text)) == text


NASTY = "Bob;=1+1,\t＝2|@x"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("path", ["match/{}/export.csv", "journals.csv", "results.csv"])
def test_no_cell_of_an_export_is_a_formula(client: Client, path: str, delimiter: str) -> None:
    match = make_match(names=["=cmd|' /C calc'!A0", NASTY])
    user = User.objects.create_user("sue")
    Membership.objects.create(tournament=match.table.tournament, user=user, role="owner")
    client.force_login(user)
    answer = client.get(f"/director/{match.table.tournament.slug}/{path.format(match.pk)}")
    text = b"".join(answer).decode().removeprefix("\ufeff")
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    fields = [field for row in rows for field in row]
    assert "cmd" in text
    assert [field for field in fields if FORMULA.match(field) and not re.fullmatch(r"\s*-\d+[\]}]*", field)] == []


@pytest.mark.django_db(transaction=True)
def test_json_cells_stay_equivalent_json(client: Client) -> None:
    match = make_match(names=["=cmd", NASTY])
    header, first = list(csv.reader(io.StringIO("".join(exports.match_csv(match.pk)).removeprefix("\ufeff"))))[:2]
    data = dict(zip(header, first, strict=True))["data"]
    assert (json.loads(data)["names"], "=" in data, "＝" in data) == (["=cmd", " ".join(NASTY.split())], False, False)
