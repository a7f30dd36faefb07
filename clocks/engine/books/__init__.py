"""The rule books as data: what each prescribes, as a `RuleSet`."""
