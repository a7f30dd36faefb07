"""docs/security.md is tested in `test_documents.py`."""
