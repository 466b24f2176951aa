"""Given settings that change nothing, each with the reason."""

from collections.abc import Mapping, Sequence

from ville.assembly import model_choice
from ville.llm.wire.providers import PROVIDERS, SERVED
from ville.settings import Settings
from ville.settings.effects import effects


def idle_settings(settings: Settings) -> tuple[str, ...]:
    """Return a line for each reason why given settings have no effect (effects.yaml). Raises SetupError."""
    by_reason: dict[str, list[str]] = {}
    facts = _facts(settings)
    for name, others in settings.given.items():
        effect = effects()[name]
        if not _has_effect(effect.needs, {**facts, **others}):
            by_reason.setdefault(effect.because, []).append(name)
    if facts["answers"] != "server" and settings.models:
        named = (f"MODEL_{kind.replace('/', '_').upper()}" for kind in settings.models)
        by_reason.setdefault(effects()["fast_model"].because, []).extend(named)
    return tuple(_line(names, reason) for reason, names in by_reason.items()) + _unread_addresses(settings)


def _unread_addresses(settings: Settings) -> tuple[str, ...]:
    """Return a line if OPENAI_BASE_URL is not read although texts go to OpenAI, or to no model. Raises SetupError."""
    asked = [
        config.endpoint
        for config in (model_choice.chat_config(settings), model_choice.embedding_config(settings))
        if config
    ]
    openai = PROVIDERS["openai"]
    if not any(each.base_url == openai.base_url for each in asked) and (asked or settings.provider):
        return ()
    because = "no OPENAI_API_KEY is set beside it. Set both there, or VILLE_BASE_URL and VILLE_API_KEY"
    return (_line(list(settings.unread), because),) if settings.unread else ()


def _facts(settings: Settings) -> Mapping[str, object]:
    model, vectors = model_choice.chat_config(settings), model_choice.embedding_config(settings)
    answers = "rules" if model is None else "file" if model.endpoint.provider.name == SERVED else "server"
    return {"answers": answers, "pays": bool(model or vectors)}


def _has_effect(needs: Mapping[str, Sequence[object]], there: Mapping[str, object]) -> bool:
    return all(there[name] in values for name, values in needs.items())


def _line(names: list[str], reason: str) -> str:
    *others, last = names
    listed = f"{', '.join(others)} and {last} change" if others else f"{last} changes"
    return f"{listed} nothing: {reason}."
