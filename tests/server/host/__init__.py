"""Host settings, startup, proxies and other services."""
