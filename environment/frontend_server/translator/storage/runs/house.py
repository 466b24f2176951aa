"""The folders of this server, for what keeps simulations in order."""

from django.conf import settings

from ville.storage.folder import known_simulations
from ville.storage.keeping.housekeeping import Housekeeping


def house() -> Housekeeping:
    """Return what renames, deletes and restores simulations here."""
    return Housekeeping(
        storage=settings.STORAGE,
        recordings=settings.COMPRESSED_STORAGE,
        studies=settings.STUDIES,
        temp_storage=settings.TEMP_STORAGE,
        known=settings.WALLET.file.with_name(known_simulations.FILE),
    )
