"""Run a script whose user presses Ctrl-C at one of its imports: `interrupted.py N SCRIPT [ARGUMENT ...]`."""

import __future__  # noqa: F401 - start.py begins with it

import os
import signal
import sys

left = int(sys.argv[1])


def count(event: str, _arguments: object) -> None:
    global left  # noqa: PLW0603 - a hook has no other place to count
    left -= event == "import"
    if not left:
        left = -1
        os.kill(os.getpid(), signal.SIGINT)


sys.argv = sys.argv[2:]
script = sys.argv[0]
sys.path[0] = os.path.dirname(os.path.abspath(script))  # noqa: PTH100, PTH120 - pathlib would be imported already
with open(script, encoding="utf-8") as file:  # noqa: PTH123 - as above
    code = compile(file.read(), script, "exec")
sys.addaudithook(count)
exec(code, {"__name__": "__main__", "__file__": os.path.abspath(script)})  # noqa: S102, PTH100 - a script of ours
