"""`manage.py newmatch`: create a match at a table and print its address."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import validate_slug
from django.db import transaction

from clocks import desk
from clocks.engine.books.published import RULESETS
from clocks.engine.closed_sets import Crawford, Format, Official
from clocks.engine.refusals import Refused
from clocks.engine.setup import Setup
from clocks.host import addresses
from clocks.host.checks import PROCESSES
from clocks.management.options import parse_option
from clocks.models import CASUAL, Table, Tournament
from clocks.tournament import players, tables


class Command(BaseCommand):
    """Create a match; print its number, and the code and address of its table."""

    help = "Create a match and print its table's code and address."
    requires_system_checks = [PROCESSES]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--rules", required=True, help=f"one of {', '.join(RULESETS)}")
        parser.add_argument("--length", required=True, type=int, help="points to win")
        parser.add_argument("--names", nargs=2, metavar=("LEFT", "RIGHT"), default=["Left", "Right"])
        parser.add_argument("--format", default=Format.SINGLES.value, help=f"one of {', '.join(Format)}")
        parser.add_argument("--score", nargs=2, type=int, metavar=("LEFT", "RIGHT"), default=[0, 0])
        parser.add_argument("--crawford", help=f"one of {', '.join(Crawford)} (default: as the score says)")
        parser.add_argument("--table", default="", help="the table's name; created if missing (default: a new one)")
        parser.add_argument("--tournament", default=CASUAL, help="its slug; created if missing")
        parser.add_argument(
            "--option",
            action="append",
            default=[],
            metavar="K=V",
            help="a choice of the director, such as delay_ms=9000",
        )
        parser.add_argument("--replace", action="store_true", help="replace an unfinished match there")
        parser.add_argument("--json", action="store_true", help='print {"code", "url", "match"}')

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            setup = Setup.parse(
                {
                    "rules": options["rules"],
                    "length": options["length"],
                    "names": options["names"],
                    "format": options["format"],
                    "score": options["score"],
                    "crawford": options["crawford"],
                    "options": dict(parse_option(given) for given in options["option"]),
                }
            )
            with transaction.atomic():
                table = _table(_tournament(options["tournament"]), options["table"])
                match = desk.make_match(table, setup, by=Official.DIRECTOR, replace=options["replace"])
            players.add_new_players(table.tournament, players.names_of([setup.to_dict()]))
        except Refused as refused:
            raise CommandError(refused.words) from None
        url = addresses.table_url(addresses.base_url(), table.code)
        if options["json"]:
            self.stdout.write(json.dumps({"code": table.code, "url": url, "match": match.pk}))
        else:
            self.stdout.write(f"Match {match.pk}, {match}: table {table.name}, code {table.code}, {url}")


def _tournament(slug: str) -> Tournament:
    """Tournament with this slug, created if missing."""
    if slug == CASUAL:
        return tables.casual_tournament()
    try:
        validate_slug(slug)
    except ValidationError:
        raise CommandError(f"A slug may have only letters, digits, dashes and underscores, unlike “{slug}”.") from None
    if len(slug) > 50:
        raise CommandError("A slug may have at most 50 characters.")
    return Tournament.objects.get_or_create(slug=slug, defaults={"name": slug.replace("-", " ").capitalize()})[0]


def _table(tournament: Tournament, name: str) -> Table:
    """Table of a tournament by name, created if missing; "" always creates one."""
    name = name.strip()
    if len(name) > 20 or not name.isprintable():
        raise CommandError("A table's name may have at most 20 characters, all of them visible.")
    found = tables.table_named(tournament.tables.all(), name) if name else None
    return found or tables.add_table(tournament, name)
