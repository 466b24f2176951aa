"""Finds by rule which facts were told in a talk: those of the speaker's memories whose words were said."""

from datetime import datetime

from ville.offline.perceive_rules import weight_of_news
from ville.persona.cognitive_modules.committing.appointment_reading import SENTENCE
from ville.persona.cognitive_modules.mind import Mind
from ville.persona.memory_structures.facts.fact_words import fact_words, is_said_in
from ville.persona.memory_structures.scratch import Conversation

LEAST_WORDS = 3
"""Of a sentence that tells something."""


def note_talk(mind: Mind, now: datetime, conversation: Conversation) -> None:
    """Note what the persona has told its partner in a talk, and what it has heard."""
    if not mind.keeps_facts:
        return
    told, partner = mind.facts.told, conversation.partner
    facts = known_facts(mind)
    for speaker, words in conversation.transcript:
        if speaker == mind.name:
            for text, node in facts:
                if is_said_in(text, words):
                    told.note_told(text, partner, now, node=node)
        else:
            for sentence in SENTENCE.split(words):
                if _tells(mind, sentence):
                    told.note_heard(sentence, partner, now)


def news_heard(mind: Mind, conversation: Conversation) -> tuple[str, int] | None:
    """Return the weightiest sentence that the other has told, with the poignancy of its words; None if it is no news.

    Small models remember of an invitation who stood behind the counter.
    """
    told = [
        (sentence, weight_of_news(sentence))
        for speaker, words in conversation.transcript
        if speaker != mind.name
        for sentence in SENTENCE.split(words)
        if _tells(mind, sentence)
    ]
    weightiest = max(told, key=lambda each: each[1], default=("", 0))
    return weightiest if weightiest[1] else None


def known_facts(mind: Mind) -> list[tuple[str, str]]:
    """Return what a persona may tell: its thoughts without plans, with their ids, and its present concerns."""
    thoughts = [node for node in mind.stream.newest("thought") if node.sort != "plans"]
    concerns = SENTENCE.split(mind.scratch.identity.currently)
    return [(node.description, node.node_id) for node in reversed(thoughts)] + [(text, "") for text in concerns]


def _tells(mind: Mind, sentence: str) -> bool:
    """Return whether a sentence of another tells something rather than asks or greets."""
    return "?" not in sentence and len(fact_words(sentence) - fact_words(mind.name)) >= LEAST_WORDS
