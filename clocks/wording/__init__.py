"""Events, durations and the engine's sentences, in the language of the reader."""
