"""The one question that the telephone's own tests ask, and the key they ask it with."""

from ville.llm.gateway import ChatMessage, ChatRequest
from ville.persona.prompt_template.plan import WakeUpHour
from ville.persona.prompt_template.question import schema_of

KEY = "sk-test-0123456789abcdef"
QUESTION = WakeUpHour(identity="Name: Ada Stone", first_name="Ada")
REQUEST = ChatRequest(
    question=QUESTION.title,
    fields=QUESTION.blanks(),
    messages=(ChatMessage("user", QUESTION.render()),),
    schema=schema_of(QUESTION.answer),
    persona="Ada Stone",
    step=0,
)
