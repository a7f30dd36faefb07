"""Limit on open files: each connection is one, and systems commonly allow 1,024."""

import sys

MOST_FILES = 65_536
FEWEST_FILES = 1_024  # assumed on Windows


def raise_limit() -> int:
    """Raise the soft limit to MOST_FILES, or as far as the hard one allows; return it."""
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return granted()


def granted() -> int:
    """Current limit on open files."""
    if sys.platform == "win32":
        return FEWEST_FILES
    import resource

    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return MOST_FILES if soft == resource.RLIM_INFINITY else soft
