"""Train four classifiers on scikit-learn's handwritten digits and write their predictions on one held-out half.

Needs scikit-learn. One file a model, one row an image; ``item`` is the image's row number in the data set.

    python examples/classifiers/make.py [FOLDER]
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

MODELS = {
    "svm": SVC(),
    "knn": KNeighborsClassifier(),
    "forest": RandomForestClassifier(random_state=0),
    "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=5000)),
}


def main(folder: Path) -> None:
    images, digits = load_digits(return_X_y=True)
    train, held_out = train_test_split(range(len(digits)), test_size=0.5, random_state=0, stratify=digits)
    held_out = sorted(held_out)
    for name, model in MODELS.items():
        predicted = model.fit(images[train], digits[train]).predict(images[held_out])
        rows = [
            (item, label, guess, int(label == guess))
            for item, label, guess in zip(held_out, digits[held_out], predicted, strict=True)
        ]
        write(folder / f"{name}.csv", name, rows)


def write(path: Path, model: str, rows: list[tuple[int, int, int, int]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["model", "item", "label", "prediction", "correct"])
        table.writerows([model, *row] for row in rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
