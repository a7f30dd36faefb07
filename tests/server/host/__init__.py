"""Settings, start, proxies and other services of the host."""
