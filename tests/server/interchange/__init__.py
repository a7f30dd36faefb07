"""Import and export of files for other programs."""
