"""Making and restoring backups."""
