"""Event feed of a tournament for external programs.

The recorder runs in its own thread after the commit, so it delays a hit only while it writes to SQLite.

folds.py      cache of folded matches, which saves refolding their journals
kinds.py      mapping of journal and log entries to feed events
recorder.py   thread that records feed events after the commit
numbering.py  numbering and storing of events
encoding.py   event encoding, in full for tokens and reduced for the public
readers.py    connected readers and their backlogs
problems.py   problem details (RFC 9457), shared with the API
stream.py     server-sent events over HTTP, outside Django
"""
