"""Rename and delete simulations and recordings, and restore what was deleted: for commands, the API and pages."""

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ville.errors import BadSimulationName, SimulationExists, SimulationNotFound
from ville.storage.compressed.compression import META_COPY
from ville.storage.exchange.background_files import BackgroundFiles
from ville.storage.files import check_no_links, check_plain, writing
from ville.storage.folder import known_simulations
from ville.storage.folder.renames import Renaming, carry_out, present_name, renaming_lock
from ville.storage.folder.storage import BASES, check_name, mend
from ville.storage.keeping.needed import check_not_copied, check_not_needed
from ville.storage.records.lock import Lock, between_saves
from ville.storage.records.meta import META
from ville.storage.recycle_bin import Binned, binned, empty_bin, last_binned, put_in_bin, take_from_bin

Form = Literal["saved", "compressed"]
"""How a simulation is kept: as it runs, or as a recording."""


@dataclass(frozen=True)
class Housekeeping:
    """The folders in which simulations are kept, and what is done with them as wholes."""

    storage: Path
    recordings: Path
    studies: Path
    temp_storage: Path
    known: Path
    """Beside the wallet: which simulations were made or opened here (`known_simulations`)."""

    def folder_of(self, form: Form) -> Path:
        return self.storage if form == "saved" else self.recordings

    def form_of(self, name: str, form: Form | None = None) -> Form:
        """Return in which form a name is there: saved before recorded, unless one is asked for. Raises
        SimulationNotFound and BadSimulationName.
        """
        check_name(name)
        mend(self.storage)
        asked: tuple[Form, ...] = (form,) if form else ("saved", "compressed")
        for each in asked:
            if (self.folder_of(each) / name / META_FILES[each]).exists():
                return each
        if now := present_name(self.storage, name):
            template = "'%(name)s' was renamed: it is '%(now)s' now."
            raise SimulationNotFound(template, name=name, now=now)
        raise SimulationNotFound("There is no simulation or recording '%(name)s'.", name=name)

    def root_of(self, name: str, form: Form | None = None) -> Path:
        """Return the folder of a simulation or recording. Raises as `form_of`, and CorruptFile for links."""
        folder = self.folder_of(self.form_of(name, form))
        check_no_links(folder / name, folder)
        check_plain(folder / name)
        return folder / name

    def rename(self, name: str, new: str, form: Form | None = None) -> None:
        """Give a simulation another name, which its branches note, or a recording. Raises StorageError.

        A kill leaves it as it was, or a later program finishes it.
        """
        form = self.form_of(name, form)
        root = self.root_of(name, form)
        _check_no_base(name, form)
        _check_new(new)
        if form == "saved":
            self._rename_saved(root, new)
        else:
            with Lock(root), Lock(root.with_name(new)):
                _check_free(root.with_name(new))
                with writing(root):
                    root.replace(root.with_name(new))

    def _rename_saved(self, root: Path, new: str) -> None:
        was_known = known_simulations.is_known(self.known, root)
        with renaming_lock(self.storage), between_saves(root):
            check_not_needed(self.storage, self.studies, root.name)
            check_not_copied(self.storage, root.name)
            _check_free(root.with_name(new))
            renaming = Renaming.model_validate({"from": root.name, "to": new, "recordings": str(self.recordings)})
            carry_out(self.storage, renaming)
        if was_known:
            known_simulations.note(self.known, root.with_name(new))
        self._forget(root.name)

    def delete(self, name: str, form: Form | None = None) -> Binned:
        """Move a simulation or recording that no program has open into the bin. Raises StorageError; starting points
        stay.
        """
        form = self.form_of(name, form)
        root = self.root_of(name, form)
        _check_no_base(name, form)
        with Lock(root), between_saves(root):
            if form == "saved":
                check_not_needed(self.storage, self.studies, name)
                check_not_copied(self.storage, name)
            entry = put_in_bin(root)
        if form == "saved":
            self._forget(name)
        return entry

    def restore(self, name: str, form: Form | None = None, *, new: str = "") -> Form:
        """Take the last deleted simulation of a name out of the bin, and return its form. `new` is its name from then
        on; empty: as before. Raises StorageError.
        """
        check_name(name)
        target = new or name
        if target != name:
            _check_new(target)
        forms: tuple[Form, ...] = (form,) if form else ("saved", "compressed")
        there = [each for each in forms if any(entry.name == name for entry in binned(self.folder_of(each)))]
        folder = self.folder_of((there or forms)[0])
        entry = last_binned(folder, name)
        with ExitStack() as held:
            held.enter_context(Lock(folder / target))
            _check_free(folder / target)
            take_from_bin(entry, folder / target)
        return there[0]

    def binned(self) -> list[tuple[Form, Binned]]:
        """Return what can be restored, the last deleted first."""
        found = [(form, entry) for form in META_FILES for entry in binned(self.folder_of(form))]
        return sorted(found, key=lambda each: each[1].deleted, reverse=True)

    def empty_bins(self) -> None:
        """Remove for good what was deleted more than a day ago."""
        for form in META_FILES:
            empty_bin(self.folder_of(form))

    def _forget(self, name: str) -> None:
        """Forget how far a simulation came that was made in the background: lists would lead to it."""
        BackgroundFiles(self.temp_storage).forget(name)


META_FILES: dict[Form, str] = {"saved": META, "compressed": META_COPY}


def _check_no_base(name: str, form: Form) -> None:
    if form == "saved" and name.startswith(BASES):
        template = "'%(name)s' is a base, with which simulations begin. If you mean it, change its folder yourself."
        raise BadSimulationName(template, name=name)


def _check_new(name: str) -> None:
    """Raise BadSimulationName if a user cannot give that name."""
    check_name(name)
    if name.startswith(BASES):
        template = "Names that begin with 'base_' are those of starting points. Choose another name than '%(name)s'."
        raise BadSimulationName(template, name=name)


def _check_free(target: Path) -> None:
    if target.exists() or target.is_symlink():
        template = "There is already a simulation '%(name)s'. Choose another name, or rename that one first."
        raise SimulationExists(template, name=target.name)
