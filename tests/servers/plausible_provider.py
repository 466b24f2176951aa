"""A provider that answers plausibly, and counts what it is asked."""

import threading
from collections import Counter

from chat_server import completion
from counting_provider import SHORTEST, CountingProvider
from default_answers import answer_to


class PlausibleProvider(CountingProvider):
    """Answers plausibly, counts what it is asked, and how many calls are open."""

    def __init__(self):
        super().__init__()
        self.asked, self.open, self.most_open = Counter(), 0, 0

    def chat(self, request):
        with self._lock:
            self.open += 1
            self.most_open = max(self.most_open, self.open)
            self.asked[str(request.body["messages"])] += 1
        threading.Event().wait(0.01)
        text = answer_to(request.body)
        with self._lock:
            self.open -= 1
        return self._counted(request, completion(text, request), -(-len(text) // SHORTEST))
