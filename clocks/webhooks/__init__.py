"""Webhooks: events signed by Standard Webhooks, delivered with retries for a day.

addresses.py  which addresses webhooks may reach, with protection against DNS rebinding
sending.py    one message to one address
outbox.py     deliveries in the database: created, claimed, settled, deleted
delivery.py   delivery thread, a claim loop with a pool of workers
registry.py   webhooks added and removed by an owner
"""
