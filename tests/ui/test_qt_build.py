"""The Qt binding must not lose references to None (6.12.0 does, and then aborts)."""

import subprocess
import sys

CALLS = """
import sys
from PySide6.QtCore import QCoreApplication, QTimer
app = QCoreApplication([])
timer = QTimer()
before = sys.getrefcount(None)
for _ in range(1000):
    timer.setInterval(5)
print(sys.getrefcount(None) - before)
import os; sys.stdout.flush(); os._exit(0)
"""


def test_a_void_call_keeps_the_count_of_none() -> None:
    done = subprocess.run(
        [sys.executable, "-c", CALLS], capture_output=True, text=True, check=True
    )
    assert abs(int(done.stdout)) < 100
