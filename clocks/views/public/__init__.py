"""The pages for everybody: tables, the hall's screen, rules, practice, and what works offline."""
