"""Host services: server time, version, addresses, certificate, process lock, rate limits, yielding to presses."""
