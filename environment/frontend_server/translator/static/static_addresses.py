"""Addresses of static files, as `{% static %}` writes them."""

from django.conf import settings
from django.contrib.staticfiles.storage import StaticFilesStorage

from translator.storage.static.static_files import listing


class VersionedStorage(StaticFilesStorage):
    """Puts the version of all files in front of their names: `/static/3f2a…/js/dom.js`.

    Relative addresses, as in the imports of a module, keep the version.
    """

    def url(self, name: str | None) -> str:
        plain = super().url(name)
        return f"{settings.STATIC_URL}{listing().version}/{plain.removeprefix(settings.STATIC_URL)}"
