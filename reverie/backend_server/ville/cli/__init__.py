"""The command lines behind the scripts that users start."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - a user who starts a script with an older Python reads this line
    sys.exit("The Ville needs Python 3.11 or newer; this is Python {}.{}.".format(*sys.version_info[:2]))
