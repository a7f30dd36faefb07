"""Rule pages and practice-clock data, generated from the engine's rule sets."""
