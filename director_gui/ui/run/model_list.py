"""Choose models: every profile with a box to tick."""

from collections.abc import Iterable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from director_gui.runner.profiles import Profile
from director_gui.study.probing import known_profiles
from director_gui.ui import theme

_PROFILE = Qt.ItemDataRole.UserRole
_LINES = 5  # in sight; the rest is scrolled to


class ModelList(QListWidget):
    """The known profiles, and those of the plan that nobody else knows."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Models to ask")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.itemChanged.connect(lambda _item: self.changed.emit())

    @property
    def chosen(self) -> tuple[Profile, ...]:
        """The ticked profiles."""
        items = [self.item(row) for row in range(self.count())]
        ticked = Qt.CheckState.Checked
        return tuple(i.data(_PROFILE) for i in items if i.checkState() == ticked)

    def load(self) -> None:
        """List the profiles anew; what was ticked stays ticked.

        Raises:
            UserError: The user's profiles cannot be read.
        """
        known = known_profiles()
        before = self.chosen
        if not self.count():
            # A first run costs nothing and needs no key.
            before = tuple(p for p in known if p.practice)[:1]
        names = {profile.name for profile in before}
        # A plan's own profile is in no list; it must not be lost with a new one.
        own = tuple(p for p in before if p.name not in {k.name for k in known})
        self._fill((*known, *own), names)

    def choose(self, profiles: Iterable[Profile]) -> None:
        """Tick exactly these; one that differs from the known one takes its place."""
        wanted = {profile.name: profile for profile in profiles}
        # A plan of a file may hold its own version of a known profile.
        listed = {profile.name: profile for profile in known_profiles()} | wanted
        self._fill(listed.values(), set(wanted))
        # A plan's own profile stands last, and should not have to be looked for.
        ticked = Qt.CheckState.Checked
        rows = range(self.count())
        for item in [i for at in rows if (i := self.item(at)).checkState() == ticked]:
            self.scrollToItem(item)
            return

    def retheme(self) -> None:
        """Take the sizes of the theme that is shown now."""
        line = max(self.sizeHintForRow(0), theme.px(20))
        self.setFixedHeight(line * _LINES)

    def _fill(self, profiles: Iterable[Profile], ticked: set[str]) -> None:
        # Every new line would else be counted as a change of mind.
        self.blockSignals(True)
        self.clear()
        for profile in profiles:
            self.addItem(_line(profile, ticked=profile.name in ticked))
        self.blockSignals(False)
        self.retheme()
        self.changed.emit()


def _line(profile: Profile, *, ticked: bool) -> QListWidgetItem:
    price = "" if profile.price_known else " · unknown price"
    item = QListWidgetItem(f"{profile.name}{' · practice' * profile.practice or price}")
    item.setData(_PROFILE, profile)
    states = Qt.CheckState
    item.setCheckState(states.Checked if ticked else states.Unchecked)
    item.setToolTip(f"{profile.model} at {profile.base_url}")
    return item
