# ruff: noqa: RUF001 - Russian
"""Laws of content: what a person may say or think passes, what only a model writes is sent back."""

import json
import re
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.llm.gateway import OFFLINE_RULES, ChatReply
from ville.persona.prompt_template.ask import Caller, ask, ask_model, read_answer
from ville.persona.prompt_template.blanks import DialogueTurn, PlaceOptions, QuotedMemory
from ville.persona.prompt_template.converse_questions import NextUtterance, Relationship
from ville.persona.prompt_template.plan_questions import DayPlan, WhereAndHow
from ville.persona.prompt_template.question import all_questions, schema_of, template_text
from ville.persona.prompt_template.talk_questions import Interview

NOON = datetime(2023, 2, 13, 12)  # noqa: DTZ001 - game time has no zone
NAME, OTHER = "Klaus Mueller", "Isabella Rodriguez"
IDENTITY = "Name: Klaus Mueller\nLearned traits: Klaus Mueller studies sociology at Oak Hill College."
IN_RUSSIAN = "Имя: Клаус Мюллер\nКлаус Мюллер изучает социологию в колледже."
HEARD = (QuotedMemory(NOON, "Isabella Rodriguez is giving a party at Hobbs Cafe"),)


def talk(identity=IDENTITY, memories=HEARD, transcript=()):
    return NextUtterance(identity, NAME, OTHER, NOON, "", "", "", "", memories, transcript)


def said(text, language="", question=None, *, last=False):
    """Return the words that are read in an utterance."""
    question = question or talk()
    judge = question.ground(language).judge
    return read_answer(question, json.dumps({"utterance": text}), last=last, judge=judge).utterance


MODELS = [
    "As an AI language model, I do not have personal plans.",
    "I'm sorry, but as an AI, I cannot attend parties.",
    "As a large language model I cannot answer that.",
    "I am an AI assistant. How can I help you today?",
    "I'm just a language model, so I have no feelings.",
    "Klaus Mueller is an AI language model and has no feelings.",
    "Как языковая модель, я не могу ответить.",
    "Я всего лишь искусственный интеллект, и чувств у меня нет.",
]
PEOPLE = [
    "I am writing about what language models do to small towns.",
    "An AI language model wrote half of his essay, can you believe it?",
    "As an AI researcher, my uncle sees that differently.",
    "She read it out: 'As an AI language model, I cannot', and everybody laughed.",
    "I am an AI sceptic, and proud of it.",
    "ChatGPT is a language model that does not know our town.",
    "I'm sorry, I cannot help you with that today.",
    "How can I help you?",
    "Have you seen the <3 on the door?",
    "Мне бы чаю.",
]
HINTS = [
    "<one sentence: what is said>",
    "<utterance>",
    "[Your name] would love to come.",
    "[insert greeting]",
    "Hello, {name}!",
    "string",
    "utterance",
    "one to three sentences",
    "what is said, one to three sentences, without the speaker's name; empty to leave",
    "invent no people, places or events",
]


@pytest.mark.parametrize("text", MODELS)
def test_no_person_says_that_it_is_a_model(text):
    """A correction is asked for."""
    with pytest.raises(ValueError, match="a person says"):
        said(text)


@pytest.mark.parametrize("text", PEOPLE[:-1])
def test_people_may_talk_about_models(text):
    """And about anything else."""
    assert said(text) == text


@pytest.mark.parametrize("text", HINTS)
def test_hints_and_words_of_the_question_are_no_answer(text):
    """A correction is asked for."""
    with pytest.raises(ValueError, match="repeats the question"):
        said(text)


NO_WORDS = ["7", "👍", "👍🏽 ❤️", "7:30!", "?!"]
AROUND = [
    "undefined",
    "Lorem ipsum dolor sit amet",
    "Sure! Here is the JSON:",
    "Here's the requested JSON object",
    "Here is the answer:",
    "## Plan",
    "```json",
    "Answer only with one JSON object of this form:",
    "Answer again, with one JSON object that fits the description.",
    "Answer in as few words as possible.",
    "Klaus may disagree, refuse or say little.",
    "What does Isabella say to Klaus now?",
    "Good morning! What does Klaus Mueller say to Isabella Rodriguez now?",
    "Name: Isabella",
    "Innate traits: kind",
    "Learned traits: Isabella owns a cafe",
    "Next: 13:00 having lunch, home",
    "Promised: to show Ben the fair",
    "seen today 10:13: library table is idle",
    "thought yesterday 0:00: Klaus is glad",
]
SHORT = [
    "See you at 7!",
    "Sure!",
    "Ok.",
    "I know 7.",
    "What do you say to Klaus now?",
    "Next: the bread.",
    "Here is my answer: no.",
    "Klaus may disagree.",
    "My name is Klaus.",
]


@pytest.mark.parametrize("text", [*NO_WORDS, *AROUND])
def test_signs_and_what_is_around_an_answer_are_not_said(text):
    """A correction is asked for."""
    with pytest.raises(ValueError, match="utterance"):
        said(text)


@pytest.mark.parametrize("text", SHORT)
def test_little_may_be_said(text):
    """In few words, and about the same things as the question."""
    assert said(text) == text


@pytest.mark.parametrize(
    ("text", "language"), [("Да.", "ru"), ("好的。", "zh"), ("好", "zh"), ("네.", "ko"), ("हाँ", "hi")]
)
def test_a_word_of_another_script_may_be_one_letter(text, language):
    """Scripts without capitals write syllables or words."""
    assert said(text, language) == text


def test_emoji_and_hours_are_no_words():
    """Where they are asked for."""
    judge = talk().ground().judge
    for field, value in (("emoji", "👍"), ("at", "7"), ("sector", "7"), ("text", "")):
        assert judge(value, field) == value


ENGLISH = "Good morning, would you like some bread?"
RUSSIAN = "Доброе утро, хочешь немного хлеба?"


def test_a_town_has_its_script():
    """That of its language, or, if that is not said, of its texts. Names are those of any script."""
    in_russian = talk(IN_RUSSIAN, ())
    for text, language, question in ((RUSSIAN, "", None), (RUSSIAN, "en", in_russian), (ENGLISH, "ru", None),
                                     (ENGLISH, "Russian", None), (ENGLISH, "", in_russian)):  # fmt: skip
        with pytest.raises(ValueError, match="language of the town"):
            said(text, language, question)
    assert said(ENGLISH) == said(ENGLISH, "de") == said(ENGLISH, "Klingon") == ENGLISH
    assert said(RUSSIAN, "ru") == said(RUSSIAN, "", in_russian) == RUSSIAN
    named = "Пойдём в Hobbs Cafe с Isabella Rodriguez?"
    assert said(named, "ru") == named
    assert said("Isabella Rodriguez, Hobbs Cafe?", "ru") == "Isabella Rodriguez, Hobbs Cafe?"


def test_a_sentence_that_slips_into_another_script_is_left_out():
    """Some models do within a word; of a single one its beginning is left, and names that were told stay."""
    assert said("I look forward to it. I will greet the嘉宾 at five. See you!") == "I look forward to it. See you!"
    assert said("They spoke of their plans and of meeting at a聚会") == "They spoke of their plans and of meeting"
    with pytest.raises(ValueError, match="language of the town"):
        said("嘉宾 will come at five.")
    met = talk(memories=(QuotedMemory(NOON, "Ada met 嘉宾 in the park", "event"),))
    assert said("I met 嘉宾.", question=met) == "I met 嘉宾."
    assert said("I met 嘉宾.", "zh") == "I met 嘉宾."


def test_languages_with_the_same_letters_are_told_apart():
    """By words that every sentence has; a town that was given another language may mix them, and so may few words."""
    for text in ("Todavía no está claro, pero todo va bien.", "Das ist noch nicht fertig, aber es wird."):
        with pytest.raises(ValueError, match="language of the town; write it in English"):
            said(text)
        assert said(text, "es") == said(text, "German") == text
    assert said("Adiós, see you at El Paso de las Flores!") == "Adiós, see you at El Paso de las Flores!"


def test_who_is_asked_in_a_language_may_answer_in_it():
    """As visitors of a town are."""
    asked = Interview(IDENTITY, NAME, HEARD, (DialogueTurn("Interviewer", "Как твои дела, Клаус?"),))
    for language in ("", "en"):
        judge = asked.ground(language).judge
        assert read_answer(asked, json.dumps({"utterance": RUSSIAN}), judge=judge).utterance == RUSSIAN


WORDS = st.sampled_from(["bread", "model", "language", "AI", "a", "the", "is", "Ada", "tomorrow", "one", "sentence"])


@given(st.lists(WORDS, max_size=12).map(lambda words: " ".join(["bread", *words])))
def test_words_of_the_town_pass(text):
    """Whatever is said of models and sentences, as long as nothing says that the speaker is one."""
    assert talk().ground().judge(text, "utterance") == text


QUESTIONS = sorted(all_questions(), key=lambda question: question.template)


CHOICES = {"sleeping", "talk", "wait", "carry on", "change"}
OPENINGS = {
    "you", "conversing about …", "conversing about", "heard from $other that", "$other is my", "$other is",
    "$other told $name that", "$name told $other that",
}  # fmt: skip
"""How texts begin that have one form: what follows is the answer's own."""


def keys_of(schema):
    """Return the names of all properties of a schema."""
    forms = [schema, *schema.get("$defs", {}).values()]
    return {name for form in forms for name in form.get("properties", {})}


@pytest.mark.parametrize("kind", QUESTIONS, ids=lambda kind: kind.__name__)
def test_no_template_has_an_example_to_copy(kind):
    """Nothing in quotation marks but keys, and what may be chosen or written for sure, and no objects."""
    text = template_text(kind.template).template
    quoted = set(re.findall(r'"([^"]+)"', re.sub(r'"\$\w+"', "", text)))
    assert quoted <= keys_of(schema_of(kind.answer)) | CHOICES | OPENINGS
    assert "{" not in text


PLACES = PlaceOptions({"Cafe": {"cafe": ("table", "stove")}})
WHERE = WhereAndHow(IDENTITY, NAME, "eating", "eating", NOON, "", "Cafe > cafe", PLACES)


class Stubborn:
    """Chat that always gives the same answer."""

    def __init__(self, answer, model="stubborn"):
        self.reply, self.asked = ChatReply(json.dumps(answer), model), []

    async def complete(self, request):
        self.asked.append(request.messages)
        return self.reply


async def test_an_optional_text_that_is_a_hint_is_left_out_in_the_end():
    """After the model was told what is wrong."""
    chat = Stubborn({"sector": "Cafe", "arena": "cafe", "game_object": "stove", "object_state": "<state of the stove>"})
    answer = await ask_model(Caller(chat, NAME, 0), WHERE)
    assert (answer.game_object, answer.object_state) == ("stove", "")
    assert "repeats the question" in chat.asked[1][-1].content


async def test_a_plan_loses_lines_that_are_hints():
    """The others are kept."""
    chat = Stubborn({"plans": ["get up at 7:00", "<thing to do> at 8:00"]})
    answer = await ask_model(Caller(chat, NAME, 0), DayPlan(IDENTITY, "Klaus", NOON.date(), 7, ()))
    assert answer.plans == ["get up at 7:00"]


async def test_what_nothing_is_left_of_becomes_the_fallback():
    """No nonsense among memories."""
    question = Relationship(IDENTITY, NAME, OTHER, HEARD, "Isabella Rodriguez owns the cafe.")
    chat = Stubborn({"relationship": "As an AI language model, I have no relationships."})
    assert (await ask(Caller(chat, NAME, 0), question)).relationship == "Isabella Rodriguez owns the cafe."


async def test_rules_are_not_judged():
    """They speak English in any town."""
    chat = Stubborn({"utterance": ENGLISH}, OFFLINE_RULES)
    assert (await ask(Caller(chat, NAME, 0, language="ru"), talk())).utterance == ENGLISH
    assert len(chat.asked) == 1
