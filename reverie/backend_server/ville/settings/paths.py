"""Folders of the project, found from where this file lies, never from the working directory."""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
BACKEND = PACKAGE.parent
ROOT = BACKEND.parent.parent
FRONTEND = ROOT / "environment" / "frontend_server"
