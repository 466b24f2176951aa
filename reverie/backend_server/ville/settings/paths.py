"""Folders of the project, found from where the package lies, never from the working directory."""

from ville.storage.folders import BACKEND, FRONTEND, PACKAGE, ROOT

__all__ = ["BACKEND", "FRONTEND", "PACKAGE", "ROOT"]
