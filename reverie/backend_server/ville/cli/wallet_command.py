"""Show what has been spent with each key on this machine, by whom, and what is left: `python wallet.py`.

The limits are settings: VILLE_WALLET and others (docs/models.md).
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from datetime import datetime

from ville.errors import ReverieError
from ville.llm.accounting.wallet import utc_now
from ville.plain_text import printable
from ville.settings import Settings, load_settings
from ville.storage.wallet.wallet_file import Spender, Spending, WalletAccount, WalletLimits, read_wallet

MOST = 20
"""Number of spenders that are listed of each account."""


def main(arguments: list[str] | None = None) -> int:
    choice = _parser().parse_args(arguments)
    try:
        print(*map(printable, wallet_lines(load_settings(), utc_now(), most=None if choice.all else MOST)), sep="\n")
    except ReverieError as fault:
        print(fault, file=sys.stderr)
        return 1
    return 0


def wallet_lines(settings: Settings, now: datetime, *, most: int | None = MOST) -> Iterator[str]:
    """Yield limits, accounts and spenders, at most so many of each account. Raises CorruptFile."""
    limits = settings.wallet_limits
    yield f"The wallet in {settings.wallet_path}: {_limit_text(limits, now)}"
    accounts = read_wallet(settings.wallet_path, limits.since(now))
    for account in accounts:
        yield ""
        yield f"{account.title}, account {account.account[:6]}: {_account_text(account, limits)}"
        yield from _spender_lines(account.spenders, most)
    if not accounts:
        yield "Nothing has been spent."


def _limit_text(limits: WalletLimits, now: datetime) -> str:
    if not limits.any:
        return "no limit is set (VILLE_WALLET)."
    until = limits.until(now)
    period = f"until {until:%Y-%m-%d %H:%M} UTC" if until else "in all"
    return f"{_amounts(limits)} for each account {period}."


def _account_text(account: WalletAccount, limits: WalletLimits) -> str:
    spent = account.spent
    left = limits.minus(spent)
    return f"{_spent_text(spent)}{f'; left: {_amounts(left)}' if left.any else ''}"


def _amounts(limits: WalletLimits) -> str:
    cost = "" if limits.cost is None else f"{limits.cost:.4f} dollars"
    calls = "" if limits.calls is None else f"{limits.calls:,} calls"
    tokens = "" if limits.tokens is None else f"{limits.tokens:,} tokens"
    return ", ".join(filter(None, [cost, calls, tokens]))


def _spent_text(spent: Spending) -> str:
    unpriced = f", {spent.unpriced:,} calls at an unknown price" if spent.unpriced else ""
    return f"{spent.cost:.4f} dollars{unpriced}, {spent.calls:,} calls, {spent.tokens:,} tokens"


def _spender_lines(spenders: Sequence[Spender], most: int | None) -> Iterator[str]:
    shown = spenders[:most]
    names = [f"{spender.simulation} ({_purpose(spender)})" for spender in shown]
    width = max(map(len, names), default=0)
    for name, spender in zip(names, shown, strict=True):
        yield f"  {name:{width}}  {_spent_text(spender.spent)}"
    if rest := len(spenders) - len(shown):
        yield f"  … and {rest:,} more; --all lists them"


def _purpose(spender: Spender) -> str:
    return f"study {spender.study}" if spender.study else spender.purpose


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help=f"list all who have spent, not only {MOST} of each account")
    return parser
