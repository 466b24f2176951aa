"""Questions of reaction (paper §4.3.1): talk, wait or carry on? And what to do about something that happens?"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Annotated, Literal, get_args

from pydantic import BeforeValidator, Field
from pydantic.json_schema import JsonSchemaValue

from ville.persona.prompt_template import caps
from ville.persona.prompt_template.answers.answer import Answer
from ville.persona.prompt_template.answers.meant import Minutes
from ville.persona.prompt_template.blanks import PlaceOptions, QuotedMemory, place_text
from ville.persona.prompt_template.place_questions import Site, bent_site, check_site, read_site
from ville.persona.prompt_template.question import BRIEF, Question

Choice = Literal["talk", "wait", "carry on"]
ResponseChoice = Literal["change", "carry on"]
A_WHILE, LONGEST_RESPONSE = 10, 240
"""Minutes that a response takes unless it says so, and at most."""


NEGATIONS = {"not", "never", "t"}
"""Words, and the end of `don't`, before a choice that is refused."""


def _choice_in(choices: tuple[str, ...], value: object) -> object:
    """Return the only choice that a text names and does not refuse, such as that in `Carry_on with the work`."""
    words = re.findall(r"[^\W_]+", value.casefold()) if isinstance(value, str) else []
    named = [choice for choice in choices if set(choice.split()) <= set(words)]
    if len(named) != 1 or not NEGATIONS.isdisjoint(words[: words.index(named[0].split()[0])]):
        return value
    return named[0]


class Decision(Answer):
    reason: str = Field(default="", max_length=caps.REASON, description="one short sentence")
    choice: Annotated[Choice, BeforeValidator(partial(_choice_in, get_args(Choice)))]


@dataclass(frozen=True)
class HowToReact(Question[Decision]):
    """What does this persona do on noticing another one? (paper §4.3.1)"""

    identity: str
    name: str
    now: datetime
    other: str
    own_doing: str
    other_doing: str
    last_talk: str
    """When and about what they last talked, or `never`."""
    memories: tuple[QuotedMemory, ...]
    choices: tuple[Choice, ...]
    """Choices that the situation allows, always including `carry on`."""

    template = "react/how_to_react.txt"
    answer = Decision
    answer_tokens = BRIEF

    def fallback(self) -> Decision:
        return Decision(choice="carry on")

    def enumerated(self) -> Mapping[str, Sequence[str]]:
        return {"choice": self.choices}

    def check(self, answer: Decision) -> None:
        if answer.choice not in self.choices:
            raise ValueError(f"choice: {answer.choice!r} is not one of {', '.join(self.choices)}")


@dataclass(frozen=True)
class HowToReactBriefly(HowToReact):
    """The same in fewer words, and without a reason."""

    template = "react/how_to_react_briefly.txt"

    def schema(self) -> JsonSchemaValue:
        schema = super().schema()
        return {**schema, "properties": {"choice": schema["properties"]["choice"]}}


class Response(Answer):
    reason: str = Field(default="", max_length=caps.REASON, description="one short sentence")
    choice: Annotated[ResponseChoice, BeforeValidator(partial(_choice_in, get_args(ResponseChoice)))]
    activity: str = Field(
        default="", max_length=caps.ACTIVITY, description="what is done now, in a few words; empty for carry on"
    )
    minutes: Minutes = Field(default=A_WHILE, ge=1, le=LONGEST_RESPONSE)
    sector: str = Field(default="", max_length=caps.PLACE)
    arena: str = Field(default="", max_length=caps.PLACE)
    game_object: str = Field(default="", max_length=caps.PLACE)
    emoji: str = Field(default="", max_length=caps.EMOJI, description="one or two emoji that show the activity")
    ends_it: bool = Field(default=False, description="whether the object is in order again afterwards")


@dataclass(frozen=True)
class HowToRespond(Question[Response]):
    """What does this persona do on noticing an unusual state of an object, or an event? (paper §4.3.1)"""

    identity: str
    name: str
    now: datetime
    noticed: str
    """`stove is burning`, or `the fire alarm rings`."""
    where: str
    """Place of the object or the event as `sector > arena`, as far as it has them; else the world."""
    thing: str
    """The object; empty for an event."""
    own_doing: str
    home: str
    """`sector > arena` of the home."""
    others: tuple[str, ...]
    """Who else is in the same arena, each with its activity: `Ada Stone: having lunch`."""
    memories: tuple[QuotedMemory, ...]
    options: PlaceOptions

    template = "react/how_to_respond.txt"
    answer = Response
    answer_tokens = BRIEF

    def fallback(self) -> Response:
        return Response(choice="carry on")

    def enumerated(self) -> Mapping[str, Sequence[str]]:
        arenas = [(arena, objects) for places in self.options.places.values() for arena, objects in places.items()]
        return {
            "sector": ["", *self.options.places],
            "arena": ["", *dict.fromkeys(arena for arena, _ in arenas)],
            "game_object": ["", *dict.fromkeys(name for _, objects in arenas for name in objects)],
        }

    def fitted(self, answer: Response, *, last: bool) -> Response:
        """Name the place as in the options; on the last attempt, the nearest one to what was written, or this one."""
        if answer.choice == "carry on":
            return self.fallback().model_copy(update={"reason": answer.reason})
        said = Site(answer.sector, answer.arena, answer.game_object)
        if not any(said) or (answer.ends_it and self.thing):
            return answer.model_copy(update=self._here()._asdict())
        home = self.home.partition(" > ")[0]
        return answer.model_copy(update=(self._bent(said, home) if last else self._read(said, home))._asdict())

    def _read(self, said: Site, home: str) -> Site:
        """Return the option that is meant; an activity without an object takes place anywhere in its arena."""
        try:
            return read_site(said, self.options.places, home)
        except ValueError:
            if said.game_object:
                raise
        return bent_site(said, self.options.places, home)._replace(game_object="")

    def _bent(self, said: Site, home: str) -> Site:
        try:
            return bent_site(said, self.options.places, home)
        except ValueError:
            return self._here()

    def _here(self) -> Site:
        """Return the place of what was noticed, or home if that is not an option, as for an event in the whole town."""
        sites = [Site(sector, arena) for sector, arenas in self.options.places.items() for arena in arenas]
        inside = [site for site in sites if self.where in {place_text(*site), site.sector}]
        at_home = [site for site in sites if self.home == place_text(*site)]
        return next(iter([*inside, *at_home, *sites]))._replace(game_object=self.thing)

    def check(self, answer: Response) -> None:
        if answer.choice == "carry on":
            return
        if not answer.activity:
            raise ValueError(f"activity: say in a few words what {self.name} does")
        if answer.game_object:
            check_site(Site(answer.sector, answer.arena, answer.game_object), self.options.places)
