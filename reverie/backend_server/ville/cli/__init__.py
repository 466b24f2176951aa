"""The command lines behind the scripts that users start."""

import ville.console  # noqa: F401 - ends an older Python with one line
