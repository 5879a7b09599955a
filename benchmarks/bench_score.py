"""Time the scoring of adversarial replies: METHOD allows 50 ms for 100,000 braces.

Run by hand: ``python benchmarks/bench_score.py``. The ratio is the time for twice the
text; a linear scan stays near 2. Exits 3 when a limit does not hold.
"""

import sys
import time

from director_gui.scoring.extract import last_answer

N = 100_000
LIMIT_MS = 50.0
RATIO = 3.0
ANSWER = '\n{"visible":[2,5,3],"choice":5}'
# name -> (one unit, whether METHOD's limit applies to N of them)
FLOODS = {
    "{": ("{", True),
    "{ and a blank": ("{ ", True),
    "{ and a line end": ("{\n", True),
    'open objects {"a":': ('{"a":', True),
    'half strings {"': ('{"', True),
    "empty objects {}": ("{}", True),
    "[": ("[", False),
    "quotes": ('"', False),
    "quotes and backslashes": ('"\\', False),
    "braces in strings": ('{"a":"{",', False),
    'objects {"a":1}': ('{"a":1}', False),
    "fences": ("```\n", False),
    "think markers": ("<think></think>", False),
}


def milliseconds(text: str) -> float:
    """Return the best of three timings of one reply."""
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        answer = last_answer(text, ("visible", "choice"))
        best = min(best, time.perf_counter() - start)
        if answer is None or answer.values["choice"] != 5:
            raise AssertionError("the answer behind the flood was not found")
    return best * 1000


def main() -> int:
    """Print one line per flood; return 3 when one is too slow."""
    missed = 0
    for name, (unit, limited) in FLOODS.items():
        once = milliseconds(unit * N + ANSWER)
        ratio = milliseconds(unit * N * 2 + ANSWER) / once
        slow = (limited and once > LIMIT_MS) or (once > 1 and ratio > RATIO)
        missed += slow
        limit = f"limit {LIMIT_MS:.0f}" if limited else ""
        verdict = "TOO SLOW" if slow else "ok"
        print(f"{name:<24} {once:8.1f} ms  x{ratio:4.2f}  {limit:<9} {verdict}")
    return 3 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
