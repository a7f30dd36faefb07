"""How static files are stored: compressed, under hashed names that browsers may keep for ever."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStatic(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # the library has no types
    """Give modules hashed names too and rewrite the imports between them, so that no page mixes two versions."""

    support_js_module_import_aggregation = True
