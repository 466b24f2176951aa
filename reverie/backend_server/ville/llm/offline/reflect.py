"""Answers what reflecting asks: which questions recent memories raise, and what follows from the evidence."""

from collections import Counter
from random import Random

from ville.llm.offline.english.wordlist import first_of
from ville.llm.offline.people.news import news_known
from ville.llm.offline.rule import Answer, Fields, Shelf
from ville.llm.offline.thoughts.insights import insights_from, people_in

ABOUT_SELF = (
    "What does {name} spend most of the time on, and what does it mean to {first}?",
    "What matters most to {name} at the moment?",
    "Which habits shape the days of {name}?",
    "What is {name} looking for?",
)
ABOUT_OTHERS = (
    "How do {name} and {other} stand to each other?",
    "What is {other} most concerned with?",
    "What kind of person is {other} in the eyes of {name}?",
    "What brings {name} and {other} together?",
)
ABOUT_NEWS = ("What does {noun} mean to {name}?", "Who cares about {noun}, and why?")


def focal_points(fields: Fields, rng: Random) -> Answer:
    """About the subjects that the memories weigh most."""
    name, count = fields["name"], max(0, fields["count"])
    weights: Counter[str] = Counter()
    for memory in fields["memories"]:
        for other in people_in(memory.text, name):
            weights[other] += max(1, memory.poignancy)
    names = {"name": name, "first": first_of(name)}
    questions = [rng.choice(ABOUT_OTHERS).format(**names, other=other) for other, _ in weights.most_common(count)]
    told = news_known((memory.text, memory.when.date()) for memory in fields["memories"])
    about = [item.noun if item.is_occasion else f"{item.who}'s candidacy" for item in told
             if item.is_occasion or item.kind == "candidacy"]  # fmt: skip
    questions[1:1] = [rng.choice(ABOUT_NEWS).format(**names, noun=noun) for noun in about[:1]]
    own = [line.format(**names) for line in rng.sample(ABOUT_SELF, len(ABOUT_SELF))]
    questions[2:2] = own[:1]
    return {"questions": list(dict.fromkeys([*questions, *own]))[:count]}


def insights(fields: Fields, rng: Random) -> Answer:
    found = insights_from(fields["name"], fields["about"], statements=tuple(fields["statements"]), rng=rng)
    return {"insights": [insight.as_answer() for insight in found[: max(0, fields["count"])]]}


RULES: Shelf = {"reflect/focal_points": focal_points, "reflect/insights": insights}
