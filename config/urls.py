"""Every path of the site, and what is shown when a path or a request is wrong."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [path("admin/", admin.site.urls), path("", include("clocks.urls"))]

handler400 = "clocks.views.errors.bad_request"
handler403 = "clocks.views.errors.forbidden"
handler404 = "clocks.views.errors.not_found"
# 500 is Django's own, with templates/500.html: it needs nothing that may be what broke.
