"""Proper but dull answers to every question, derived from the text of the request alone."""

import json
import re
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

DOINGS = ("reading", "having tea", "tidying up", "making music", "looking out of the window")
PLACE = re.compile(r"^- (.+?) > (.+?): (.*)$", re.MULTILINE)


def answer_to(body: Mapping[str, Any]) -> str:
    """Return JSON that answers a request; the same request has the same answer."""
    text = "\n".join(str(message["content"]) for message in body["messages"] if message["role"] != "assistant")
    lot = Random(text)  # noqa: S311 - a play, no secrets
    return json.dumps(_ANSWERS[question_of(body)](text, lot), ensure_ascii=False)


def question_of(body: Mapping[str, Any]) -> str:
    """Return the name of a question: the name of its schema, else a guess from its text."""
    form = body.get("response_format") or {}
    if "json_schema" in form:
        return str(form["json_schema"]["name"])
    text = "\n".join(str(message["content"]) for message in body["messages"])
    return next(name for phrase, name in _PHRASES.items() if phrase in text)


def _number(pattern: str, text: str) -> int:
    return int(re.findall(pattern, text)[0])


def _lines_after(heading: str, text: str) -> list[str]:
    """Return the items of the list below a heading."""
    lines = text.partition(heading)[2].splitlines()[1:]
    count = next((number for number, line in enumerate(lines) if not line.startswith("- ")), len(lines))
    return [line[2:] for line in lines[:count]]


def _name(text: str) -> str:
    """Return the name of the persona."""
    found = re.search(r"^Name: (.+)$", text, re.MULTILINE)
    return found[1] if found else "Somebody"


def _in_form(text: str) -> str:
    """Return the first choice, or the lowest number that fits."""
    form = text.rpartition("Go by what stands above")[2]
    choices, least = re.search(r"word for word: (.+?) / ", form), re.search(r"(?:from|at least) (-?\d+)", form)
    return choices[1] if choices else least[1] if least else "0"


def _subtasks(text: str, lot: Random) -> dict[str, Any]:
    minutes = _number(r"have to add up to (\d+)", text)
    parts = max(1, minutes // 15)
    lengths = [minutes // parts] * (parts - 1)
    return {
        "subtasks": [{"what": f"part {number + 1}, {lot.choice(DOINGS)}", "minutes": length, **_where(text, lot)}
                     for number, length in enumerate([*lengths, minutes - sum(lengths)])]
    }  # fmt: skip


def _steps(_: str, lot: Random) -> dict[str, Any]:
    return {"steps": [f"part {part}, {lot.choice(DOINGS)}" for part in range(4)]}


def _filled_day(text: str, lot: Random) -> dict[str, Any]:
    keys = re.findall(r"(?:(\d+) different|one) (?:parts?|things?) (?:of|that) .+?(?= and |\. Each)", text)
    asked = re.search(r"when free\? Give (.+)\. Each", text)
    return {
        key: [lot.choice(DOINGS) for _ in range(int(count or 1))]
        for key, count in zip(asked[1].split(" and ") if asked else (), keys, strict=True)
    }


def _where(text: str, lot: Random) -> dict[str, Any]:
    sector, arena, objects = lot.choice(PLACE.findall(text))
    known = [] if objects == "(no objects)" else objects.split(", ")
    return {
        "sector": sector, "arena": arena, "game_object": lot.choice(known) if known else "", "emoji": "🎲",
        "object_state": "being used",
    }  # fmt: skip


def _importance(text: str, lot: Random) -> dict[str, Any]:
    return {number: lot.randint(1, 6) for number in re.findall(r"^(\d+)\. ", text, re.MULTILINE)}


def _choice(text: str, lot: Random) -> dict[str, Any]:
    return {"choice": lot.choice(_lines_after("Choose one of these:", text))}


def _response(text: str, lot: Random) -> dict[str, Any]:
    sector, arena, _ = lot.choice(PLACE.findall(text))
    return {
        "choice": lot.choice(("change", "carry on")), "activity": "seeing to it", "minutes": lot.randrange(1, 9),
        "sector": sector, "arena": arena, "game_object": "", "emoji": "🧯", "ends_it": lot.random() < 0.5,
    }  # fmt: skip


def _said(text: str, lot: Random) -> dict[str, Any]:
    number = _turns(text)
    return {"utterance": f"It is remark {number + 1}, said by {_name(text)}.", "ends": number > lot.randrange(1, 4)}


def _turns(text: str) -> int:
    """Return how often something was said; the last words stand apart in a question of the moment."""
    listed = max(len(_lines_after(heading, text)) for heading in ("The conversation so far:", "\nSo far:"))
    return listed + (" has just said: " in text)


def _afterthoughts(text: str, _lot: Random) -> dict[str, Any]:
    thought = {"text": f"{_name(text)} had a talk.", "predicate": "had", "object": "a talk", "poignancy": 3}
    return {"for_planning": thought, "memo": thought | {"text": f"{_name(text)} liked the talk."}}


def _whispered(text: str, _lot: Random) -> dict[str, Any]:
    heard = {"text": f"{_name(text)} has heard something.", "subject": _name(text), "predicate": "has heard"}
    return heard | {"object": "something", "poignancy": 5}


NOTHING_TODAY = {"what": "", "hour": 0, "minutes": 0}


def _kept(name: str) -> dict[str, Any]:
    thought = {"text": f"{name} had a talk.", "poignancy": 3}
    impression = {"relationship": f"{name} likes to talk to them.", "feeling": "joy", "summary": "They have talked."}
    return {"for_planning": thought, "memo": thought, "today": NOTHING_TODAY, **impression}


def _whole_talk(text: str, lot: Random) -> dict[str, Any]:
    names = re.findall(r"^Name: (.+)$", text, re.MULTILINE)[:2]
    lines = [
        {"speaker": names[number % 2], "said": f"It is remark {number + 1}."} for number in range(lot.randrange(2, 6))
    ]
    return {"lines": lines, "about": "remarks", "kept": [{"whose": name, **_kept(name)} for name in names]}


def _insights(text: str, _lot: Random) -> dict[str, Any]:
    insight = {"text": f"{_name(text)} gets about.", "because_of": [0], "subject": _name(text), "predicate": "gets"}
    return {"insights": [insight | {"object": "about", "poignancy": 4}]}


_ANSWERS: dict[str, Callable[[str, Random], dict[str, Any]]] = {
    "plan_wake_up_hour": lambda _, lot: {"wake_up_hour": lot.randrange(5, 8)},
    "plan_revise_identity": lambda text, _: {
        "currently": f"{_name(text)} goes on as before.", "daily_requirement": "Have lunch.",
    },
    "day_bring_up_to_date": lambda text, _: {"currently": f"{_name(text)} goes on as before."},
    "day_fill_the_day": _filled_day,
    "day_step_by_step": _steps,
    "day_step_by_step_briefly": _steps,
    "day_where_usually": lambda *_: {"place": "home", "thing": "desk", "emoji": "🎲"},
    "plan_day_plan": lambda _, lot: {"plans": ["get up at 6:00", f"be {lot.choice(DOINGS)} at 9:00", "sleep at 22:00"]},
    "plan_hourly_schedule": lambda _, lot: {
        "activities": [
            {"from": f"{hour}:00", "to": f"{hour + 1}:00", "activity": lot.choice(DOINGS)} for hour in range(6, 22)
        ],
    },
    "plan_subtasks": _subtasks,
    "plan_where_and_how": _where,
    "plan_reschedule": lambda text, _: {
        "activities": [{"what": "making up for it", "minutes": _number(r"add up to (\d+)", text)}],
    },
    "plan_subtasks_briefly": _subtasks,
    "perceive_how_important": _importance,
    "perceive_how_important_briefly": _importance,
    "react_how_to_react": lambda text, lot: {"reason": "", **_choice(text, lot)},
    "react_how_to_react_briefly": _choice,
    "react_how_to_respond": _response,
    "converse_relationship": lambda text, _: {
        "relationship": f"{_name(text)} knows them by sight.", "feeling": "curiosity",
    },
    "converse_impression": lambda text, _: {
        "relationship": f"{_name(text)} knows them by sight.", "feeling": "curiosity", "summary": "They have met.",
    },
    "converse_utterance_by_impression": _said,
    "converse_after_impression": lambda text, _: _kept(_name(text)),
    "converse_whole_talk": _whole_talk,
    "converse_next_utterance": _said,
    "converse_conversation_gist": lambda *_: {"about": "remarks and their numbers"},
    "converse_after_conversation": _afterthoughts,
    "converse_after_small_talk": lambda text, lot: {"memo": _afterthoughts(text, lot)["memo"]},
    "reflect_focal_points": lambda text, _: {"questions": [f"What does {_name(text)} do?"]},
    "reflect_insights": _insights,
    "reflect_direct_insights": _insights,
    "talk_whispered": _whispered,
    "talk_whispers_matter": _importance,
    "talk_changed_today": lambda *_: {"called_off": "nothing"} | NOTHING_TODAY,
    "talk_typed_interview": lambda text, _: {"answer": _in_form(text)},
    "talk_interview": lambda text, _: {"utterance": f"I am {_name(text)}."},
    "talk_anthropomorphising": lambda *_: {"score": 1},
}  # fmt: skip

_PHRASES = {
    "get up in the morning?": "plan_wake_up_hour",
    "Bring both up to date": "plan_revise_identity",
    "busy with now?": "day_bring_up_to_date",
    "do when free?": "day_fill_the_day",
    "Name three to five steps, each": "day_step_by_step",
    "different steps of it in their order": "day_step_by_step_briefly",
    "In what kind of room or place": "day_where_usually",
    "in broad strokes?": "plan_day_plan",
    "from hour to hour?": "plan_hourly_schedule",
    "longer only where nothing changes. For each give": "plan_subtasks_briefly",
    "These thoughts come to": "talk_whispers_matter",
    "ordinary, small news, big news, an emergency": "perceive_how_important_briefly",
    "which are small news": "perceive_how_important",
    "How much does each of these matter to": "perceive_how_important_briefly",
    "if there is something to say or ask": "react_how_to_react_briefly",
    ", step by step?": "plan_subtasks",
    "Where does": "plan_where_and_how",
    "But something came in between": "plan_reschedule",
    "an everyday nothing": "perceive_how_important",
    "Choose one of these:": "react_how_to_react",
    "drop everything and do something about it": "react_how_to_respond",
    "what was told and by whom": "converse_impression",
    "say next: an answer": "converse_utterance_by_impression",
    "You write what two people": "converse_whole_talk",
    "and add this talk": "converse_after_impression",
    "one sentence that names both": "converse_relationship",
    "takes work, home and family of": "converse_relationship",
    "The last time the two talked:": "converse_next_utterance",
    "now? Short, ": "converse_next_utterance",
    "now say to": "converse_utterance_by_impression",
    "as one would name it": "converse_conversation_gist",
    "conversing about": "converse_conversation_gist",
    "promised something or both": "converse_after_conversation",
    "one thing that was told in this talk": "converse_after_small_talk",
    "have just talked": "converse_after_conversation",
    "most worth thinking over?": "reflect_focal_points",
    "thinks over this question": "reflect_insights",
    "conclude from this": "reflect_direct_insights",
    "called_off: which line": "talk_changed_today",
    "A voice in": "talk_whispered",
    "answer? Go by what stands above": "talk_typed_interview",
    "answer? Answer as": "talk_interview",
    "treat the agent as a real human": "talk_anthropomorphising",
}
