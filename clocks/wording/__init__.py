"""How events, lengths of time and the engine's sentences read, in the language of whoever reads."""
