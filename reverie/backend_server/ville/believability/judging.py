"""Lets a model judge in the place of people: each task in two orders, some with a planted copy of an answer."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from string import Template, ascii_uppercase

from ville.assembly.model_choice import ChatConfig, chat_config, check_prices
from ville.believability.plain_style import flourished
from ville.errors import BadArgument, Malformed, TooLong
from ville.llm.accounting.ledger import FILE, Ledger, Spend
from ville.llm.gateway import Chat, ChatMessage, ChatReply, ChatRequest, Usage
from ville.llm.wire.providers import OFFLINE
from ville.persona.cognitive_modules.mind import gather_all
from ville.persona.prompt_template.answers.json_values import json_values
from ville.settings import Settings
from ville.storage.evaluations.evaluation_folder import JUDGING, EvaluationFolder, EvaluationNote, ShownPerson
from ville.storage.evaluations.ranking_sheet import (
    COPY,
    AnswerCard,
    RankingSheet,
    RankingTask,
    read_sheet,
    shown_cards,
    tasks_of,
)
from ville.storage.evaluations.rating_files import Rating, all_judgements, read_judgement, write_judgement
from ville.storage.files import writing
from ville.storage.safe_names import safe_name

TURNS = (1, 2)
ATTEMPTS = 3
"""Answers of a form that cannot be used, until an order counts as unusable."""
FIRST = 5
"""Orders without a usable answer with which a judge begins, until it is not asked any more."""
COPIES = 0.25
"""Share of the tasks with a planted copy."""
MEMORIES, MEMORY = 40, 200
"""Memories that a judge reads, at most, and characters of each."""
ANSWER_TOKENS, CORRECTION_TOKENS = 160, 40
QUESTION = "believability/rank"
"""Name of the question in the ledger."""
ENDINGS = (":latest", ".gguf")


@dataclass(frozen=True)
class Judge:
    """A model that judges, with a client that records its calls beside the evaluation."""

    name: str
    chat: Chat
    folder: EvaluationFolder
    note: EvaluationNote
    sheet: RankingSheet


def checked_judge(settings: Settings, note: EvaluationNote) -> ChatConfig:
    """Return the model that is to judge. Raises BadArgument if there is none, or if it answered itself."""
    config = chat_config(settings)
    if config is None:
        raise BadArgument("The offline rules cannot judge. Name a model with --model, and its --provider if need be.")
    judge = config.models.advanced
    if judge.casefold() == OFFLINE:
        raise BadArgument("'offline' is no model: the offline rules cannot judge. Name a model with --model.")
    if _plain(judge) in map(_plain, note.answered_by):
        raise BadArgument(f"{judge} gave the answers itself, and so cannot judge them. Name another one with --model.")
    return config


def _plain(model: str) -> str:
    """Return the name of a model without its maker, path and usual endings."""
    name = model.casefold().replace("\\", "/").rpartition("/")[2]
    for ending in ENDINGS:
        name = name.removesuffix(ending)
    return name


@asynccontextmanager
async def judge_of(settings: Settings, folder: EvaluationFolder) -> AsyncIterator[Judge]:
    """Yield the judge that the settings name, within their limits and the wallet. Raises a ReverieError."""
    from ville.assembly.client import ClientFactory  # noqa: PLC0415 - only runs with a model need an HTTP client

    note = folder.note()
    config = checked_judge(settings, note)
    check_prices(settings)
    judge = config.models.advanced
    own = _ledger_folder(folder, judge)
    with writing(own):
        own.mkdir(parents=True, exist_ok=True)
    factory = ClientFactory(replace(settings, language=""), Ledger.open(own), purpose="bench")
    try:
        yield Judge(judge, factory.chat(config), folder, note, read_sheet(folder))
    finally:
        await factory.close()


def _ledger_folder(folder: EvaluationFolder, judge: str) -> Path:
    """Return the folder of the ledger of a judge: another one without a price bars no limit then."""
    return folder.root / JUDGING / f"{safe_name(judge.casefold())}.judge"


def judge_spend(folder: EvaluationFolder, judge: str) -> Spend:
    """Return what a judge has used so far. Raises CorruptFile."""
    own = _ledger_folder(folder, judge)
    if not (own / FILE).exists():
        return Spend()
    with closing(Ledger.read(own)) as ledger:
        return ledger.spend


def left_to_judge(folder: EvaluationFolder, judge: str, most: int = 0) -> list[tuple[RankingTask, int]]:
    """Return the tasks and turns that a model has not judged yet, of the first `most` tasks (0: of all); those to
    which it gave no usable answer are asked again.

    Raises CorruptFile.
    """
    sheet = read_sheet(folder)
    tasks = _drawn(sheet, most)
    known = {(task.id, turn): read_judgement(folder, judge, task.id, turn) for task in tasks for turn in TURNS}
    return [(task, turn) for task in tasks for turn in TURNS if not _is_of(known[task.id, turn], task)]


def _drawn(sheet: RankingSheet, most: int) -> list[RankingTask]:
    """Return tasks in an order drawn from the seed, so that the first of them are a sample of all."""
    tasks = tasks_of(sheet, "")
    Random(f"{sheet.seed} judged").shuffle(tasks)  # noqa: S311 - an order, not a secret
    return tasks[: most or len(tasks)]


def _is_of(rating: Rating | None, task: RankingTask) -> bool:
    return rating is not None and rating.is_of(task)


@dataclass(frozen=True)
class JudgingUsage:
    """Questions and tokens that judging will use: four characters count as a token."""

    likely: Usage
    """If all answers can be used."""
    most: Usage
    """If each is corrected as often as may be."""
    questions: int
    most_questions: int


def judging_usage(folder: EvaluationFolder, left: Sequence[tuple[RankingTask, int]]) -> JudgingUsage:
    """Return what judging will use. Raises CorruptFile."""
    people = {task.person: sum(map(len, _about(folder.person(task.person)).values())) for task, _ in left}
    prompts = sum(
        len(_template().template) + people[task.person] + sum(len(card.text) for card in task.cards) for task, _ in left
    )
    corrections = len(left) * sum(range(ATTEMPTS)) * (ANSWER_TOKENS + CORRECTION_TOKENS)
    return JudgingUsage(
        likely=Usage(prompt_tokens=prompts // 4, completion_tokens=30 * len(left)),
        most=Usage(ATTEMPTS * prompts // 4 + corrections, completion_tokens=ATTEMPTS * ANSWER_TOKENS * len(left)),
        questions=len(left),
        most_questions=ATTEMPTS * len(left),
    )


async def judge_all(judge: Judge, left: Sequence[tuple[RankingTask, int]]) -> int:
    """Let a model judge tasks, and keep each as soon as it is there; return how many it gave no usable answer to.

    Raises a ReverieError: what is judged is kept; and BadArgument if it gave no usable answer yet and begins so again.
    """

    async def one(task: RankingTask, turn: int) -> bool:
        rating = await _judged(judge, task, turn)
        write_judgement(judge.folder, rating)
        return not rating.places

    first = 0 if _has_judged(judge) else FIRST
    unusable = sum(await gather_all(one(task, turn) for task, turn in left[:first]))
    if first and unusable == first:
        line = f"None of the first {first} answers of {judge.name} can be used, so it is not asked any more."
        raise BadArgument(f"{line} Name another model with --model.")
    return unusable + sum(await gather_all(one(task, turn) for task, turn in left[first:]))


def _has_judged(judge: Judge) -> bool:
    """Return whether a judge gave a usable answer before. Raises CorruptFile."""
    return any(each.places for each in all_judgements(judge.folder) if each.rater == judge.name)


def judged_cards(sheet: RankingSheet, task: RankingTask, judge: str, turn: int) -> list[AnswerCard]:
    """Return the answers as they are shown: in a drawn order, perhaps with a copy of one, and then turned round."""
    cards = shown_cards(sheet, task, judge)
    draw = Random(f"{sheet.seed} {task.id} copy")  # noqa: S311 - a draw, not a secret
    if draw.random() < COPIES:
        original = draw.choice(task.cards)
        copy = AnswerCard(code=original.code + COPY, text=flourished(original.text))
        cards.insert(draw.randint(0, len(cards)), copy)
    return cards if turn == TURNS[0] else cards[::-1]


async def _judged(judge: Judge, task: RankingTask, turn: int) -> Rating:
    cards = judged_cards(judge.sheet, task, judge.name, turn)
    codes = [card.code for card in cards]
    earlier = read_judgement(judge.folder, judge.name, task.id, turn)
    asked = earlier.asked + 1 if earlier else 1
    request = judge_request(judge, task, cards, asked=asked)
    places, served = dict[str, int](), ""
    for _ in range(ATTEMPTS):
        try:
            reply = await judge.chat.complete(request)
            order = _ranking(reply.text, len(cards))
        except (Malformed, TooLong):
            break
        except ValueError as fault:
            request = _corrected(request, reply, str(fault))
        else:
            places = {codes[number]: place for place, number in enumerate(order, 1)}
            served = served_by(reply)
            break
    return Rating(
        rater=judge.name, task=task.id, turn=turn, shown=codes, places=places, asked=asked, served=served
    )  # fmt: skip


def served_by(reply: ChatReply) -> str:
    """Return the model that answered, as its provider names it; as it was asked for, if the provider names none."""
    return reply.terms.served or reply.model


def judge_request(judge: Judge, task: RankingTask, cards: Sequence[AnswerCard], asked: int = 1) -> ChatRequest:
    """Return the question to a judge; asked once more, it has another seed, so that it is not answered from the ledger.

    Raises CorruptFile.
    """
    letters = list(ascii_uppercase[: len(cards)])
    text = _template().substitute(
        **_about(judge.folder.person(task.person)),
        question=task.asked,
        answers="\n\n".join(f"[{letter}] {card.text}" for letter, card in zip(letters, cards, strict=True)),
        count=len(cards),
        letters=", ".join(letters),
        example=", ".join(f'"{letter}"' for letter in reversed(letters)),
    )
    ranking = {
        "type": "array",
        "items": {"type": "string", "enum": letters},
        "minItems": len(letters),
        "maxItems": len(letters),
    }
    return ChatRequest(
        question=QUESTION,
        fields={},
        messages=(ChatMessage("user", text),),
        schema={"type": "object", "properties": {"ranking": ranking}, "required": ["ranking"]},
        persona=task.person,
        step=judge.note.step,
        seed=judge.note.seed + asked - 1,
        tier="advanced",
        temperature=0.0,
        answer_tokens=ANSWER_TOKENS,
        model=judge.name,
    )


@cache
def _template() -> Template:
    return Template(Path(__file__).with_name("judge.txt").read_text("utf-8").strip())


def _about(person: ShownPerson) -> dict[str, str]:
    told = [memory for memory in person.memories if memory.kind != "event"]
    seen = [memory for memory in person.memories if memory.kind == "event"]
    few = sorted([*told, *seen[: max(0, MEMORIES - len(told))]][-MEMORIES:], key=lambda memory: memory.time)
    lines = [f"{memory.time[:16]}: {memory.text[:MEMORY]}" for memory in few]
    return {"about": "\n".join(person.about), "memories": "\n".join(lines) or "(nothing yet)"}


def _ranking(text: str, count: int) -> list[int]:
    """Return the positions of answers from 0, the best first. Raises ValueError, worded for the model."""
    letters = list(ascii_uppercase[:count])
    for value in json_values(text):
        named = value.get("ranking") if isinstance(value, dict) else value
        if isinstance(named, list) and sorted(map(str, named)) == letters:
            return [letters.index(str(letter)) for letter in named]
    raise ValueError(f"it does not name each of {', '.join(letters)} once")


def _corrected(request: ChatRequest, reply: ChatReply, fault: str) -> ChatRequest:
    said = (ChatMessage("assistant", reply.text[: ANSWER_TOKENS * 4]),) if reply.text.strip() else ()
    correction = ChatMessage("user", f"That ranking cannot be used: {fault}. Give it again, as JSON.")
    return replace(request, messages=(*request.messages, *said, correction))
