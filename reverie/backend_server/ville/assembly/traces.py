"""Questions that the offline rules were asked, who keep no ledger: the steps are computed again, and listened to."""

import asyncio
from collections.abc import Iterator

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.comparison.prompts import AskedQuestion
from ville.assembly.at_moment import DIVERGED, steps_again
from ville.errors import BadMoment
from ville.llm.gateway import Chat, ChatReply, ChatRequest
from ville.settings import Settings


class ListeningChat:
    """Layer that notes what is asked and answered."""

    def __init__(self, chat: Chat, heard: list[AskedQuestion]) -> None:
        self._chat, self._heard = chat, heard

    async def complete(self, request: ChatRequest) -> ChatReply:
        reply = await self._chat.complete(request)
        if not any(message.role == "assistant" for message in request.messages):
            prompt = "\n\n".join(message.content for message in request.messages)
            self._heard.append(AskedQuestion(request.step, request.persona, request.question, prompt, reply.text))
        return reply


def traced_questions(settings: Settings, run: ComparedRun, steps: range) -> Iterator[AskedQuestion]:
    """Yield what the rules were asked in some steps of a saved run, as soon as each step has been computed again.

    Use it only in a thread without a running event loop. Raises BadMoment if the steps cannot be computed again.
    """
    heard: list[AskedQuestion] = []
    again = steps_again(settings, run.folder.root, steps, around=lambda chat: ListeningChat(chat, heard))

    async def next_step() -> int | None:
        return await anext(again, None)

    with asyncio.Runner() as runner:
        try:
            while (step := runner.run(next_step())) is not None:
                if step >= steps.start:
                    yield from sorted(heard, key=lambda asked: asked.persona)
                heard.clear()
        except DIVERGED as fault:
            raise BadMoment(str(fault)) from fault
        finally:
            runner.run(again.aclose())
