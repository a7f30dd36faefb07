"""What happens, sent to addresses that an owner names: signed (Standard Webhooks), tried again for a day.

addresses.py  which addresses may be written to: a name is looked up once, and only what was found is written to
sending.py    one message to one address
courier.py    the thread that sends what is due, beside everything else
registry.py   addresses made and removed by an owner
"""
