"""torchmetrics' BootStrapper: a copy of the metric for each resample."""

from __future__ import annotations

import numpy as np
import torch
from torchmetrics.classification import BinaryAUROC, BinaryF1Score
from torchmetrics.wrappers import BootStrapper


def f1_and_auroc(data):
    label, prediction, decision = (torch.tensor(data[name]) for name in ("label", "prediction", "decision"))
    # Numbers outside [0, 1] would be put through a sigmoid in single precision, and tie.
    chance = torch.sigmoid(decision)

    def run(_):
        torch.manual_seed(1)
        rows = []
        for metric, given in ((BinaryF1Score(), prediction), (BinaryAUROC(), chance)):
            quantiles = torch.tensor([0.025, 0.975])
            drawn = BootStrapper(
                metric, num_bootstraps=2000, sampling_strategy="multinomial", quantile=quantiles, mean=False, std=False
            )
            drawn.update(given, label)
            rows.append([float(metric(given, label)), *drawn.compute()["quantile"].tolist()])
        return np.array(rows)

    return lambda: None, run
