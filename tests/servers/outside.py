"""Another program that sends requests to an engine which runs as a process."""

from waiting import until

from ville.storage.exchange.inbox import Inbox


class Outside:
    """Sends requests to one simulation."""

    def __init__(self, storage, name="new"):
        self.temp = storage.root / "temp"
        self.inbox = Inbox(self.temp, name, fsync=False)

    def send(self, request, name, /, **fields):
        return self.inbox.send({"id": name, "request": request, "door": "page", **fields})

    def answer(self, number, process):
        wait(lambda: self.inbox.acknowledgement(number), process)
        return self.inbox.acknowledgement(number)

    def ask(self, process, request, name, /, **fields):
        return self.answer(self.send(request, name, **fields), process)


def wait(there, process):
    """Wait until something is there, as long as a process runs."""
    until(lambda: there() or process.poll() is not None)
    assert there(), process.communicate() if process.poll() is not None else "it did not come"


def started(storage, origin="base", wanted=(), name="new"):
    """An engine whose prompt waits."""
    process = storage.start("reverie", *wanted)
    process.stdin.write(f"{origin}\n{name}\n")
    process.stdin.flush()
    wait((storage.root / "temp/inbox" / name).exists, process)
    return process
