"""Monitoring: Prometheus metrics and the readiness check."""
