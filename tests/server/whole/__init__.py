"""Attacks and limits that cross all packages."""
