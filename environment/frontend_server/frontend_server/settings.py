"""Django settings, from the environment, from .env beside start.py, or defaults.

| variable | meaning | default |
|---|---|---|
| VILLE_BIND | address and port of `runserver` | 127.0.0.1:8000 |
| VILLE_HOSTS | host names of this server, separated by commas | localhost, 127.0.0.1, [::1] |
| VILLE_BIND_NAMES | more host names, which start.py finds out if it serves beyond this machine | none |
| VILLE_PASS | pass phrase that lets people act, and not only watch | none: this machine may act, if bound to it |
| VILLE_ORIGINS | addresses of proxies in front of this server, separated by commas | none |
| VILLE_SECRET_KEY | signs cookies | created once, in .secret_key |
| VILLE_PAGES_DEBUG | 1 shows Django's own error pages | 0 |
| VILLE_FS_STORAGE | simulations | storage beside this package |
| VILLE_FS_TEMP_STORAGE | messages between the two servers | temp_storage |
| VILLE_FS_COMPRESSED_STORAGE | compressed simulations | compressed_storage beside the simulations |
| VILLE_FS_STUDIES | studies | studies beside the simulations |
| VILLE_DATABASE | database of admin/ | db.sqlite3 |
| VILLE_ASSETS | maps and sprites, found before those included | none |

The folders are those of the engine: both servers read them with ville.storage.folders, a utils.py of older versions
included. Relative paths count from reverie/backend_server.
"""

import os
import sys
from pathlib import Path

from django.utils.translation import gettext_lazy as _

from frontend_server.secret import secret_key
from ville.errors import BadSetting
from ville.home import HOME, OUR_ASSETS
from ville.storage.folders import folder_path, read_env_file, read_folders
from ville.storage.wallet.wallet_settings import read_wallet_settings

BASE_DIR = Path(__file__).resolve().parents[1]
sys.path.append(str(BASE_DIR.parent))  # the town builder, which draws looks
ROOT = HOME.root
ENV_FILE = HOME.env_file
try:
    GIVEN = {**read_env_file(ENV_FILE), **os.environ}
    FOLDERS = read_folders(os.environ)
    WALLET = read_wallet_settings(os.environ)
except BadSetting as fault:
    sys.exit(str(fault))


def _list(name: str, default: str) -> list[str]:
    return [part.strip() for part in (GIVEN.get(name) or default).split(",") if part.strip()]


STORAGE, TEMP_STORAGE, COMPRESSED_STORAGE = FOLDERS.storage, FOLDERS.temp_storage, FOLDERS.compressed_storage
STUDIES = FOLDERS.studies
ASSETS = FOLDERS.assets
TOWNS = HOME.towns

BIND = GIVEN.get("VILLE_BIND") or "127.0.0.1:8000"
DEBUG = GIVEN.get("VILLE_PAGES_DEBUG") == "1"
SECRET_KEY = GIVEN.get("VILLE_SECRET_KEY") or secret_key(HOME.hidden / ".secret_key")
ALLOWED_HOSTS = _list("VILLE_HOSTS", "localhost,127.0.0.1,[::1]") + _list("VILLE_BIND_NAMES", "")
CSRF_TRUSTED_ORIGINS = _list("VILLE_ORIGINS", "")
PASS = GIVEN.get("VILLE_PASS") or ""
CSRF_FAILURE_VIEW = "translator.decorators.csrf_failure"
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000
REQUEST_TIMEOUT = 30.0
"""Seconds for a whole request to arrive, and for a client to receive each part of a response."""

INSTALLED_APPS = [
    "translator",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
]
MIDDLEWARE = [
    "translator.middleware.RequestGuard",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.common.CommonMiddleware",
    "translator.static.static_serving.StaticFiles",
    "django.middleware.gzip.GZipMiddleware",
    "django.middleware.http.ConditionalGetMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
]
AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend", "translator.rights.pass_phrase.PassPhrase"]
ROOT_URLCONF = "frontend_server.urls"
APPEND_SLASH = False
WSGI_APPLICATION = "frontend_server.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "translator.rights.access.context",
            ],
        },
    },
]

DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": folder_path(GIVEN.get("VILLE_DATABASE") or HOME.hidden / "db.sqlite3"),
        "OPTIONS": {"transaction_mode": "IMMEDIATE", "timeout": 60},
    }
}
"""For `admin/`, and for those who sign in to act."""
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Strict"
SESSION_COOKIE_SECURE = bool(CSRF_TRUSTED_ORIGINS) and all(each.startswith("https:") for each in CSRF_TRUSTED_ORIGINS)

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("ru", _("Russian"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"terminal": {"class": "logging.StreamHandler"}},
    "loggers": {
        "django": {"handlers": ["terminal"], "level": "ERROR"},
        "django.server": {"handlers": ["terminal"], "level": "ERROR", "propagate": False},
        "django.security.DisallowedHost": {"level": "CRITICAL"},  # the page says so
    },
}
"""Only errors are logged: pages send several requests per second."""

STATIC_URL = "static/"
STATICFILES_DIRS: list[Path | tuple[str, Path]] = [BASE_DIR / "static_dirs"]
if ASSETS != OUR_ASSETS:
    STATICFILES_DIRS.insert(0, ("assets", ASSETS))
STATIC_CACHE = HOME.hidden / ".static_cache"
"""Compressed copies of static files; can be deleted at any time."""
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "translator.static.static_addresses.VersionedStorage"},
}
