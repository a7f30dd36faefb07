"""Webhooks: events signed according to Standard Webhooks, retried for a day.

addresses.py  SSRF protection, including DNS rebinding
sending.py    one message to one address
outbox.py     deliveries in the database: create, claim, settle, delete
delivery.py   delivery thread, a claim loop with a pool of workers
registry.py   adding and removing webhooks
"""
