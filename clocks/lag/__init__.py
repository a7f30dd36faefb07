"""Network delay of presses: credit, late presses, limits on backdating.

credit.py        credit of a press: the measured round trip, within the limits of the match
late_presses.py  presses that lost more than their credit, shown until the director gives time back
signs.py         answers to pings, which disprove a claimed delay
silence.py       silence of a shared phone: how far back its kept commands may be dated

Elsewhere: `engine.lag` tracks the budget of a game, because the engine is pure. `desk.handler` grants the credit, and
`desk.hand_over` dates kept commands, both within the transaction. `live.socket` measures round trips, and
`live.backdating` asks the other processes, because each knows only its own sockets.
"""
