"""Vectors for simulations whose own are absent or of another embedder: what is there, what the rest costs."""

from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from dataclasses import dataclass

from ville.assembly import model_choice
from ville.assembly.models import configured_models, replaying_models, with_embedder
from ville.errors import BadSetting
from ville.llm.accounting.common_budget import CommonBudget
from ville.llm.accounting.prices import Prices
from ville.llm.gateway import Usage
from ville.plain_text import quantity
from ville.settings import Settings
from ville.simulation.re_embed import MIXED, MissingVectors, missing_vectors, re_embed
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.folder.storage import find, unchanged
from ville.storage.past.moments import split_moment
from ville.storage.records.staging import recover

Agree = Callable[[str], Awaitable[bool]]
"""Asks a user a question, and returns whether the answer is yes."""
CHARACTERS_PER_TOKEN = 4
CENT = 0.01


@dataclass(frozen=True)
class NewVectors:
    """Vectors that have to be made, or taken up again, before a simulation can be opened."""

    simulation: str
    embedder: str
    missing: MissingVectors
    cost: float | None
    """Estimate in US dollars; None if the price is unknown."""

    @property
    def needs_consent(self) -> bool:
        """Whether a user has to agree, because it costs money."""
        return self.cost != 0

    @property
    def notice(self) -> str:
        """Why vectors are made, how many, by which embedder, and what they cost."""
        return f"{self._why} {self._what}"

    @property
    def question(self) -> str:
        return f"{self.notice} Do you agree?"

    @property
    def refusal(self) -> str:
        """Return what is wrong and how to agree, for users who were not asked or did not agree."""
        stored = self.missing.replaced
        keep = f" Or set embedder and embedding_model to {stored}." if stored and stored != MIXED else ""
        return f"{self.notice} To agree, use --re-embed (re_embed=True, VILLE_RE_EMBED=true).{keep}"

    @property
    def _why(self) -> str:
        damaged = f" {self.missing.damaged[0]} is damaged." if self.missing.damaged else ""
        if self.missing.replaced:
            return (
                f"The memories of {self.simulation} have vectors of {self.missing.replaced}, but the embedder is "
                f"{self.embedder}.{damaged}"
            )
        return f"Memories of {self.simulation} have no vectors.{damaged}"

    @property
    def _what(self) -> str:
        missing = self.missing
        kept = f"{quantity(missing.kept, *_of(self.embedder))} can be used again" if missing.kept else ""
        aside = "The present ones are kept." if missing.replaced else ""
        made = f"Making {missing.count:,} by {self.embedder} costs {_price(self.cost)}" if missing.count else ""
        return " ".join(filter(None, [f"{'; '.join(filter(None, [made, kept]))}.", aside]))


def _of(embedder: str) -> tuple[str, str]:
    return f"vector of {embedder}", f"vectors of {embedder}"


def _price(cost: float | None) -> str:
    if cost is None:
        return "an unknown amount"
    if cost < CENT:
        return "less than a cent" if cost else "nothing"
    return f"about ${cost:.2f}"


def needed_vectors(settings: Settings, folder: SimulationFolder) -> NewVectors | None:
    """Return the vectors that a simulation needs before it can be opened; None if none. Raises a ReverieError."""
    settings = with_embedder(settings, folder)
    embedder = model_choice.embedder_name(settings)
    missing = missing_vectors(folder, embedder, thorough=settings.re_embed)
    return NewVectors(folder.name, embedder, missing, _cost(settings, missing)) if missing else None


def _cost(settings: Settings, missing: MissingVectors) -> float | None:
    vectors = model_choice.embedding_config(settings)
    if vectors is None or not missing.count:
        return 0.0
    usage = Usage(prompt_tokens=-(-missing.characters // CHARACTERS_PER_TOKEN))
    return model_choice.prices_for(vectors.endpoint, Prices.load(settings.prices)).cost(vectors.model, usage)


def check_vectors(settings: Settings, folder: SimulationFolder) -> None:
    """Raise BadSetting if a fork needs new vectors that cost money, and the settings do not agree to that."""
    needed = needed_vectors(settings, folder)
    if needed and needed.needs_consent and not settings.re_embed:
        raise BadSetting(needed.refusal)


async def agree_on_vectors(
    settings: Settings, origin: str, name: str, *, agree: Agree | None = None, say: Callable[[str], None]
) -> None:
    """Raise BadSetting if a simulation needs new vectors to be opened as `name`, and no one has agreed to it.

    What costs nothing needs no consent: `say` is told, as of what the settings agree to. Nothing is changed here, but a
    save that was cut off is finished if the simulation is continued: it is locked then.
    """
    folder, in_place = find(settings.fs_storage, split_moment(origin).name), origin == name
    if in_place:
        recover(folder.root)  # a save that was cut off may have the vectors
    with nullcontext() if in_place else unchanged(folder.root):
        needed = needed_vectors(settings, folder)
    if not needed:
        return
    if not needed.needs_consent or settings.re_embed:
        say(needed.notice)
    elif not (agree and await agree(needed.question)):
        raise BadSetting(needed.refusal)


async def make_vectors(
    settings: Settings, folder: SimulationFolder, recording: str, *, budget: CommonBudget | None = None
) -> tuple[str, ...]:
    """Make the vectors that a simulation needs, of a replay by the embedder of its recording.

    Return a line that says so, or nothing. Raises a ReverieError; the vectors are as they were then.
    """
    settings = with_embedder(settings, folder)
    if not recording and needed_vectors(settings, folder) is None:
        return ()
    models, services = (
        replaying_models(settings, recording) if recording else configured_models(settings, folder, budget=budget)
    )
    try:
        made = await re_embed(folder, models.embedder, thorough=settings.re_embed)
    finally:
        await services.close()
    if made is None:
        return ()
    return (made_line(folder.name, models.embedder.name, made),)


def made_line(simulation: str, embedder: str, made: MissingVectors) -> str:
    """Return what was done so that a simulation has vectors of an embedder, in one line."""
    vectors = f"{quantity(made.count, 'vector was', 'vectors were')} made by {embedder}" if made.count else ""
    kept = f"{quantity(made.kept, *_of(embedder))} used again" if made.kept else ""
    ending = f"; those of {made.replaced} are kept" if made.replaced else ", for memories that had none"
    return f"{simulation}: {', '.join(filter(None, [vectors, kept]))}{ending}."
