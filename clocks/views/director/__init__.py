"""Pages for members of a tournament, behind a sign-in."""
