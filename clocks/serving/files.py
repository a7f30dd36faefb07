"""How many files this process may open: each connection is one, and systems commonly allow 1,024 to begin with."""

import sys

MOST_FILES = 65_536
FEWEST_FILES = 1_024  # assumed where the system does not say


def raise_limit() -> int:
    """Let this process open as many files as the system grants without asking an administrator; return how many."""
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return granted()


def granted() -> int:
    """Return how many files this process may open."""
    if sys.platform == "win32":
        return FEWEST_FILES
    import resource

    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return MOST_FILES if soft == resource.RLIM_INFINITY else soft
