"""Public pages: tables, hall screen, rules, practice, offline page."""
