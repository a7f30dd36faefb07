"""Caching of rule data embedded in pages."""

from clocks.engine.books import carried as module
from clocks.engine.books.carried import carried
from clocks.engine.setup import Setup


def test_embedded_rule_data_is_cached_across_names_and_scores() -> None:
    module._carried.cache_clear()
    first = Setup.parse({"rules": "us-2013", "length": 7, "names": ["Ann", "Bob"]})
    other = Setup.parse({"rules": "us-2013", "length": 9, "score": [8, 2], "names": ["Cem", "Dora"]})
    assert carried(first) is carried(other)
    carried(Setup.parse({"rules": "us-2007", "length": 7, "names": ["Ann", "Bob"]}))
    assert module._carried.cache_info().currsize == 2
