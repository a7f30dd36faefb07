"""Who holds a seat: claims, requests to take one over, and presence of the phones.

devices.py      the phones and their tokens
claims.py       what a phone may claim, and what it may do with a seat that it holds
takeover.py     requests for the seat of a phone that is online
claim_limit.py  rate limits for claims
presence.py     when the phone of each seat was last heard
absence.py      the same for phones whose seat is on loan

Elsewhere: `engine.decide.tables` turns commands about seats into events, because the engine is pure. `journal.tenure`
folds these events, because every stored match is read with its seats. `live.lost_seats` tells a page that comes back
that its seat is lost, because that closes its socket.
"""
