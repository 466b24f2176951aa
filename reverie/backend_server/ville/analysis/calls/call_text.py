"""The texts of one call: its prompt with the blanks of its template marked, its schema, the answer, how it was read."""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from string import Template

from ville.errors import BadPrompt, CorruptFile
from ville.llm.accounting.ledger import FILE
from ville.llm.accounting.ledger_schema import RULES, TERMS, prepare
from ville.llm.gateway import EMBEDDING, AnswerTerms
from ville.persona.prompt_template.answers.json_values import json_values
from ville.persona.prompt_template.question import PAPER, PERSON, file_of, template_text
from ville.storage.database_check import check_files, reading_uri

COLUMNS = ", ".join(("messages", "schema", "answer", "fault", "question", *TERMS))
QUERY = f"SELECT {COLUMNS} FROM calls WHERE id = ? AND {RULES['calls']}"  # noqa: S608 - names from our code

NOW = "\n\nIt is "
"""How begins what is true of a person now, in prompts that have it."""


@dataclass(frozen=True)
class PromptPart:
    """A part of a prompt: words of its template, or what filled a blank of it."""

    words: str
    blank: str = ""
    """Name of the blank; empty for words of the template."""


@dataclass(frozen=True)
class CallMessage:
    """A message of a prompt."""

    role: str
    parts: tuple[PromptPart, ...]


@dataclass(frozen=True)
class CallText:
    """Prompt and answer of one call."""

    messages: tuple[CallMessage, ...]
    schema: str
    """Form of the answer, as indented JSON."""
    answer: str
    """As received."""
    found: str
    """The JSON values in the answer, indented; empty if there are none."""
    fault: str
    terms: AnswerTerms


def call_text(folder: Path, number: int, wording: str) -> CallText | None:
    """Return the texts of a call in the ledger of a folder; None if there is no such call. Raises CorruptFile.

    `wording` is `questions` of run.json.
    """
    path = folder / FILE
    check_files(path)
    try:
        with closing(sqlite3.connect(reading_uri(path), uri=True)) as connection:
            prepare(path, connection, writable=False)
            row = connection.execute(QUERY, [number]).fetchone()
        if row is None:
            return None
        messages, schema, answer, fault, question, *terms = row
        return CallText(
            tuple(_messages(json.loads(messages), question, wording)),
            json.dumps(json.loads(schema), indent=2, ensure_ascii=False),
            answer,
            "" if question == EMBEDDING else _found(answer),
            fault,
            AnswerTerms(*map(str, terms)),
        )
    except (sqlite3.Error, ValueError, TypeError, KeyError) as error:
        template = "%(file)s cannot be read (%(reason)s). Restore it from a copy."
        raise CorruptFile(template, file=path, reason=error) from error


def _messages(messages: Sequence[dict[str, str]], question: str, wording: str) -> Iterator[CallMessage]:
    """Yield the messages of a prompt, with blanks in the first; of an embedding, its texts."""
    for place, message in enumerate(messages):
        if question == EMBEDDING:
            yield CallMessage("text", (PromptPart(str(message)),))
        elif place == 0:
            yield CallMessage(message["role"], tuple(marked(message["content"], question, wording)))
        else:
            yield CallMessage(message["role"], (PromptPart(message["content"]),))


def marked(prompt: str, question: str, wording: str) -> list[PromptPart]:
    """Return a prompt as parts; one part if its template is not there any more, or has changed."""
    return next(
        filter(None, (_aligned(prompt, each) for each in _templates(prompt, question, wording))), [PromptPart(prompt)]
    )


def _templates(prompt: str, question: str, wording: str) -> Iterator[str]:
    """Yield the templates that a prompt may be made of: with the person and what is true of it now, or without."""
    try:
        person, body = (_template(name, wording) for name in (PERSON, f"{question}.txt"))
    except BadPrompt:
        return
    if not prompt.startswith(person.partition(Template.delimiter)[0]):
        yield body
        return
    if NOW in prompt:
        yield f"{person}\n\n$at_hand\n\n{body}"
    yield f"{person}\n\n{body}"


def _template(name: str, wording: str) -> str:
    """Return a template as a run words its questions. Raises BadPrompt."""
    return template_text(file_of(name, "paper" if wording == PAPER else "situated")).template


def _aligned(prompt: str, template: str) -> list[PromptPart]:
    """Return a prompt as the words of a template and what stands between them; nothing if they are not in it.

    What follows the template was added to it, unless it ends with a blank.
    """
    parts: list[PromptPart] = []
    at, blank, ended = 0, "", ""
    for words, following in _pieces(template):
        found = prompt.find(words, at) if blank else (at if prompt.startswith(words, at) else -1)
        if found < 0:
            return []
        parts += [PromptPart(prompt[at:found], blank)] if found > at else []
        parts += [PromptPart(words)] if words else []
        at, blank, ended = found + len(words), following, "" if words else blank
    rest = prompt[at:]
    return parts + ([PromptPart(rest, ended)] if rest else [])


def _pieces(template: str) -> Iterator[tuple[str, str]]:
    """Yield the words of a template, each with the blank that follows it; an empty one at the end."""
    at, words = 0, ""
    for found in Template.pattern.finditer(template):
        words += template[at : found.start()]
        at = found.end()
        if found["escaped"]:
            words += Template.delimiter
        elif name := found["named"] or found["braced"]:
            yield words, name
            words = ""
    yield words + template[at:], ""


def _found(answer: str) -> str:
    """Return the JSON values in an answer, as they were read before they were checked."""
    try:
        values = list(json_values(answer))
    except ValueError:
        return ""
    return "\n".join(json.dumps(value, indent=2, ensure_ascii=False, default=str) for value in values)
