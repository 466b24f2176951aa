"""An engine without a prompt that runs as a process, and another program that asks it."""

import time

from outside import Outside, wait
from waiting import PATIENCE

from ville.storage.exchange.temp_storage import TempStorage


class Served:
    """An engine without a prompt, and another program that sends it requests."""

    def __init__(self, storage, *arguments):
        self.storage = storage
        self.temp = TempStorage(storage.root / "temp")
        self.process = storage.start("reverie", "--serve", *arguments)
        self.engine = Outside(storage, None)
        self.sent = 0
        self.reads(state={"idle", "open"})
        wait((storage.root / "temp/engine_inbox").is_dir, self.process)

    def reads(self, **wanted):
        """Wait until the status of the engine is this."""

        def there():
            status = self.temp.engine()
            return self.temp.engine_age() < 5 and all(status.get(key) in wanted[key] for key in wanted)

        wait(there, self.process)

    def ask(self, request, /, **fields):
        """Ask the engine itself."""
        self.sent += 1
        return self.engine.ask(self.process, request, f"{time.time_ns()}-{self.sent}", **fields)

    def act(self, name, request, /, **fields):
        """Ask of an open simulation."""
        self.sent += 1
        return Outside(self.storage, name).ask(self.process, request, f"{time.time_ns()}-{self.sent}", **fields)

    def runs_to(self, step):
        wait(lambda: self.temp.status().get("step") == step and self.temp.status()["state"] == "waiting", self.process)

    def ends(self, number):
        """Send a signal, and return exit code and output."""
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=PATIENCE)
        assert "Traceback" not in out + err, err
        return self.process.returncode, out
