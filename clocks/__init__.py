"""The tournament clock: engine (rules), desk (the one path of every change), wire, pages."""
