"""The replies of one arm, over its scenes: in memory, and as a table."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt

from director_gui.study.correcting import undone
from director_gui.study.probed import Probe, Replies
from director_gui.study.run_arms import Key
from director_gui.study.run_view import RunView
from director_gui.study.scored import Scored
from director_gui.ui.column_model import SortKey, sort_key
from director_gui.ui.probe.live import LiveProbe
from director_gui.ui.probe.reply_table import CONDITION, STATUS, ReplyTable


class ArmReplies(LiveProbe):
    """One arm's replies; the run's view scores them, so nothing is folded here."""

    def __init__(self, view: RunView, key: Key, scored: Sequence[Scored]) -> None:
        # A probe has one scene; here it only fills the place, each reply names its own.
        first = scored[0].reply.call.scene
        scene, truth = view.shown[first]
        super().__init__(
            Replies(Probe(view.run, first, scene), truth, {}, tuple(scored), {})
        )
        self.key = key
        self._names = {found: scene.name for found, (scene, _) in view.shown.items()}

    def scene_name(self, item: Scored) -> str:
        """Return the name of the scene that was shown."""
        return self._names[item.reply.call.scene]

    def put(self, moved: Iterable[Scored]) -> set[int]:
        """Take in replies that moved; return the rows of those of this arm."""
        rows = set()
        for item in moved:
            # All arms' replies come by; most are of another.
            row = self._at.get(item.reply.call.id)
            if row is not None:
                # The view scores by the rules alone and knows no correction.
                given = self.rows[row].correction
                self.rows[row] = replace(item, correction=given)
                rows.add(row)
        return rows


class ArmReplyTable(ReplyTable):
    """In the place of the condition, which is the same in every row, the scene."""

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        if section == CONDITION and orientation is Qt.Orientation.Horizontal:
            if role == Qt.ItemDataRole.DisplayRole:
                return "Scene"
            if role == Qt.ItemDataRole.ToolTipRole:
                return "The scene that was shown"
        return super().headerData(section, orientation, role)

    def data(
        self,
        index: QModelIndex | QPersistentModelIndex,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        if role == Qt.ItemDataRole.DisplayRole:
            item, live = self.item(index.row()), self.live
            if item is not None and isinstance(live, ArmReplies):
                if index.column() == CONDITION:
                    return live.scene_name(item)
                if index.column() == STATUS and not undone(item):
                    return f"{live.sending(item)} · corrected"
        return super().data(index, role)

    def key(self, source: int, column: int) -> SortKey:
        live = self.live
        if column == CONDITION and isinstance(live, ArmReplies):
            return sort_key(live.scene_name(live.rows[source]))
        return super().key(source, column)
