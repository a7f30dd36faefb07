"""Network delay: credit, late presses, silences."""
