"""A wallet from which simulations have paid."""

import asyncio

from ville.llm.accounting.wallet import Wallet, payment_to
from ville.llm.gateway import Usage
from ville.llm.wire.endpoint import Endpoint
from ville.llm.wire.providers import PROVIDERS


def write_wallet(file, limits, spent):
    """Book what simulations have spent: dollars by name."""
    wallet = Wallet(file, limits)
    for simulation, dollars in spent.items():
        asyncio.run(_pay(wallet, simulation, dollars))
    wallet.close()


async def _pay(wallet, simulation, dollars):
    payment = payment_to(Endpoint(PROVIDERS["openai"], "https://api.test/v1", "sk-1"), simulation, "run")
    await wallet.settle(await wallet.admit(payment, Usage(900, cost=dollars)), Usage(900, cost=dollars))
