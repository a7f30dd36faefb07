"""Forms and fields that several views use."""
