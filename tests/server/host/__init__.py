"""Settings, start, proxies, and what runs on the machine."""
