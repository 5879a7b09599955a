"""Manage model profiles: presets to start from, one's own to edit and keep."""

from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from director_gui.errors import UserError
from director_gui.runner.keys import Keys, save_in_keyring
from director_gui.runner.profiles import Profile, load_profiles, presets, save_profiles
from director_gui.study.probing import known_profiles
from director_gui.ui import theme
from director_gui.ui.jobs import Jobs
from director_gui.ui.notice import Notice
from director_gui.ui.probe.profile_fields import faults_in, profile_from
from director_gui.ui.probe.profile_form import ProfileForm
from director_gui.ui.widgets import button, label

_PROFILE = Qt.ItemDataRole.UserRole


class ProfileDialog(QDialog):
    """Lists every profile; saving makes an own one, which hides its preset."""

    saved = Signal()

    def __init__(self, keys: Keys, jobs: Jobs, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keys = keys
        self._jobs = jobs
        self.list = QListWidget()
        self.form = ProfileForm()
        self.notice = Notice()
        self.new = QPushButton("New from preset")
        self.delete = button("Delete", self._delete)
        self.save = button("Save profile", self._save, primary=True)
        self.state = label("", "caption", wrap=True)
        self._before: Profile | None = None
        self._lay_out()
        self.list.currentItemChanged.connect(lambda now, _before: self._show(now))
        self._load()

    def choose(self, name: str) -> None:
        """Show the profile called `name`."""
        for row in range(self.list.count()):
            if self._profile(self.list.item(row)).name == name:
                self.list.setCurrentRow(row)

    def begin(self, preset: Profile) -> None:
        """Begin an own profile from a preset; nothing is kept before it is saved."""
        names = {profile.name for profile in known_profiles()}
        number = 2
        # A name of its own at once, so that the preset is not hidden by accident.
        while f"{preset.name} {number}" in names:
            number += 1
        # Nothing in the list is edited now, so saving replaces nothing.
        self.list.setCurrentRow(-1)
        self._edit(replace(preset, name=f"{preset.name} {number}"), own=False)
        self.state.setText(f"New, from the preset {preset.name}. Not saved yet.")
        self.form.lines["name"].setFocus()

    # Profiles -----------------------------------------------------------------

    def _load(self, name: str = "") -> None:
        try:
            known = known_profiles()
            own = {profile.name for profile in load_profiles()}
        except UserError as error:
            self.notice.tell_error(error)
            return
        self.list.clear()
        for profile in known:
            kind = "" if profile.name in own else " · preset"
            item = QListWidgetItem(f"{profile.name}{kind}")
            item.setData(_PROFILE, profile)
            self.list.addItem(item)
        self.choose(name or known[0].name)

    def _show(self, item: QListWidgetItem | None) -> None:
        if item is None:
            return
        profile = self._profile(item)
        own = profile.name in {known.name for known in load_profiles()}
        self._edit(profile, own=own)

    def _edit(self, profile: Profile, *, own: bool) -> None:
        self._before = profile
        self.form.show_profile(profile)
        preset = profile.name in {known.name for known in presets()}
        self.delete.setEnabled(own)
        self.delete.setText("Back to the preset" if own and preset else "Delete")
        said = "Your own." if own else "A preset; saving keeps your own in its place."
        practice = " The program fills in its address." if profile.practice else ""
        self.state.setText(said + practice)
        self.notice.close_remark()

    def _save(self) -> None:
        if self._before is None:
            return
        old = self._listed()
        typed = self.form.typed()
        faults = faults_in(typed, {p.name for p in known_profiles()} - {old})
        self.form.show_faults(faults)
        if faults:
            return
        made = profile_from(typed, self._before)
        try:
            save_profiles(_put(load_profiles(), made, old))
        except UserError as error:
            self.notice.tell_error(error)
            return
        self._keep_key(made)
        self._load(made.name)
        self.saved.emit()

    def _keep_key(self, profile: Profile) -> None:
        # Taken out of the form first: whatever happens next, it is not on screen.
        key = self.form.take_key()
        if not key:
            return
        if profile.key_source == "memory":
            self._keys.remember(profile.name, key)
        elif profile.key_source == "keyring":
            # A keyring may ask its owner to unlock it, so it is not waited for here.
            self._jobs.start(
                "Storing the key",
                lambda _progress: save_in_keyring(profile.name, key),
                failed=self.notice.tell_error,
            )

    def _delete(self) -> None:
        name = self._listed()
        own = load_profiles()
        gone = [profile for profile in own if profile.name == name]
        try:
            save_profiles(tuple(p for p in own if p.name != name))
        except UserError as error:
            self.notice.tell_error(error)
            return
        self._load()
        self.saved.emit()
        undo = ("Undo", lambda: self._put_back(gone))
        self.notice.tell(f"Took away {name}.", undo, ("Dismiss", lambda: None))

    def _listed(self) -> str:
        """Return the name of the profile in the list that is edited, or nothing."""
        row = self.list.currentRow()
        return self._profile(self.list.item(row)).name if row >= 0 else ""

    def _put_back(self, gone: list[Profile]) -> None:
        save_profiles((*load_profiles(), *gone))
        self._load(gone[0].name)
        self.saved.emit()

    @staticmethod
    def _profile(item: QListWidgetItem) -> Profile:
        profile = item.data(_PROFILE)
        assert isinstance(profile, Profile)  # noqa: S101 - put there by `_load`
        return profile

    # Layout -------------------------------------------------------------------

    def _lay_out(self) -> None:
        self.setWindowTitle("Model profiles")
        self.resize(theme.px(760), theme.px(620))
        self.list.setAccessibleName("Profiles")
        self.list.setMinimumWidth(theme.px(270))
        never = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.list.setHorizontalScrollBarPolicy(never)
        self.new.setMenu(self._presets_menu())
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(self.form)
        left = QVBoxLayout()
        left.addWidget(self.list, 1)
        left.addWidget(self.new)
        right = QVBoxLayout()
        for widget in (self.state, area, self.notice):
            right.addWidget(widget, 1 if widget is area else 0)
        foot = QHBoxLayout()
        foot.addWidget(self.delete)
        foot.addStretch()
        foot.addWidget(button("Close", self.close))
        foot.addWidget(self.save)
        right.addLayout(foot)
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.S4, theme.S4, theme.S4, theme.S4)
        row.setSpacing(theme.S4)
        row.addLayout(left)
        row.addLayout(right, 1)
        self.save.setDefault(True)

    def _presets_menu(self) -> QMenu:
        menu = QMenu(self)
        for preset in presets():
            entry = menu.addAction(preset.name)
            entry.triggered.connect(lambda _on, preset=preset: self.begin(preset))
        return menu


def _put(own: tuple[Profile, ...], made: Profile, old: str) -> tuple[Profile, ...]:
    """Return one's own profiles with `made` in the place of the one called `old`."""
    names = [profile.name for profile in own]
    # A renamed profile keeps its place; else the order would jump.
    for name in (old, made.name):
        if name in names:
            at = names.index(name)
            return (*own[:at], made, *own[at + 1 :])
    return (*own, made)
