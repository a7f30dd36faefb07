"""Rule books as data, each a `RuleSet`."""
