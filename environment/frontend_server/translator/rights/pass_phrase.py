"""Signing in with the pass phrase of this server, VILLE_PASS: a backend of Django's own authentication.

Those who sign in share one account, which has no password of its own and no rights in `admin/`.
"""

import hashlib
import hmac

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, authenticate, login
from django.contrib.auth.backends import BaseBackend
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.contrib.auth.models import User
from django.db import DatabaseError
from django.http import HttpRequest
from django.utils.translation import gettext as _

from translator.errors import MayNotAct, TooManyRequests, Unavailable
from translator.rights.rate_limit import RateLimit

ACCOUNT = "ville-pages"
BACKEND = "translator.rights.pass_phrase.PassPhrase"
WRONG_PER_MINUTE = 5
"""Wrong phrases from one address."""
ALL_WRONG_PER_MINUTE = 30
"""Wrong phrases from all addresses together."""
_wrong, _all_wrong = RateLimit(WRONG_PER_MINUTE), RateLimit(ALL_WRONG_PER_MINUTE)


class PassPhrase(BaseBackend):
    """Knows one account, and the pass phrase for it."""

    def authenticate(self, request: HttpRequest | None, **credentials: object) -> User | None:  # noqa: ARG002 - as Django calls it
        """Return the account if `password` alone is given and is the phrase. Raises DatabaseError."""
        if not settings.PASS or credentials.keys() != {"password"}:  # `admin/` gives a name, too
            return None
        if not hmac.compare_digest(_digest(str(credentials["password"])), _digest(settings.PASS)):
            return None
        account, _ = User.objects.get_or_create(username=ACCOUNT, defaults={"password": UNUSABLE_PASSWORD_PREFIX})
        return _tied_to_phrase(account)

    def get_user(self, user_id: int) -> User | None:
        """Return the account of a session. Raises DatabaseError."""
        account = User.objects.filter(pk=user_id, username=ACCOUNT).first()
        return account and _tied_to_phrase(account)


def begin_session(request: HttpRequest, phrase: str) -> None:
    """Sign in with a phrase. Raises MayNotAct if it is wrong, TooManyRequests, and Unavailable without a database."""
    client = str(request.META.get("REMOTE_ADDR", ""))
    _count_wrong(client)
    try:
        account = authenticate(request, password=phrase)
        if account is not None:
            login(request, account, backend=BACKEND)
            request.session.save()
    except DatabaseError:
        reason = _("Signing in needs the database of this server, which cannot be written. Correct VILLE_DATABASE.")
        raise Unavailable(reason) from None
    if account is None:
        raise MayNotAct(_("This is not the pass phrase."))
    _forgive(client)


def _count_wrong(client: str) -> None:
    """Count a phrase as wrong until it turns out to be right, so that many at the same moment are limited, too."""
    if _wrong.take(client):
        if _all_wrong.take(""):
            return
        _wrong.give_back(client)
    raise TooManyRequests(_("There were too many wrong phrases. Wait a minute."))


def _forgive(client: str) -> None:
    _wrong.give_back(client)
    _all_wrong.give_back("")


def is_signed_in(request: HttpRequest) -> bool:
    """Return whether a request belongs to a session that began with the pass phrase. Without a database, none does."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return False
    try:
        return request.user.is_authenticated and request.session.get(BACKEND_SESSION_KEY) == BACKEND
    except DatabaseError:
        return False


def _tied_to_phrase(account: User) -> User:
    """Return the account with a password that cannot be used and is never stored, but changes with the phrase.

    Django ends the sessions of an account whose password has changed.
    """
    account.password = UNUSABLE_PASSWORD_PREFIX + _digest(settings.PASS).hex()
    return account


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode(errors="surrogatepass")).digest()
