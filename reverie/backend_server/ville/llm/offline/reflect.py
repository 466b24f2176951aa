"""Answer what reflecting asks: which questions recent memories raise, and what follows from the evidence."""

from collections import Counter
from random import Random

from ville.llm.offline.insights import insights_from, people_in, questions
from ville.llm.offline.profile import profile_of
from ville.llm.offline.reading import news_known
from ville.llm.offline.rule import Answer, Fields, Shelf
from ville.llm.offline.verbs import first_of


def focal_points(fields: Fields, rng: Random) -> Answer:
    """About the subjects that the memories weigh most."""
    name, count = fields["name"], max(0, fields["count"])
    weights: Counter[str] = Counter()
    for memory in fields["memories"]:
        for other in people_in(memory.text, name):
            weights[other] += max(1, memory.poignancy)
    names = {"name": name, "first": first_of(name)}
    asked = [rng.choice(questions("others")).format(**names, other=other) for other, _ in weights.most_common(count)]
    told = news_known((memory.text, memory.when.date()) for memory in fields["memories"])
    about = [item.noun for item in told if item.is_occasion or item.kind == "candidacy"]
    asked[1:1] = [rng.choice(questions("news")).format(**names, noun=noun) for noun in about[:1]]
    own = [line.format(**names) for line in rng.sample(questions("self"), len(questions("self")))]
    asked[2:2] = own[:1]
    return {"questions": list(dict.fromkeys([*asked, *own]))[:count]}


def insights(fields: Fields, rng: Random) -> Answer:
    me = profile_of(fields["identity"], fields["name"])
    found = insights_from(me, fields["about"], statements=tuple(fields["statements"]), rng=rng)
    return {"insights": found[: max(0, fields["count"])]}


RULES: Shelf = {"reflect/focal_points": focal_points, "reflect/insights": insights}
