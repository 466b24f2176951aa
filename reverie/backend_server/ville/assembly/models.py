"""Build what answers questions and embeds texts: from settings, from the offline rules, or from a recording."""

from collections.abc import Mapping
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ville.assembly import model_choice
from ville.assembly.cost_model import cost_model
from ville.assembly.model_choice import ChatConfig, EmbeddingConfig
from ville.errors import BadSetting, CorruptFile
from ville.llm.accounting.common_budget import CommonBudget
from ville.llm.accounting.ledger import INTERVIEWS, Ledger
from ville.llm.accounting.ledgers import Ledgers
from ville.llm.cache import Numbering
from ville.llm.concurrency import ConcurrencyLimiter, LimitedClient
from ville.llm.gateway import OFFLINE_RULES, Chat, Models
from ville.llm.language import in_language
from ville.llm.replay import ReplayedChat, ReplayedEmbedder
from ville.llm.wire.providers import OFFLINE
from ville.offline.rule_book import RuleBook
from ville.persona.cognitive_modules.mind_settings import NAMES as MIND_SETTINGS
from ville.settings import Settings
from ville.simulation.pacing.breaker import Breaker
from ville.simulation.re_embed import MIXED, embedder_of
from ville.simulation.services import RunServices
from ville.simulation.simulation import AT_ONCE, BREAKER_KEY, MEANWHILE, MINDS, PAPER, QUESTIONS, SITUATED, THINKING
from ville.simulation.town import Town
from ville.storage.folder.branches import answering_ancestors, computed_in, with_ledger
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.folder.storage import find
from ville.storage.past.checkpoints import SetUp
from ville.storage.records.intervention_log import RUN_FILE

if TYPE_CHECKING:
    from ville.assembly.client import ClientFactory
    from ville.persona.cognitive_modules.mind_settings import Thinking
    from ville.persona.prompt_template.question import Wording
from ville.llm.gateway import ChatReply, ChatRequest


class SwappedChat:
    """Layer that answers by the rules the requests that ask for them; the others go on."""

    def __init__(self, chat: Chat, seed: int) -> None:
        self._chat, self._rules = chat, RuleBook(seed)

    async def complete(self, request: ChatRequest) -> ChatReply:
        return await (self._rules if request.model == OFFLINE else self._chat).complete(request)


COMPUTING = (*MIND_SETTINGS, "max_fallbacks")
"""Settings that change what is computed, beside those that are saved with a simulation."""
BEFORE: Mapping[str, object] = {QUESTIONS: PAPER, THINKING: AT_ONCE}
"""Values of such settings where a set-up does not have them, because it is older, if they are not the defaults."""


class Providers(NamedTuple):
    """Providers that the settings name; None for the offline rules and for vectors made on this machine."""

    chat: ChatConfig | None
    vectors: EmbeddingConfig | None
    size: int = 0
    """Size of the vectors that personas remember with; 0 accepts any."""

    def line(self) -> str:
        """Return what answers questions, in one line."""
        chat = self.chat
        return f"{', '.join(chat.models.names)} at {chat.endpoint.provider.title}" if chat else OFFLINE_RULES

    def models(self, settings: Settings, seed: int, factory: "ClientFactory") -> Models:
        return Models(
            chat=SwappedChat(factory.chat(self.chat), seed) if self.chat else offline_chat(settings, seed),
            embedder=factory.embedder(self.vectors, self.size)
            if self.vectors
            else model_choice.local_embedder(settings),
            seed=seed,
            language=settings.language,
        )


CHANGED: Mapping[str, str] = {
    QUESTIONS: "{name} was asked {before} questions until now, and is asked {now} ones from this step on. To go on as "
    "before, set questions={before}.",
    THINKING: "{name} was run with thinking={before} until now, and is with {now} from this step on. To go on "
    "as before, set thinking={before}.",
}
"""Line for a rule by which a simulation goes on otherwise."""


def models_line(settings: Settings) -> str:
    """Return what answers questions, in one line. Raises SetupError."""
    return Providers(model_choice.chat_config(settings), model_choice.embedding_config(settings)).line()


def set_up_of(settings: Settings, models: Models, recording: str, *, minds: Mapping[str, object]) -> SetUp:
    """Return what the results of a run depend on; `minds` are the parts of minds that are replaced."""
    replaced = {MINDS: dict(minds)} if minds else {}
    return SetUp(
        step=0,
        seed=models.seed,
        chat="" if recording else model_choice.chat_name(settings),
        recording=recording,
        embedder=models.embedder.name,
        language=models.language,
        settings={name: getattr(settings, name) for name in COMPUTING} | replaced,
    )


def fitting(settings: Settings, folder: SimulationFolder, town: Town) -> Settings:
    """Return the settings with the stored language. Raises BadSetting if the embedder does not fit the memories."""
    for persona in town.personas.values():
        stored = embedder_of(run_file(folder), persona.mind.stream.vectors)
        check_embedder(folder.name, stored, model_choice.embedder_name(settings))
    return replace(settings, language=settings.language or _language(folder))


def configured_models(
    settings: Settings,
    folder: SimulationFolder,
    town: Town | None = None,
    *,
    interviews_only: bool = False,
    budget: CommonBudget | None = None,
) -> tuple[Models, RunServices]:
    """Return the models that the settings name, or the offline rules, and the services that belong to them.

    `town` has the vectors that personas remember with, and rules that give single personas other models. `budget` is
    one that other simulations share. Raises a ReverieError.
    """
    size = _vector_size(town) if town else 0
    wanted = Providers(model_choice.chat_config(settings), model_choice.embedding_config(settings), size)
    _check_size(wanted)
    if wanted.chat is None and wanted.vectors is None:
        seed = seed_of(settings, folder)
        models = Models(offline_chat(settings, seed), model_choice.local_embedder(settings), seed, settings.language)
        return models, RunServices(
            cost_model=cost_model(settings), models_line=wanted.line(), check_model=model_choice.refuse_model
        )
    model_choice.check_prices(settings, set(town.rules.models.values()) if town else ())
    return _connected(settings, folder, wanted, interviews_only=interviews_only, budget=budget)


def _connected(
    settings: Settings,
    folder: SimulationFolder,
    wanted: Providers,
    *,
    interviews_only: bool,
    budget: CommonBudget | None,
) -> tuple[Models, RunServices]:
    """Return clients of providers with ledgers: of the run, or of interviews only. Raises a ReverieError."""
    from ville.assembly.client import ClientFactory  # noqa: PLC0415 - only runs with a model need an HTTP client

    seed = seed_of(settings, folder)
    with ExitStack() as on_error:
        run = None if interviews_only else on_error.enter_context(closing(Ledger.open(folder.side)))
        ledgers = on_error.enter_context(closing(Ledgers(folder.side, run)))
        named = with_ledger(settings.fs_storage, settings.answers_from.split())
        sharing = [] if interviews_only else [*answering_ancestors(folder.root, settings.branch_answers), *named]
        lived = [on_error.enter_context(closing(Ledger.read(each / "reverie"))) for each in sharing]
        asked = [
            on_error.enter_context(closing(Ledger.read(each / "reverie", INTERVIEWS)))
            for each in named
            if (each / "reverie" / INTERVIEWS).exists()
        ]
        shared = asked if interviews_only else lived
        factory = ClientFactory(settings, run or ledgers.open_interviews(), ledgers, shared=shared, common=budget)
        opened = on_error.pop_all()

    @cache
    def interview_models() -> Models:
        return wanted.models(settings, seed, factory.recording_to(ledgers.open_interviews(), asked))

    async def close() -> None:
        await factory.close()
        opened.close()

    services = RunServices(
        ledgers=ledgers,
        begin_step=ledgers.set_step,
        cost_model=cost_model(settings),
        status=factory.monitor.status,
        close=close,
        interview_models=interview_models,
        numbering=factory.numbering,
        models_line=wanted.line(),
        cost_limit=settings.max_cost,
        check_model=partial(factory.check_model, wanted.chat.endpoint) if wanted.chat else model_choice.refuse_model,
    )
    return wanted.models(settings, seed, factory), services


def replaying_models(settings: Settings, recording: str) -> tuple[Models, RunServices]:
    """Return models that answer from a ledger alone, with the seed, vectors and language of its simulation."""
    folder = find(settings.fs_storage, recording)
    root = folder.root / "reverie"
    ledger = Ledger.read(root)
    interviews = Ledger.read(root, INTERVIEWS) if (root / INTERVIEWS).exists() else ledger
    set_up = SetUp(
        step=0,
        seed=seed_of(replace(settings, seed=None), folder),
        embedder=run_file(folder).get("embedder") or model_choice.local_embedder(settings).name,
        language=_language(folder) or settings.language,
    )
    services = _replaying_services(ledger, interviews)
    asked = _recorded_models(settings, set_up, interviews, Numbering())
    models = _recorded_models(settings, set_up, ledger, services.numbering)
    return models, replace(services, interview_models=lambda: asked, models_line=f"replayed from {recording}")


def retracing_models(settings: Settings, simulation: Path, set_up: SetUp) -> tuple[Models, RunServices]:
    """Return models that answer as they did when a step was computed: by the rules, or from the ledger.

    Args:
        settings: those of this session; what the results depend on is taken from `set_up`.
        simulation: the simulation, whose ledger is used, or that of the one it was forked from.
        set_up: how the step was computed.

    Raises CorruptFile if there is no ledger.
    """
    local = model_choice.local_embedder_named(settings, set_up.embedder)
    chat = offline_chat(settings, set_up.seed) if set_up.chat == OFFLINE else None
    if chat and local:
        return Models(chat, local, set_up.seed, set_up.language), RunServices()
    holder = simulation.with_name(set_up.recording) if set_up.recording else computed_in(simulation, set_up.step)
    services = _replaying_services(ledger := Ledger.read(holder / "reverie"))
    models = _recorded_models(settings, set_up, ledger, services.numbering)
    return (replace(models, chat=chat) if chat else models), services


def _replaying_services(*ledgers: Ledger) -> RunServices:
    async def close() -> None:
        for each in ledgers:
            each.close()

    def begin_step(step: int) -> None:
        for each in ledgers:
            each.set_step(step)

    return RunServices(begin_step=begin_step, close=close)


def _recorded_models(settings: Settings, set_up: SetUp, ledger: Ledger, numbering: Numbering) -> Models:
    chat = SwappedChat(in_language(ReplayedChat(ledger, numbering), set_up.language), set_up.seed)
    local = model_choice.local_embedder_named(settings, set_up.embedder)
    embedder = local or ReplayedEmbedder(set_up.embedder, ledger)
    return Models(chat, embedder, set_up.seed, set_up.language)


def seed_of(settings: Settings, folder: SimulationFolder) -> int:
    """Return the seed of the settings, else the stored one. Raises CorruptFile."""
    seed = settings.seed if settings.seed is not None else run_file(folder).get("seed", 0)
    if not isinstance(seed, int):
        raise CorruptFile(f"{folder.name}: {RUN_FILE}: the seed {seed!r} is not a whole number. Correct it.")
    return seed


def with_rules(settings: Settings, folder: SimulationFolder) -> Settings:
    """Return the settings with the questions and the rules of time: those of the settings, else those that a simulation
    was run with, so that its ledger answers the steps after its last save. New ones, which have no RUN_FILE, have
    situated questions.
    """
    before = _rules_before(folder)
    questions, thinking = settings.questions or before.questions, settings.thinking or before.thinking
    return replace(settings, questions=questions, thinking=thinking)


class _Rules(NamedTuple):
    """Rules by which a simulation is run; fields are named as settings."""

    questions: "Wording" = SITUATED
    thinking: "Thinking" = AT_ONCE


def _rules_before(folder: SimulationFolder) -> _Rules:
    """Return the rules that a simulation was run by."""
    stored = folder.read_side_file(RUN_FILE)
    if stored is None:
        return _Rules()
    asked, thinking = stored.get(QUESTIONS) == SITUATED, stored.get(THINKING) == MEANWHILE
    return _Rules(SITUATED if asked else PAPER, MEANWHILE if thinking else AT_ONCE)


def other_rules(settings: Settings, folder: SimulationFolder) -> tuple[str, ...]:
    """Return a line for each rule by which a simulation goes on otherwise than it was run."""
    return tuple(
        CHANGED[rule].format(name=folder.name, before=before, now=getattr(settings, rule))
        for rule, before in _rules_before(folder)._asdict().items()
        if getattr(settings, rule) not in {None, "", before}
    )


def with_embedder(settings: Settings, folder: SimulationFolder) -> Settings:
    """Return the settings with the embedder that a simulation was run with, if none is named and neither that one nor
    the default needs a key: it goes on as it was begun, unless `re_embed` is set. Raises SetupError.
    """
    kept = model_choice.keyless_embedder(str(run_file(folder).get("embedder")))
    if not kept or settings.embedder or settings.re_embed or model_choice.embedding_config(settings):
        return settings
    return replace(settings, embedder=kept)


def stored_breaker(settings: Settings, folder: SimulationFolder) -> Breaker:
    """Return the breaker in its stored state. Raises CorruptFile."""
    try:
        return Breaker(settings.max_fallbacks, run_file(folder).get(BREAKER_KEY))
    except (AttributeError, TypeError, ValueError) as error:
        raise CorruptFile(
            f"{folder.name}: {RUN_FILE}: '{BREAKER_KEY}' is invalid ({error}). Delete it to restart the count."
        ) from error


def _language(folder: SimulationFolder) -> str:
    """Return the stored language; empty if there is none. Raises CorruptFile."""
    language = run_file(folder).get("language", "")
    if not isinstance(language, str):
        raise CorruptFile(
            f'{folder.name}: {RUN_FILE}: the language {language!r} is not a name, for example "Russian". Correct it.'
        )
    return language


def run_file(folder: SimulationFolder) -> dict[str, Any]:
    return folder.read_side_file(RUN_FILE) or {}


def offline_chat(settings: Settings, seed: int) -> Chat:
    return LimitedClient(RuleBook(seed), ConcurrencyLimiter(settings.max_concurrency))


def _vector_size(town: Town) -> int:
    """Return the size of the vectors that personas remember with; 0 if there are none."""
    return max((persona.mind.stream.vectors.size for persona in town.personas.values()), default=0)


def _check_size(wanted: Providers) -> None:
    """Raise BadSetting if vectors of a model file would have another size than those that personas remember with."""
    if wanted.vectors and wanted.size and wanted.vectors.size not in {0, wanted.size}:
        raise BadSetting(
            f"{wanted.vectors.model} makes vectors of {wanted.vectors.size} numbers, but those of the memories have "
            f"{wanted.size}. Set embedding_file to the file that made them, or give another file another name and fork."
        )


def check_embedder(name: str, stored: str | None, configured: str) -> None:
    """Raise BadSetting if stored vectors could not be compared with those of the configured embedder."""
    if stored not in {None, configured}:
        keep = "" if stored == MIXED else f" Or set embedder and embedding_model to {stored}."
        raise BadSetting(
            f"The memories of {name} have vectors of {stored}, but the embedder is {configured}. Fork it: a fork gets "
            f"vectors of {configured}.{keep}"
        )
