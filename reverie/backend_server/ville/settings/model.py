"""The settings of a run: one frozen, checked value. Secrets are masked wherever it is shown."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import Field, TypeAdapter
from pydantic.config import JsonDict
from pydantic.dataclasses import dataclass
from pydantic.fields import FieldInfo

from ville.home import HOME
from ville.settings.setting_types import (
    CHECKS,
    Count,
    Dollars,
    Folder,
    Integer,
    Keys,
    MemorySorts,
    Minds,
    PersonaTuning,
    Positive,
    Rate,
    Rewordings,
    Saves,
    Seconds,
    Similarity,
    Temperature,
)
from ville.storage.wallet.wallet_file import Period, WalletLimits, default_file

BY_ALL: Final[JsonDict] = {"set_by": "request study"}
BY_REQUESTS: Final[JsonDict] = {"set_by": "request"}
BY_STUDIES: Final[JsonDict] = {"set_by": "study"}
FLAG: Final[JsonDict] = {"flag": True}
"""Who may change a setting, beside the owner of this installation: requests of pages and programs, and study files.

None of these settings is secret, or leads to other files. Of servers, a request can choose only the owner's, or none.
Without a mark, only the owner may set it. FLAG marks those that are also flags of `reverie.py` and
`reverie_offline.py`.
"""
LIMITS = ("max_cost", "max_calls", "max_tokens")
"""Limits, which a request may lower, but not raise."""
WALLET = ("wallet", "wallet_calls", "wallet_tokens", "wallet_per", "wallet_file")
"""Settings that count only where they are written by the owner: in the environment, in .env or in utils.py."""


@dataclass(frozen=True, config=CHECKS)
class Settings:
    """Everything that can be set for a run. The descriptions are those of `--help`."""

    fs_storage: Folder = Field(default=HOME.made / "storage", description="folder of the simulations")
    fs_compressed_storage: Folder | None = Field(default=None, description="folder of the replays")
    fs_studies: Folder | None = Field(default=None, description="folder of the studies")
    fs_temp_storage: Folder = Field(
        default=HOME.hidden / "temp_storage", description="folder through which the two servers exchange files"
    )
    assets: Folder = Field(default=HOME.assets, description="folder of maps and histories")
    collision_block_id: str = Field(default="32125", description="read from older utils.py files, and not used")
    key_owner: str = Field(default="", description="your name; read from older utils.py files, and not used")
    debug: bool = Field(
        default=False,
        description="print how many questions each persona asked, and the type of each error",
        json_schema_extra=FLAG,
    )
    seed: Integer | None = Field(
        default=None, description="random seed; if not set, the seed of the simulation", json_schema_extra=FLAG
    )
    preset: Literal["", "faithful", "lean", "released", "aga"] = Field(
        default="",
        description="settings that belong together: as in the paper (faithful), with all that saves calls (lean), with "
        "the defaults of the code released with the paper (released), or with those of AGA (aga)",
        json_schema_extra=BY_ALL | FLAG,
    )
    retrieval: Literal["person", "paper", "released"] = Field(
        default="person",
        description="how memories are chosen: as in the paper with places reserved for thoughts about the person "
        "concerned (person) or without (paper), or with the weights of the code released with it (released)",
        json_schema_extra=BY_ALL,
    )
    impressions: bool = Field(
        default=True,
        description="bring impressions of others up to date before a talk; if not, form them anew",
        json_schema_extra=BY_ALL | FLAG,
    )
    social_memory: bool = Field(
        default=False,
        description="personas keep a summary of each other and talk from it, with fewer questions and shorter ones",
        json_schema_extra=BY_ALL | FLAG,
    )
    pass_on_news: bool = Field(
        default=False,
        description="tell models that speakers pass on news and invitations, which instructs the diffusion that is "
        "measured",
        json_schema_extra=BY_ALL | FLAG,
    )
    mind_wandering: bool = Field(
        default=False,
        description="memories that come to mind by chance, rare ones more often, are part of planning",
        json_schema_extra=BY_ALL | FLAG,
    )
    conversations: Literal["turns", "whole"] = Field(
        default="turns",
        description="how personas converse: each utterance is a question to its speaker (turns), or one question "
        "writes all of it (whole)",
        json_schema_extra=BY_ALL | FLAG,
    )
    reflections: Literal["focal_points", "direct"] = Field(
        default="focal_points",
        description="how personas reflect: on focal points, as in the paper (focal_points), or in one question "
        "on their latest memories (direct)",
        json_schema_extra=BY_ALL | FLAG,
    )
    prompts: Literal["full", "brief"] = Field(
        default="full",
        description="what a model is told about importance, reactions and subtasks: all that matters (full), or what "
        "matters most (brief)",
        json_schema_extra=BY_ALL | FLAG,
    )
    questions: Literal["", "situated", "paper"] = Field(
        default="",
        description="what minds are asked: everything, one by one, as in the paper (paper), or only what the world "
        "does not know, told where they are, what they do and what lies ahead (situated); if not set, as before; "
        "default: situated",
        json_schema_extra=BY_ALL | FLAG,
    )
    thinking: Literal["", "at_once", "meanwhile"] = Field(
        default="",
        description="whether people wait until they have reflected, thought about a talk and rated what they saw "
        "(at_once), or go on meanwhile and know at most an hour of game time later what came of it (meanwhile); "
        "if not set, as before; default: at_once",
        json_schema_extra=BY_ALL | FLAG,
    )
    talks_per_hour: Rate = Field(
        default=3.0,
        description="talks of a persona that recover in an hour, of which it may have two hours' worth at once; 0: any "
        "number",
        json_schema_extra=BY_ALL | FLAG,
    )
    reflections_per_hour: Rate = Field(
        default=0.25,
        description="reflections of a persona that recover in an hour, of which it may have eight hours' worth at "
        "once; 0: any number",
        json_schema_extra=BY_ALL | FLAG,
    )
    policy_store: Literal["none", "simulation", "public"] = Field(
        default="none",
        description="where answers are kept that are used again in like situations: nowhere, with the simulation, or "
        "in the pools of all simulations",
        json_schema_extra=BY_ALL | FLAG,
    )
    policy_similarity: Similarity = Field(
        default=0.97,
        description="cosine of two texts beyond which an answer to one is used for the other",
        json_schema_extra=BY_ALL | FLAG,
    )
    policy_repeats: Count = Field(
        default=3,
        description="how often in a row an answer is used again before the model is asked anew",
        json_schema_extra=BY_ALL | FLAG,
    )
    metrics: bool = Field(
        default=False,
        description="write the metrics/ of AGA at each save, from the ledger of calls",
        json_schema_extra=BY_ALL | FLAG,
    )
    masked_memories: MemorySorts = Field(
        default="",
        description="sorts of memories that are not retrieved, as in the ablations of the paper: observations, plans, "
        "reflections, or several",
        json_schema_extra=BY_ALL | FLAG,
    )
    retrieved_share: Annotated[Rate, Field(gt=0, le=10)] = Field(
        default=1.0,
        description="memories that are retrieved, as a share of the usual number; 0.5: half as many",
        json_schema_extra=BY_STUDIES,
    )
    tuning: PersonaTuning = Field(
        default="",
        description="parameters of scratch.json that count for everyone, for example recency_w=0 vision_r=2",
        json_schema_extra=BY_STUDIES,
    )
    people_order: Literal["", "forwards", "backwards"] = Field(
        default="",
        description="order in which people are taken within a step: by name, forwards or backwards; if not set, that "
        "of the simulation",
        json_schema_extra=BY_STUDIES,
    )
    reworded: Rewordings = Field(
        default="",
        description="other words in which models are asked, to test whether results hang on wording: plain or vivid "
        "prompts, other names for people (names), or several",
        json_schema_extra=BY_STUDIES,
    )
    minds: Minds = Field(
        default="",
        description="parts of minds that are replaced by classes of your own, for example "
        "retrieve=my_module:MyMemory (docs/minds.md); if not set, as the simulation was run before; default: none",
        json_schema_extra=BY_STUDIES | FLAG,
    )
    minds_folder: Folder = Field(
        default=HOME.root / "minds",
        description="folder in which modules of minds are found",
        json_schema_extra=FLAG,
    )
    branch_answers: Literal["", "shared", "fresh"] = Field(
        default="",
        description="whether a branch takes its origin's answers to identical questions (shared) or asks again (fresh)",
        json_schema_extra=BY_REQUESTS,
    )
    answers_from: str = Field(
        default="",
        description="simulations whose answers to identical questions are taken, too, separated by blanks",
    )
    autosave: Count = Field(
        default=360, description="steps between two automatic saves; 0: save only on command", json_schema_extra=BY_ALL
    )
    checkpoints: Saves = Field(
        default=None,
        description="how many saves can be returned to later: a number, all (the default), or none",
        json_schema_extra=BY_ALL | FLAG,
    )
    fsync: bool = Field(
        default=True, description="wait until a save would survive a power failure", json_schema_extra=BY_STUDIES
    )
    pack_steps: bool = Field(
        default=True,
        description="pack complete hours of steps into one file a day; false: each step stays in files of its own",
        json_schema_extra=BY_STUDIES,
    )
    pack_people: Count = Field(
        default=100,
        description="number of people from which on what they remember is saved in one file; 0: always in files of "
        "their own",
        json_schema_extra=BY_STUDIES,
    )
    max_concurrency: Count = Field(
        default=0,
        description="largest number of calls to a model at the same time; 0: found by itself",
        json_schema_extra=BY_STUDIES | FLAG,
    )
    schedule: Literal["lockstep", "distance", "rooms"] = Field(
        default="lockstep",
        description="for whom people wait in each step: for everybody (lockstep) or, in runs without a browser, only "
        "for those who can come near (distance) or into the same room (rooms); the files are the same",
        json_schema_extra=BY_STUDIES | FLAG,
    )
    patience: Seconds = Field(
        default=10.0, description="seconds to wait for a browser before a run continues without it"
    )

    provider: str = Field(
        default="",
        description="provider of the language model, or offline for rules; if not set, the one with a key",
        json_schema_extra=BY_ALL | FLAG,
    )
    use_openrouter: bool = Field(default=False, description="older way to choose OpenRouter")
    base_url: str = Field(
        default="", repr=False, description="address of an OpenAI-compatible server; it usually ends in /v1"
    )
    model_file: Folder | None = Field(
        default=None, description="model file (.gguf) that is served beside the engine", json_schema_extra=FLAG
    )
    embedding_file: Folder | None = Field(default=None, description="model file for embeddings", json_schema_extra=FLAG)
    api_version: str = Field(default="", description="API version of Azure, for example 2024-10-21")
    keys: Keys = Field(default_factory=dict, description="API keys by provider; .env.example lists their names")
    fast_model: str = Field(default="", description="model for most questions", json_schema_extra=BY_ALL)
    advanced_model: str = Field(
        default="", description="model for plans, conversations and reflections", json_schema_extra=BY_ALL
    )
    openrouter_chat_model: str = Field(default="", description="older name of fast_model, for OpenRouter")
    openrouter_gpt4_model: str = Field(default="", description="older name of advanced_model, for OpenRouter")
    models: Mapping[str, str] = Field(
        default_factory=dict, description="models for some questions: MODEL_PLAN, MODEL_CONVERSE …"
    )
    embedder: str = Field(
        default="",
        description="provider of embeddings, or hashing, meaning or local; if not set, that of the language model",
        json_schema_extra=BY_STUDIES,
    )
    embedding_model: str = Field(default="", description="model for embeddings", json_schema_extra=BY_STUDIES)
    embedding_base_url: str = Field(
        default="", repr=False, description="address of the embedding server, if it is another one"
    )
    re_embed: bool = Field(
        default=False,
        description="agree to new vectors for memories that have none of this embedder, where that costs money; also "
        "leave an embedder that a simulation would keep",
        json_schema_extra=FLAG,
    )
    language: str = Field(
        default="",
        description="language that personas speak and think in, for example ru or Russian",
        json_schema_extra=BY_ALL | FLAG,
    )
    reasoning_effort: str = Field(
        default="", description="effort of a reasoning model, for example low or none", json_schema_extra=BY_ALL
    )
    temperature: Temperature = Field(
        default="question",
        description="temperature of a model: question (low for judgements, higher for talk), provider (its own), or a "
        "number from 0 to 2 for all questions",
        json_schema_extra=BY_ALL,
    )
    answer_tokens: Positive = Field(
        default=4096, description="longest answer of a model, in tokens", json_schema_extra=BY_STUDIES
    )
    deadline: Annotated[Seconds, Field(gt=0)] = Field(
        default=120.0, description="timeout of one call, in seconds", json_schema_extra=BY_STUDIES
    )
    retry_for: Seconds = Field(
        default=300.0, description="seconds during which a failed call is tried again", json_schema_extra=BY_STUDIES
    )
    prices: Folder = Field(default=HOME.prices, description="file with prices of models, beside those that are known")
    max_cost: Dollars | None = Field(
        default=None, description="dollars after which a simulation stops", json_schema_extra=BY_REQUESTS | FLAG
    )
    max_calls: Positive | None = Field(
        default=None, description="calls after which a simulation stops", json_schema_extra=BY_REQUESTS | FLAG
    )
    max_tokens: Positive | None = Field(
        default=None, description="tokens after which a simulation stops", json_schema_extra=BY_REQUESTS | FLAG
    )
    wallet: Dollars | None = Field(
        default=None, description="dollars after which no simulation on this machine asks with the same key"
    )
    wallet_calls: Positive | None = Field(default=None, description="the same, in calls")
    wallet_tokens: Positive | None = Field(default=None, description="the same, in tokens")
    wallet_per: Period = Field(
        default="all", description="whether the limits of the wallet are for ever (all), or for a day in UTC (day)"
    )
    wallet_file: Folder | None = Field(
        default=None, description="file of the wallet; if not set, one for all checkouts of this user"
    )
    max_fallbacks: Count = Field(
        default=50,
        description="of 100 questions, how many may end without a usable answer before a run stops; 0: any number",
        json_schema_extra=BY_ALL,
    )

    misspelt: Mapping[str, str] = Field(default_factory=dict)
    """Not a setting: names that look like misspelt names of keys, with their places, and the right names."""
    provider_models: Mapping[str, str] = Field(default_factory=dict)
    """Not a setting: models by provider, from a utils.py of AGA."""
    openrouter_embedding_model: str = ""
    """Not a setting: the model of OpenAI that embeds beside OpenRouter, from a utils.py of 2026."""
    openai_server: Keys = Field(default_factory=dict, repr=False)
    """Not a setting: address and key of the server that OPENAI_BASE_URL names, until the sources are combined."""
    unread: tuple[str, ...] = ()
    """Not a setting: variables with an address that are not read, with their places."""
    given: Mapping[str, Mapping[str, object]] = Field(default_factory=dict, repr=False)
    """Not a setting: those of effects.yaml that are given, as they were given, with what other settings are without
    them.
    """

    @property
    def replays(self) -> Path:
        """Folder of the compressed simulations."""
        return self.fs_compressed_storage or self.fs_storage.parent / "compressed_storage"

    @property
    def wallet_path(self) -> Path:
        """File of the wallet."""
        return self.wallet_file or default_file()

    @property
    def wallet_limits(self) -> WalletLimits:
        """Limits of each account of the wallet."""
        return WalletLimits(self.wallet, self.wallet_calls, self.wallet_tokens, self.wallet_per)

    @property
    def studies(self) -> Path:
        """Folder of the studies."""
        return self.fs_studies or self.fs_storage.parent / "studies"


def checked_settings(values: Mapping[str, object]) -> Settings:
    """Return settings by name with their types. Raises ValidationError."""
    return TypeAdapter(Settings).validate_python(dict(values))


FIELDS: Mapping[str, FieldInfo] = {
    name: field for name, field in vars(Settings)["__pydantic_fields__"].items() if field.description
}
"""The settings by name."""


def settable_by(who: Literal["request", "study"]) -> tuple[str, ...]:
    """Return the settings that requests, or study files, may change."""
    return tuple(name for name in FIELDS if who in str(marks_of(name).get("set_by")))


def marks_of(name: str) -> JsonDict:
    """Return what is marked at a setting."""
    marks = FIELDS[name].json_schema_extra
    return marks if isinstance(marks, dict) else {}
