"""All routes: pages, the language switch and Django's admin."""

from django.contrib import admin
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt
from django.views.generic import RedirectView

urlpatterns = [
    path("", include("translator.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
    path("admin/", admin.site.urls),
    path("admin", csrf_exempt(RedirectView.as_view(pattern_name="admin:index", http_method_names=["get", "head"]))),
]

handler400 = "translator.decorators.bad_request"
handler404 = "translator.decorators.no_such_page"
