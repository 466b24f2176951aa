"""The folders of the settings, as those who keep simulations in order need them."""

from ville.settings import Settings
from ville.storage.folder import known_simulations
from ville.storage.keeping.housekeeping import Housekeeping


def housekeeper(settings: Settings) -> Housekeeping:
    """Return what renames, deletes and restores simulations in the folders of these settings."""
    return Housekeeping(
        storage=settings.fs_storage,
        recordings=settings.replays,
        studies=settings.studies,
        temp_storage=settings.fs_temp_storage,
        known=settings.wallet_path.with_name(known_simulations.FILE),
    )
