"""Who may change something: the right to act of a request, and what a request that acts has to look like.

Watching is free. Acting needs a request of a page of this server, and

- with VILLE_PASS, a session that began with the pass phrase,
- without it, a server that only this machine can reach: bound to a loopback address, and not behind a proxy.

Models and keys are chosen, and older projects brought over, by those who may act and sit at this machine, whatever the
server is bound to: no key crosses a network then, and those who act from elsewhere cannot make this machine call an
address of theirs, use other keys, or read other folders.
"""

from collections.abc import Mapping
from enum import StrEnum
from ipaddress import ip_address

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.utils.translation import gettext as _

from translator.errors import BadRequest, CrossSiteRequest, MayNotAct, TooManyRequests
from translator.rights.origins import Origin, is_certainly_ours, origin_of
from translator.rights.pass_phrase import is_signed_in
from translator.rights.rate_limit import RateLimit

LOOPBACK = "ville.loopback"
"""Key of the WSGI environment, set by `runserver` when only this machine can reach it. Clients cannot set it: the names
of their headers begin with HTTP_."""
PROXY_HEADERS = ("Forwarded", "Via", "X-Real-Ip")
PROXY_PREFIX = "X-Forwarded-"
MOST_PER_MINUTE = 240
"""Requests that act, of one client: enough for a visitor who walks by keys while the page reports that it is there."""
_acts = RateLimit(MOST_PER_MINUTE)


class Right(StrEnum):
    """The right to act, as pages are told."""

    YES = "yes"
    SIGN_IN = "sign in"
    NO = "no"


def right_to_act(request: HttpRequest) -> Right:
    if settings.PASS:
        return Right.YES if is_signed_in(request) else Right.SIGN_IN
    return Right.YES if _is_on_this_machine(request) else Right.NO


def check_right(request: HttpRequest) -> None:
    """Raise MayNotAct unless the client may act, also for private answers, and CrossSiteRequest for other sites."""
    if request.headers.get("Sec-Fetch-Site", "none") not in {"same-origin", "none"}:
        raise CrossSiteRequest(_("Another web site sent this. Only pages of this server may."))
    right = right_to_act(request)
    if right is Right.SIGN_IN:
        raise MayNotAct(_("Sign in with the pass phrase first."))
    if right is Right.NO:
        raise MayNotAct(_("This server only shows the town. To act from its pages, start it with a pass phrase."))


def is_owner(request: HttpRequest) -> bool:
    """Return whether a client has the rights of the owner: it may act, and its browser is on this machine."""
    here = is_loopback(str(request.META.get("REMOTE_ADDR", ""))) and _is_direct(request)
    return here and right_to_act(request) is Right.YES


def check_owner(request: HttpRequest) -> None:
    """Raise MayNotAct unless the client has the rights of the owner, and what `check_right` does."""
    check_right(request)
    if not is_owner(request):
        raise MayNotAct(_("This is done on the machine where the town runs. Open this page there, at localhost."))


def check_act(request: HttpRequest) -> None:
    """Check a request that changes something.

    Raises CrossSiteRequest unless its headers show that a page of this server sent it, BadRequest if it is not JSON,
    MayNotAct, and TooManyRequests.
    """
    if not is_certainly_ours(request.headers, own_origins(request)):
        raise CrossSiteRequest(_("Only pages of this server may send this; behind a proxy, set VILLE_ORIGINS."))
    if request.content_type != "application/json":
        raise BadRequest(_("Send JSON, with Content-Type: application/json."))
    check_right(request)
    if not _acts.take(_client(request)):
        raise TooManyRequests(_("These are too many requests. Wait a minute."))


def check_choice(request: HttpRequest) -> None:
    """Check a request that changes models or keys, or reads a folder of this machine. Raises what `check_act` and
    `check_owner` do.
    """
    check_act(request)
    check_owner(request)


def own_origins(request: HttpRequest) -> set[Origin]:
    """Return the origin of this server in the request, and those under which a proxy shows it."""
    own = f"{request.scheme}://{request.get_host()}"
    return {origin for address in (own, *settings.CSRF_TRUSTED_ORIGINS) if (origin := origin_of(address))}


def context(request: HttpRequest) -> Mapping[str, str]:
    """Return what all templates know of rights: `act`, `owner` (sits at this machine), `pass_phrase` (there is one)."""
    return {
        "act": right_to_act(request),
        "owner": "yes" if is_owner(request) else "",
        "pass_phrase": "yes" if settings.PASS else "",
    }


def _is_on_this_machine(request: HttpRequest) -> bool:
    """Return whether only this machine can reach the server, and nothing is in between."""
    return bool(request.META.get(LOOPBACK)) and _is_direct(request)


def _is_direct(request: HttpRequest) -> bool:
    """Return whether neither a proxy nor a name of another machine is between a client and the server."""
    proxied = settings.CSRF_TRUSTED_ORIGINS or any(
        name in PROXY_HEADERS or name.startswith(PROXY_PREFIX) for name in request.headers
    )
    try:
        own = origin_of(f"http://{request.get_host()}")
    except DisallowedHost:
        return False
    return not proxied and own is not None and is_loopback(own.host)


def is_loopback(host: str) -> bool:
    """Return whether a host name or address always means this machine."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _client(request: HttpRequest) -> str:
    """Return whom requests are counted for: a session, because many may share the address of a proxy, or an address."""
    return request.session.session_key or str(request.META.get("REMOTE_ADDR", "")) if settings.PASS else "this machine"
