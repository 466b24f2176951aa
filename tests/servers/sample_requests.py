"""A question and a batch of texts, as tests of clients send them, and the key they use."""

from ville.llm.gateway import ChatMessage, ChatRequest, EmbeddingRequest
from ville.persona.prompt_template.plan_questions import WakeUpHour
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


def batch(*texts: str, step: int = 0) -> EmbeddingRequest:
    """Return a request for the vectors of some texts."""
    return EmbeddingRequest(texts, "letters-3", step)
