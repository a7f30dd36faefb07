"""What a page carries of a rule book: reckoned once for all matches that only differ in who plays for how long."""

from clocks.engine.books import carried as module
from clocks.engine.books.carried import carried
from clocks.engine.setup import Setup


def test_what_matches_carry_of_a_book_is_kept_once_whoever_plays_them_for_how_long() -> None:
    module._carried.cache_clear()
    first = Setup.parse({"rules": "us-2013", "length": 7, "names": ["Ann", "Bob"]})
    other = Setup.parse({"rules": "us-2013", "length": 9, "score": [8, 2], "names": ["Cem", "Dora"]})
    assert carried(first) is carried(other)
    carried(Setup.parse({"rules": "us-2007", "length": 7, "names": ["Ann", "Bob"]}))
    assert module._carried.cache_info().currsize == 2
