"""Checked in `test_documents.py`."""
