"""Tags and filters of the templates."""
