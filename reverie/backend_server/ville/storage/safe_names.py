"""Names of files that every file system allows."""

import re

UNSAFE = re.compile(r'[<>:"/\\|?*%\x00-\x1f]')
"""Characters that some file system does not allow in a name, and the one that marks them."""
DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
"""Names that Windows keeps for itself, also before a dot."""


def safe_name(text: str) -> str:
    """Return a text as part of a file name, different for every text: `a/b` is `a%2Fb`.

    Add an ending of your own: a dot or blank at the end is not safe everywhere.
    """
    encoded = UNSAFE.sub(lambda unsafe: f"%{ord(unsafe[0]):02X}", text)
    return f"%{ord(text[0]):02X}{encoded[1:]}" if DEVICES.fullmatch(text) else encoded
