"""Packages that some benchmarks need besides those of a run."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def developer_packages() -> Iterator[None]:
    """End the program in one line that says what to install, if a package that is imported in this block is missing."""
    try:
        yield
    except ModuleNotFoundError as fault:
        sys.exit(f"{fault}. In the project folder, type: pip install -r requirements-dev.txt")
