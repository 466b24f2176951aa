"""Run as a script: send requests in a loop, as the environment server does, until this process is killed or done.

Arguments: temp_storage/, the simulation, the file with the requests (one JSON object per line).
"""

import json
import sys
from pathlib import Path

from ville.storage.exchange.inbox import Inbox

if __name__ == "__main__":
    outgoing = Inbox(Path(sys.argv[1]), sys.argv[2], fsync=False)
    for line in Path(sys.argv[3]).read_text("utf-8").splitlines():
        outgoing.send(json.loads(line))
