"""Reads what people of each run are asked: in which words, whom, when, and in which role."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ville.analysis.answer_measures import answer_sources
from ville.errors import BadArgument, ReverieError
from ville.plain_text import one_line, shortened
from ville.reply_form import IN_WORDS, TEXT, ReplyForm, reply_form
from ville.simulation.persona_names import find_persona
from ville.simulation.user_texts import checked_line, checked_role
from ville.storage.past.moments import END
from ville.studies.study import StudyBase, StudyQuestion
from ville.yaml_lines import YamlValue

QUESTION_KEYS = ("ask", "of", "when", "role", "answer", "name")
LONGEST_NAME = 60
"""Characters of the name of a typed question in measures."""
EVERYONE = "everyone"


def read_questions(found: YamlValue, bases: tuple[StudyBase, ...]) -> tuple[StudyQuestion, ...]:
    """Return the questions of a study file, one for each time at which they are asked. What is wrong is added to its
    faults.
    """
    return tuple(question for each in found.items() for question in _question(each, bases))


def _question(found: YamlValue, bases: tuple[StudyBase, ...]) -> tuple[StudyQuestion, ...]:
    given = found.fields(QUESTION_KEYS)
    if "ask" not in given:
        found.fault("a question has no words", "add `ask: ...`")
        return ()
    of, role = given.get("of"), given.get("role")
    names = [each.text() or "" for each in of.one_or_more()] if of else []
    people = () if names in ([], [EVERYONE]) else tuple(names)
    question = StudyQuestion(ask=given["ask"].text() or "", of=people, role=(role.text() or "") if role else "")
    question = replace(question, **_typed(given, question.ask))
    _checked(given["ask"], checked_line, question.ask)
    if role and not bases:
        _checked(role, checked_role, question.role, "", ())
    for base in bases:
        for name in people:
            _checked(of or found, find_persona, name, base.people)
        if role:
            _checked(role, checked_role, question.role, "", base.people)
    return tuple(replace(question, when=when) for when in _times(given.get("when"), found, bases))


def _typed(given: Mapping[str, YamlValue], ask: str) -> dict[str, Any]:
    """Return the form of an answer and the name of the question in measures; answers in words have none."""
    name = given.get("name")
    try:
        form = reply_form(_plain(given["answer"])) if "answer" in given else IN_WORDS
    except BadArgument as fault:
        given["answer"].fault(str(fault))
        return {}
    if form.kind == TEXT:
        if name:
            name.fault("a question that is answered in words has no name in measures", "add `answer`, or remove `name`")
        return {}
    own = one_line(name.text() or "").strip() if name else ""
    if name and not 0 < len(own) <= LONGEST_NAME:
        name.fault("this cannot be the name of a question", f"write 1 to {LONGEST_NAME} characters")
    return {"form": form, "name": own or shortened(one_line(ask), LONGEST_NAME)}


def _plain(found: YamlValue) -> object:
    """Return a value with its scalars as they are written: `yes` is a choice here."""
    if found.is_mapping:
        return {key: _plain(each) for key, each in found.fields().items()}
    return [_plain(each) for each in found.items()] if found.is_list else str(found.node.value)


def answer_measures(questions: Sequence[StudyQuestion], groups: Sequence[str]) -> Iterator[dict[str, str]]:
    """Yield the measures of typed questions, as entries of `measures`."""
    typed: dict[tuple[str, str, ReplyForm], list[StudyQuestion]] = {}
    for each in questions:
        typed.setdefault((each.ask, each.role, each.form), []).append(each)
    for (_, _, form), asked in typed.items():
        yield from answer_sources(asked[0].name, form, [each.when for each in asked], groups)


def _times(found: YamlValue | None, question: YamlValue, bases: tuple[StudyBase, ...]) -> tuple[str, ...]:
    """Return when a question is asked, as in the file: once, or several times."""
    if found is None:
        return _checked_time(question, END, bases)
    times: dict[str, None] = {}
    for each in found.one_or_more():
        when = str(each.node.value).strip() if not (each.is_list or each.is_mapping) else ""
        if not when:
            each.fault("`when` is not a time", 'write, for example, `end`, "18:00", or `[start, end]`')
        elif when in times:
            each.fault(f"it is asked twice at {when}", "keep one of the two")
        else:
            times |= dict.fromkeys(_checked_time(each, when, bases))
    if found.is_list and not found.items():
        found.fault("the question is never asked", "write, for example, `[start, end]`, or leave out `when`")
    return tuple(times)


def _checked_time(found: YamlValue, when: str, bases: tuple[StudyBase, ...]) -> tuple[str, ...]:
    for base in bases:
        _checked(found, base.step_at, when)
    return (when,)


def _checked(found: YamlValue, check: Callable[..., object], *arguments: object) -> None:
    """Add a fault if a check raises one."""
    try:
        check(*arguments)
    except ReverieError as fault:
        found.fault(str(fault))
