"""Webhooks: events signed by Standard Webhooks, delivered with retries for a day.

addresses.py  which addresses webhooks may reach, with protection against DNS rebinding
sending.py    one message to one address
delivery.py   delivery thread with retries
registry.py   webhooks added and removed by an owner
"""
