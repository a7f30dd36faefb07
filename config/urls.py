"""Every path of the site, and what is shown when a path or a request is wrong."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

# Signing in there, or choosing a password, goes through the director's pages, the only way in.
admin_urlpatterns = [
    path("admin/login/", RedirectView.as_view(pattern_name="director", query_string=True)),
    path("admin/password_change/", RedirectView.as_view(pattern_name="password")),
    path("admin/", admin.site.urls),
]

urlpatterns = [
    *(admin_urlpatterns if settings.ADMIN else ()),
    # By its name: so it is loaded with the first page, and after a restart no phone waits for it.
    path("api/v1/", ("clocks.api.document", None, None)),  # type: ignore[arg-type]  # the stubs leave it out
    path("", include("clocks.urls")),
]

handler400 = "clocks.views.errors.bad_request"
handler403 = "clocks.views.errors.forbidden"
handler404 = "clocks.views.errors.not_found"
# 500 is Django's own, with templates/500.html: it needs nothing that may be what broke.
