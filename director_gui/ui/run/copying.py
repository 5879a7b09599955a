"""Copy a table as tab-separated text: what is shown, in the order it is shown."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QTableView

from director_gui.ui.widgets import action


def copies(table: QTableView) -> None:
    """Let Ctrl+C copy the whole table."""
    action(
        table,
        "Copy table",
        lambda: QApplication.clipboard().setText(tsv_of(table)),
        shortcut=QKeySequence.StandardKey.Copy,
        scope=Qt.ShortcutContext.WidgetShortcut,
    )


def tsv_of(table: QTableView) -> str:
    """Return the heads and all rows; a hidden column stays out."""
    model, across = table.model(), Qt.Orientation.Horizontal
    columns = [at for at in range(model.columnCount()) if not table.isColumnHidden(at)]
    heads = [str(model.headerData(at, across)) for at in columns]
    rows = [
        [str(model.index(row, at).data() or "") for at in columns]
        for row in range(model.rowCount())
    ]
    return "".join("\t".join(row) + "\n" for row in [heads, *rows])
