"""URLs of a server started with ADMIN=yes."""

from config import urls

urlpatterns = [*urls.admin_urlpatterns, *urls.urlpatterns]
handler400, handler403, handler404 = urls.handler400, urls.handler403, urls.handler404
