"""Host services: time, addresses, certificate, process lock, rate limits."""
