"""Makes commitments and calls them off: by talks, plans, whispers and events, and by what a persona is about."""

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import date, time

from ville.offline.day.hours import day_in
from ville.persona.cognitive_modules.committing.appointment_reading import PLANNING, appointments_in, clock, place_in
from ville.persona.cognitive_modules.committing.calling_off import (
    HEARD,
    IDENTITY,
    PLAN,
    TALK,
    call_off,
    cancellations,
    note_missed,
)
from ville.persona.cognitive_modules.mind import Mind, Moment, minute_of_day, named_people
from ville.persona.cognitive_modules.view import TownView
from ville.persona.memory_structures.action import SLEEP_WORD
from ville.persona.memory_structures.facts.commitment import Commitment
from ville.persona.memory_structures.facts.fact_words import fact_words
from ville.persona.memory_structures.scratch import Conversation
from ville.persona.memory_structures.stream.concept_node import ConceptNode
from ville.persona.prompt_template.answers.clock_times import in_24_hours
from ville.persona.prompt_template.caps import ACTIVITY
from ville.persona.prompt_template.conversation_answers import Appointment
from ville.plain_text import shortened

FOR_PLANNING = "For {name}'s planning: "
"""Beginning of what is kept of a talk for planning."""
MOST_OF_TALKS = 4
"""Appointments that a person makes in the talks of one day, at most."""
HOUR = 60
# ruff: noqa: RUF001 - Russian words
DECLINES = re.compile(
    r"\b(?:can['’]?t|cannot|can not|won['’]t|will not|does(?: not|n['’]t) want to|declined|refused|unable to"
    r"|not able to|no time)\b|\bне (?:сможет|может|хочет|пойд[её]т|прид[её]т)\b|\bотказал\w+",
    re.IGNORECASE,
)
AGREES = re.compile(
    r"\b(?:wants to|will|agreed|promised|accepted|is going to|plans to|looks forward)\b"
    r"|\b(?:хочет|прид[её]т|пойд[её]т|договорил\w+|обещал\w*|соглас\w+)\b"
)


def commit_by_identity(mind: Mind, view: TownView) -> None:
    """Note the appointments in the present concerns and the requirement of a persona, each once."""
    if not mind.keeps_facts:
        return
    identity = mind.scratch.identity
    for text in (identity.currently, identity.daily_plan_req or ""):
        _note_new(mind, appointments_in(mind, view, text, source=IDENTITY))


def commit_by_memories(mind: Mind, view: TownView, nodes: Iterable[ConceptNode]) -> None:
    """Note the appointments in new memories, and call off what they say is cancelled, or missed by oneself."""
    if not mind.keeps_facts:
        return
    for node in nodes:
        note_missed(mind, view, node.description)
        if not call_off(mind, view, node.description) and is_agreed(node.description):
            _note_new(mind, appointments_in(mind, view, node.description, source=node.node_id))


def commit_by_talk(mind: Mind, view: TownView, conversation: Conversation, nodes: Iterable[ConceptNode]) -> None:
    """Note the appointments and promises that a persona keeps of a talk for its planning; what else it keeps of it may
    call one off.
    """
    if not mind.keeps_facts:
        return
    said = " ".join(words for _, words in conversation.transcript)
    for node in nodes:
        note_missed(mind, view, node.description)
        heard = call_off(mind, view, node.description, talked_with=conversation.partner)
        if heard or not node.description.startswith(FOR_PLANNING.format(name=mind.name)):
            continue
        dated = day_in(node.description, view.now.date()) is not None
        promised = [_promise(node, conversation.partner)] if not dated and AGREES.search(node.description) else []
        for each in (*appointments_in(mind, view, node.description, source=node.node_id), *promised):
            if is_agreed(node.description) and _was_said(each, said, view):
                _note_new(mind, [replace(each, people=tuple(dict.fromkeys((*each.people, conversation.partner))))])


def _promise(node: ConceptNode, partner: str) -> Commitment:
    """Return what is kept for planning without a day."""
    what = shortened(PLANNING.sub("", node.description).rstrip("."), ACTIVITY)
    return Commitment(what=what, people=(partner,), made=node.created, source=node.node_id)


def commit_by_plan(mind: Mind, moment: Moment) -> None:
    """Note what a persona plans to do today with others at an hour."""
    if not mind.keeps_facts:
        return
    for slot in mind.scratch.hourly_schedule.slots():
        people = tuple(named_people(mind, moment.view, slot.activity.what))
        if people and slot.start > minute_of_day(moment.now):
            planned = Commitment(
                what=slot.activity.what,
                people=people,
                day=moment.now.date(),
                at=clock(slot.start),
                minutes=slot.end - slot.start,
                place=place_in(mind, slot.activity.what),
                made=moment.now,
                source=PLAN,
            )
            _note_new(mind, [planned])


def commit_by_events(mind: Mind, view: TownView, nodes: Iterable[ConceptNode]) -> None:
    """Call off what happenings in sight say is cancelled."""
    if len(mind.facts.commitments):
        for node in nodes:
            if node.kind == "event" and node.subject not in view.people:
                call_off(mind, view, node.description)


def is_agreed(text: str) -> bool:
    """Return whether a text says that its person goes, gives or does something, rather than heard of it or declined."""
    told = PLANNING.sub("", text)
    own = told.partition(" ")[0]
    agrees = any(told[: found.start()].rstrip().endswith(own) for found in AGREES.finditer(told))
    return not DECLINES.search(told) and (not HEARD.search(told) or agrees)


def _note_new(mind: Mind, found: Iterable[Commitment]) -> None:
    """Note commitments, but none of which something has become."""
    commitments = mind.facts.commitments
    for each in found:
        if not any(before.is_same(each) for before in commitments if not before.is_open):
            commitments.note(each)


def _name_words(view: TownView) -> frozenset[str]:
    return fact_words(" ".join(view.names))


def agreed_today(mind: Mind, moment: Moment, conversation: Conversation, today: Appointment) -> bool:
    """Note what was agreed on in a talk for later today; return whether it fits, and belongs into the plan.

    What does not fit is noted as refused, with the reason.
    """
    if not mind.keeps_facts or not (today.what and today.minutes):
        return bool(today.what)
    said = " ".join(words for _, words in conversation.transcript)
    if cancellations(said):
        return True
    commitment = Commitment(
        what=today.what,
        people=(conversation.partner,),
        day=moment.now.date(),
        at=time(today.hour),
        minutes=today.minutes,
        place=place_in(mind, today.what),
        made=moment.now,
        source=TALK,
    )
    if commitment.start is not None and commitment.start <= moment.now:
        return False
    reason = why_not(mind, moment.view, commitment, said)
    kept = replace(commitment, outcome="refused", ended=moment.now, reason=reason) if reason else commitment
    mind.facts.commitments.note(kept)
    return not reason


def why_not(mind: Mind, view: TownView, commitment: Commitment, said: str) -> str:
    """Return why an appointment of a talk does not hold, in a few words; empty if it does."""
    commitments = mind.facts.commitments
    if not _was_said(commitment, said, view):
        return "nothing of it was said"
    if any(each.is_same(commitment) for each in commitments.open):
        return ""
    if clash := commitments.clashing(commitment):
        return f"at that time there is already: {clash[0].what}"
    if _asleep_at(mind, commitment, view.now.date()):
        return "at that hour one sleeps"
    made_today = [each for each in commitments if each.source == TALK and each.made.date() == view.now.date()]
    if sum(each.outcome != "refused" for each in made_today) >= MOST_OF_TALKS:
        return f"{MOST_OF_TALKS} appointments were made today"
    return ""


def _was_said(commitment: Commitment, said: str, view: TownView) -> bool:
    """Return whether the words of an appointment, its hour or its place occur in a talk."""
    hour = commitment.at is not None and f"{commitment.at.hour}:{commitment.at.minute:02}" in in_24_hours(said)
    place = bool(commitment.place) and commitment.place.casefold() in said.casefold()
    return hour or place or bool((fact_words(commitment.what) - _name_words(view)) & fact_words(said))


def _asleep_at(mind: Mind, commitment: Commitment, today: date) -> bool:
    if commitment.at is None or commitment.day != today or not mind.scratch.hourly_schedule:
        return False
    return SLEEP_WORD in mind.scratch.hourly_schedule.at(commitment.at.hour * HOUR + commitment.at.minute).what
