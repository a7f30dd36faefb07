"""Seats and their phones: claims, requests to take over a seat, and presence.

devices.py      the phones and their tokens
claims.py       claims of seats, and the rights of a phone in its seat
takeover.py     requests for the seat of a phone that is online
claim_limit.py  rate limits for claims
presence.py     last sign of life of each seat's phone
absence.py      the same for phones whose seat is on loan

Elsewhere: `engine.decide.tables` turns commands about seats into events, because the engine is pure. `journal.tenure`
folds these events, because every stored match is read with its seats. `live.lost_seats` notifies a returning page
that its seat is lost, because that closes its socket.
"""
