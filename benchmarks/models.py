"""Which model? Ask one the same recorded questions as any other, and count good answers.

`python benchmarks/models.py --provider ollama --model llama3.2` says what that takes, and asks before it begins. Calls
are kept in a ledger, so that a bench which was interrupted goes on where it stopped.
"""

import argparse
import re
import sys
from collections.abc import Sequence
from contextlib import closing
from hashlib import blake2b
from pathlib import Path
from typing import get_args

from model_bench import Asked, Forecast, ask_all, forecast, table
from situation_files import Situation, read
from temperaments import MODELS, HabitualChat, model_named

from ville.assembly.client import ClientFactory
from ville.assembly.model_choice import ChatConfig, chat_config, check_prices, prices_for
from ville.llm.accounting.ledger import Ledger
from ville.llm.accounting.prices import Prices
from ville.llm.concurrency import most_calls
from ville.llm.gateway import ChatRequest, Usage
from ville.offline.rule_book import RuleBook
from ville.persona.prompt_template.question import Wording
from ville.settings import Settings, add_flags, load_settings
from ville.simulation.running.progress import spent
from ville.terminal.session import run_session
from ville.terminal.terminal import Terminal

LEDGERS = Path(__file__).with_name("ledgers")
FLAGS = ("provider", "base_url", "seed", "language", "max_concurrency", "max_cost", "max_calls", "max_tokens")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", help="model for all questions; without it those of the settings")
    parser.add_argument("--questions", choices=get_args(Wording), default="situated", help="set of questions")
    parser.add_argument("--each", type=int, metavar="N", help="ask at most N situations of each question")
    parser.add_argument(
        "--only", nargs="+", default=[], metavar="TITLE", help="questions to ask: talk, day/where_usually"
    )
    parser.add_argument("--spoilt", choices=MODELS, default="none", help="let the offline rules err like this model")
    parser.add_argument("--yes", action="store_true", help="begin without asking")
    parser.add_argument("--ledgers", type=Path, default=LEDGERS, help="folder for the ledgers")
    add_flags(parser, FLAGS)
    choice = parser.parse_args(arguments)
    flags = {flag: getattr(choice, flag) for flag in FLAGS}
    flags |= {"fast_model": choice.model, "advanced_model": choice.model, "embedder": "hashing"}

    async def session(terminal: Terminal) -> int:
        return await _bench(load_settings(flags), choice, terminal)

    return run_session(session)


async def _bench(settings: Settings, choice: argparse.Namespace, terminal: Terminal) -> int:
    kept = read()
    asked_for = [each for each in kept.situations if each.wording == choice.questions and _is_one(each, choice.only)]
    situations = _some(asked_for, choice.each)
    config = chat_config(settings)
    terminal.say(*kept.misfits)
    if config is None:
        terminal.say(f"The offline rules answer {len(situations)} questions.")
        rules = HabitualChat(RuleBook(), model_named(choice.spoilt, settings.seed or 0))
        asked = await ask_all(situations, rules, seed=settings.seed or 0, max_concurrency=1)
        return _report(asked, terminal)
    terminal.say(*filter(None, [_announced(settings, config, situations), check_prices(settings)]))
    if not (choice.yes or _agreed()):
        terminal.say("No question was asked. Add --yes to begin.")
        return 0
    return await _paid(settings, config, situations, ledgers=choice.ledgers, terminal=terminal)


def _is_one(situation: Situation, only: Sequence[str]) -> bool:
    """Return whether a question has one of these titles, or is of one of these kinds; without any, all are."""
    title = situation.question.title
    return not only or title in only or title.partition("/")[0] in only


def _some(situations: Sequence[Situation], most: int | None) -> list[Situation]:
    """Return at most so many situations of each question."""
    titles = [each.question.title for each in situations]
    return [
        each for place, each in enumerate(situations)
        if most is None or titles[:place].count(each.question.title) < most
    ]  # fmt: skip


def _announced(settings: Settings, config: ChatConfig, situations: Sequence[Situation]) -> str:
    """Return what the bench will take."""
    prices = prices_for(config.endpoint, Prices.load(settings.prices))

    def cost_of(request: ChatRequest, usage: Usage) -> float | None:
        return prices.cost(config.models(request), usage)

    models = ", ".join(config.models.names)
    return f"{models} at {config.endpoint.title}: {_takes(len(situations), forecast(situations, cost_of))}"


def _takes(questions: int, expected: Forecast) -> str:
    cost = "at an unknown price" if expected.cost is None else f"about {expected.cost:.2f} dollars"
    tokens = f"{expected.prompt_tokens:,} tokens in and {expected.answer_tokens:,} out"
    return f"{questions:,} questions, about {expected.calls:,} calls, {tokens}, {cost}."


def _agreed() -> bool:
    """Ask at the terminal; without one, the answer is no."""
    return sys.stdin.isatty() and input("Begin? [y/N] ").strip().lower() in {"y", "yes"}


async def _paid(
    settings: Settings, config: ChatConfig, situations: Sequence[Situation], *, ledgers: Path, terminal: Terminal
) -> int:  # fmt: skip
    """Ask a provider; calls within the budget, each in the ledger."""
    folder = ledgers / _ledger_name(settings, config) / "reverie"
    folder.mkdir(parents=True, exist_ok=True)
    with closing(Ledger.open(folder)) as ledger:
        factory = ClientFactory(settings, ledger, purpose="bench")
        try:
            chat = factory.chat(config)
            most = most_calls(settings.max_concurrency)
            asked = await ask_all(situations, chat, seed=settings.seed or 0, max_concurrency=most)
        finally:
            await factory.close()
        code = _report(asked, terminal)
        terminal.say(f"{spent(ledger.spend)} in {ledger.path}")
        return code


def _ledger_name(settings: Settings, config: ChatConfig) -> str:
    """Return a name by provider and model, and by a digest of all else that makes answers differ."""
    models = (config.models.fast, config.models.advanced, sorted(config.models.chosen.items()))
    others = (config.endpoint.base_url, settings.temperature, settings.reasoning_effort, settings.answer_tokens)
    digest = blake2b(repr((models, others)).encode(), digest_size=4).hexdigest()
    return re.sub(r"[^\w.-]+", "_", f"{config.endpoint.provider.name} {config.models.names[0]} {digest}")


def _report(asked: Asked, terminal: Terminal) -> int:
    terminal.say(*table(asked.outcomes), *([str(asked.error)] if asked.error else []))
    return int(asked.error is not None)


if __name__ == "__main__":
    sys.exit(main())
