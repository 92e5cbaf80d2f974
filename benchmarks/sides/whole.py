"""A whole process of scorebars: every score and all paired differences of a CSV, with intervals, as JSON.

python whole.py CSV [METHOD OF SCORES, METHOD OF DIFFERENCES]
"""

from __future__ import annotations

import json
import sys

import scorebars as sb


def main() -> None:
    path, *methods = sys.argv[1:]
    of_scores, of_differences = (getattr(sb, method)() for method in methods) if methods else (sb.Auto(), sb.Auto())
    scores = sb.read(path)
    estimates = sb.estimate(scores, interval=of_scores)
    comparisons = sb.compare_all(scores, interval=of_differences)
    found = {
        "scores": {each.model: row(each.answer) for each in estimates},
        "differences": {f"{each.a} - {each.b}": row(each.answer) for each in comparisons},
    }
    sys.stdout.write(json.dumps(found))


def row(answer: sb.Estimate) -> list[float]:
    return [answer.value, answer.low, answer.high]


if __name__ == "__main__":
    main()
