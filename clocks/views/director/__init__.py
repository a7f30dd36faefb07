"""Pages of those who run a tournament, behind a sign-in."""
