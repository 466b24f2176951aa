"""A server of a provider, with the key for it."""

from dataclasses import dataclass
from functools import cached_property

from ville.llm.local.server_plan import ServerPlan
from ville.llm.wire.masking import Mask
from ville.llm.wire.providers import Provider
from ville.settings.server_urls import masked_url


@dataclass(frozen=True)
class Endpoint:
    """Provider, address and key. Its `repr` and messages never contain the key."""

    provider: Provider
    base_url: str
    key: str = ""
    api_version: str = ""
    """For Azure only."""
    served: ServerPlan | None = None
    """How the model is served beside the engine; None for a server that runs anyway."""

    @cached_property
    def mask(self) -> Mask:
        """Removes the secrets of this endpoint from texts."""
        return Mask(self.key, self.base_url)

    @property
    def title(self) -> str:
        """Name and address for messages, without secrets."""
        return f"{self.provider.title} ({self.served.name if self.served else masked_url(self.base_url)})"

    @property
    def receiver(self) -> str:
        """Who gets what is asked, in the first line of a run: the provider, with the address if it is another's."""
        own = self.served is not None or self.base_url.rstrip("/") == self.provider.base_url.rstrip("/")
        return self.provider.title if own else self.title

    def __repr__(self) -> str:
        return f"Endpoint({self.title})"
