"""What other programs read and write, `/api/v1/`: a thin edge over the same look-ups and the same desk as the pages.

Nothing is authorised and nothing decided here.

gate.py       who asks: the token, how much it may ask for, the tournament that it may see
problems.py   errors of any kind as problem documents (RFC 9457)
paging.py     lists in pages by a cursor, and answers that have not changed
shapes.py     what is answered
bodies.py     what is asked for
reading.py    the operations that read
writing.py    the operations that write, each in the tournament's log
following.py  what is played now and what has happened, for whoever asks again
idempotency.py  a request that is sent again gets the first answer
document.py   all of them together, their OpenAPI document and the page that shows it
"""
