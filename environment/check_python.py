"""Imported by the shells here before anything else: makes sure that this Python is new enough and has the packages.

The rules are those of the backend's shells (reverie/backend_server/handover.py): the Python of .venv takes over, or one
line says what to do.
"""

import runpy
from pathlib import Path

runpy.run_path(str(Path(__file__).resolve().parents[1] / "reverie" / "backend_server" / "handover.py"))
