"""The question that writes a whole conversation of two, with what each keeps of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from ville.persona.prompt_template import caps, talk_words
from ville.persona.prompt_template.answers.meant import meant_text
from ville.persona.prompt_template.answers.speech import spoken_by
from ville.persona.prompt_template.blanks import QuotedMemory, SaidOfLate, SituatedSelf
from ville.persona.prompt_template.conversation_answers import SpokenLine, WholeConversation
from ville.persona.prompt_template.converse_questions import ANYTHING
from ville.persona.prompt_template.question import LONG, TALKING, Question
from ville.persona.prompt_template.situated_words import situated_text
from ville.plain_text import shortened


@dataclass(frozen=True)
class WholeTalk(Question[WholeConversation]):
    """What do two personas say to each other, and what does each keep of it?"""

    first: str
    second: str
    first_identity: str
    first_impression: str
    """Relationship of the second to the first, and what the first knows of the second."""
    first_memories: tuple[QuotedMemory, ...]
    first_day: tuple[str, ...]
    """The rest of its plan for today, in a line each."""
    second_identity: str
    second_impression: str
    second_memories: tuple[QuotedMemory, ...]
    second_day: tuple[str, ...]
    now: datetime
    place: str
    situation: str
    """Activities of both when they met."""
    most: int
    """Most utterances."""
    first_earlier: SaidOfLate | None = None
    """Utterances of the two in the last two days, as the first remembers them; None if they did not talk."""
    second_earlier: SaidOfLate | None = None
    first_now: SituatedSelf | None = None
    second_now: SituatedSelf | None = None
    cue: str | None = None

    template = "converse/whole_talk.txt"
    answer = WholeConversation
    answer_tokens = LONG
    tier = "advanced"
    temperature = TALKING

    def worded(self) -> Mapping[str, str]:
        """Return what may be said of the minds of both, without secrets: one model writes what both say."""
        sides = (
            ("first", self.first, self.second, self.first_impression, self.first_memories),
            ("second", self.second, self.first, self.second_impression, self.second_memories),
        )
        told: dict[str, str] = {}
        for side, name, other, impression, memories in sides:
            told[f"{side}_impression"] = talk_words.may_be_quoted(impression, name, other)
            told[f"{side}_memories"] = situated_text(talk_words.without_secrets(memories))
        return told

    def fallback(self) -> WholeConversation:
        return WholeConversation(lines=[], about=ANYTHING)

    def fitted(self, answer: WholeConversation, *, last: bool) -> WholeConversation:
        """Name both as the question does; on the last attempt, leave out what others say."""
        lines: list[SpokenLine] = []
        for line in answer.lines:
            speaker = self._one_of_the_two(line.speaker)
            if not speaker and not last:
                raise ValueError(f"lines: the speaker is {self.first} or {self.second}, not '{line.speaker}'")
            said = spoken_by(speaker, line.said, self.second if speaker == self.first else self.first)
            if speaker and said:
                lines.append(SpokenLine.model_construct(speaker=speaker, said=said))
        kept = [each.model_copy(update={"whose": whose, "relationship": talk_words.stated(each.relationship)})
                for each in answer.kept if (whose := self._one_of_the_two(each.whose))]  # fmt: skip
        return answer.model_copy(update={"lines": _by_turns(lines)[: self.most], "kept": kept})

    def _one_of_the_two(self, text: str) -> str:
        """Return whom a name means, whole or first only; empty if it is neither."""
        said = meant_text(text).casefold()
        names = (self.first, self.second)
        whole = [name for name in names if said == name.casefold()]
        short = [name for name in names if said == name.partition(" ")[0].casefold()]
        return next(iter(whole), short[0] if len(short) == 1 else "")


def _by_turns(lines: list[SpokenLine]) -> list[SpokenLine]:
    """Return the lines with what one says in several of them as one."""
    said = ((speaker, [line.said for line in own]) for speaker, own in groupby(lines, key=lambda line: line.speaker))
    return [SpokenLine(speaker=speaker, said=shortened(" ".join(texts), caps.UTTERANCE)) for speaker, texts in said]
