"""The page of the wallet: what was spent with each key on this machine, by whom, and what is left."""

from datetime import UTC, datetime

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from translator.decorators import page
from translator.rights.access import check_right
from ville.storage.wallet.wallet_file import WalletAccount, WalletLimits, read_wallet

MOST = 50
"""Number of spenders that are shown of each account."""


@page
def wallet(request: HttpRequest) -> HttpResponse:
    """Show the wallet to those who may act: others need not know what was spent."""
    check_right(request)
    limits, now = settings.WALLET.limits, datetime.now(UTC)
    accounts = read_wallet(settings.WALLET.file, limits.since(now))
    context = {"limits": limits, "until": limits.until(now), "accounts": [_entry(each, limits) for each in accounts]}
    return render(request, "wallet.html", context)


def _entry(account: WalletAccount, limits: WalletLimits) -> dict[str, object]:
    spent = account.spent
    return {
        "title": account.title,
        "id": account.account[:6],
        "spent": spent,
        "left": limits.minus(spent),
        "spenders": account.spenders[:MOST],
        "more": max(0, len(account.spenders) - MOST),
    }
