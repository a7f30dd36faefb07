"""Seats and their phones: claims, take-over requests, and presence.

devices.py      the phones and their tokens
claims.py       seat claims, and what a phone may do in its seat
takeover.py     requests for the seat of a phone that is online
claim_limit.py  rate limits for claims
presence.py     when each seat's phone was last heard from
absence.py      the same for phones whose seat is on loan

Elsewhere: `engine.decide.tables` turns commands about seats into events, because the engine is pure. `journal.tenure`
folds these events, because every stored match is read with its seats. `live.lost_seats` notifies a returning page
that its seat is lost, because that closes its socket.
"""
