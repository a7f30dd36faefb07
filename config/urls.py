"""Root URLs and error handlers."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

# Sign-in and password change go through the director's pages, the only way in.
admin_urlpatterns = [
    path("admin/login/", RedirectView.as_view(pattern_name="director", query_string=True)),
    path("admin/password_change/", RedirectView.as_view(pattern_name="password")),
    path("admin/", admin.site.urls),
]

urlpatterns = [
    *(admin_urlpatterns if settings.ADMIN else ()),
    # By name, so that it is imported with the first page, and does not delay reconnecting phones after a restart.
    path("api/v1/", ("clocks.api.document", None, None)),  # type: ignore[arg-type]  # missing in the stubs
    path("", include("clocks.urls")),
]

handler400 = "clocks.views.errors.bad_request"
handler403 = "clocks.views.errors.forbidden"
handler404 = "clocks.views.errors.not_found"
# 500 is Django's own, with templates/500.html, which has no dependencies that may be broken.
