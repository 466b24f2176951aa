"""Answers to questions about conversations."""

from pydantic import Field

from ville.persona.prompt_template import caps
from ville.persona.prompt_template.answers.answer import Answer, Items
from ville.persona.prompt_template.answers.meant import Hour, Minutes
from ville.persona.prompt_template.answers.poignancy import DEFAULT_POIGNANCY, Poignancy


class RelationshipSummary(Answer):
    relationship: str = Field(
        max_length=caps.RELATIONSHIP, description="one sentence: what the other person is to this one"
    )
    feeling: str = Field(
        default="", max_length=caps.FEELING, description="what this one feels about it, in a few words"
    )


class ImpressionSummary(RelationshipSummary):
    summary: str = Field(
        default="", max_length=caps.SUMMARY, description="what this one knows of the other and has with it"
    )


class Utterance(Answer):
    utterance: str = Field(
        max_length=caps.UTTERANCE,
        description="what is said, one to three sentences, without the speaker's name; empty to leave",
    )
    ends: bool = Field(default=False, description="true if the conversation is over with this")


class Gist(Answer):
    about: str = Field(
        min_length=1,
        max_length=caps.GIST,
        description="what they talked about, continuing 'conversing about …'",
    )


class Afterthought(Answer):
    text: str = Field(
        max_length=caps.THOUGHT,
        description="one sentence in the third person, beginning with the name; empty if there is nothing",
    )
    predicate: str = Field(
        default="",
        max_length=caps.KEYWORD,
        description="the verb of the sentence subject-predicate-object about it",
    )
    object: str = Field(default="", max_length=caps.KEYWORD, description="the object of that sentence")
    poignancy: Poignancy = DEFAULT_POIGNANCY


class Appointment(Answer):
    what: str = Field(
        default="",
        max_length=caps.ACTIVITY,
        description="what to do, with its place, as in a plan; empty if nothing was agreed on for today",
    )
    hour: Hour = Field(default=0, ge=0, le=23, description="full hour at which it begins")
    minutes: Minutes = Field(default=0, ge=0, description="how long it takes")


class Afterthoughts(Answer):
    for_planning: Afterthought = Field(description="what has to be remembered for planning, with day, hour and place")
    memo: Afterthought = Field(description="what was interesting about it")
    today: Appointment = Field(default_factory=Appointment, description="what was agreed on for later today")


class OnlyMemo(Afterthoughts):
    """Afterthoughts of a talk in which nothing could be agreed on."""

    for_planning: Afterthought = Field(default_factory=lambda: Afterthought(text=""))


class KeptThought(Answer):
    text: str = Field(default="", max_length=caps.THOUGHT)
    poignancy: Poignancy = DEFAULT_POIGNANCY


class KeptOfTalk(Answer):
    """Memories that one of the two keeps of a talk: afterthoughts, and the impression of the other."""

    for_planning: KeptThought
    memo: KeptThought
    today: Appointment = Field(default_factory=Appointment)
    relationship: str = Field(default="", max_length=caps.RELATIONSHIP)
    feeling: str = Field(default="", max_length=caps.FEELING)
    summary: str = Field(default="", max_length=caps.SUMMARY)

    @property
    def afterthoughts(self) -> Afterthoughts:
        planning, memo = (Afterthought(**each.model_dump()) for each in (self.for_planning, self.memo))
        return Afterthoughts(for_planning=planning, memo=memo, today=self.today)


class SpokenLine(Answer):
    speaker: str = Field(max_length=caps.KEYWORD)
    said: str = Field(max_length=caps.UTTERANCE, description="one to three sentences")


class Whose(Answer):
    whose: str = Field(max_length=caps.KEYWORD, description="name")


class KeptByOne(KeptOfTalk, Whose):
    """The same for one of the two, with its name."""


class WholeConversation(Answer):
    lines: Items[SpokenLine] = Field(max_length=caps.LINES)
    about: str = Field(max_length=caps.GIST, min_length=1, description="continuing 'conversing about …'")
    kept: Items[KeptByOne] = Field(default_factory=list, max_length=caps.LINES)

    def kept_by(self, name: str) -> KeptByOne | None:
        """Return what one of the two keeps of it, if that is answered."""
        return next((each for each in self.kept if each.whose == name), None)
