"""Small log-log charts as plain SVG: a line for each series, decades as grid, in light and dark surroundings alike."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 360, 250
LEFT, RIGHT, TOP, BOTTOM = 58, 12, 30, 44
COLOURS = ("#1f77b4", "#d95f02", "#2ca02c", "#9467bd")
GREY = "#888"


@dataclass(frozen=True)
class Panel:
    """One chart: seconds against something, both on logarithmic scales."""

    title: str
    x_label: str
    series: dict[str, list[tuple[float, float]]]
    """(x, seconds) of each line by its name."""


def page(panels: list[Panel], columns: int = 2) -> str:
    """The charts side by side."""
    rows = math.ceil(len(panels) / columns)
    placed = [
        f'<g transform="translate({i % columns * WIDTH},{i // columns * HEIGHT})">{_panel(panel)}</g>'
        for i, panel in enumerate(panels)
    ]
    size = f'width="{columns * WIDTH}" height="{rows * HEIGHT}" viewBox="0 0 {columns * WIDTH} {rows * HEIGHT}"'
    style = f"text{{font:11px sans-serif;fill:{GREY}}} .t{{font-weight:bold;font-size:12px}}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}><style>{style}</style>\n' + "\n".join(placed) + "\n</svg>\n"


def _panel(panel: Panel) -> str:
    points = [point for line in panel.series.values() for point in line]
    x_ends, y_ends = _decades([x for x, _ in points]), _decades([y for _, y in points])

    def across(x: float) -> float:
        return LEFT + (math.log10(x) - x_ends[0]) / (x_ends[1] - x_ends[0]) * (WIDTH - LEFT - RIGHT)

    def down(y: float) -> float:
        return HEIGHT - BOTTOM - (math.log10(y) - y_ends[0]) / (y_ends[1] - y_ends[0]) * (HEIGHT - TOP - BOTTOM)

    parts = [f'<text class="t" x="{LEFT}" y="16">{escape(panel.title)}</text>']
    for power in range(x_ends[0], x_ends[1] + 1):
        x = across(10.0**power)
        parts.append(_line(x, TOP, x, HEIGHT - BOTTOM))
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 14}" text-anchor="middle">{_count(power)}</text>')
    for power in range(y_ends[0], y_ends[1] + 1):
        y = down(10.0**power)
        parts.append(_line(LEFT, y, WIDTH - RIGHT, y))
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{_duration(power)}</text>')
    parts.append(
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" text-anchor="middle">{escape(panel.x_label)}</text>'
    )
    for number, (name, line) in enumerate(panel.series.items()):
        colour = COLOURS[number % len(COLOURS)]
        path = " ".join(f"{across(x):.1f},{down(y):.1f}" for x, y in line)
        parts.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{path}"/>')
        y = TOP + 12 + 13 * number
        parts.append(f'<text x="{LEFT + 6}" y="{y}" style="fill:{colour}">{escape(name)}</text>')
    return "\n".join(parts)


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="{GREY}" stroke-opacity=".25"/>'


def _decades(values: list[float]) -> tuple[int, int]:
    """Whole powers of ten around the values, at least one apart."""
    low, high = math.floor(math.log10(min(values)) + 1e-9), math.ceil(math.log10(max(values)) - 1e-9)
    return low, max(high, low + 1)


def _count(power: int) -> str:
    return f"{10**power:,}" if power < 4 else f"10{str(power).translate(str.maketrans('0123456789', '⁰¹²³⁴⁵⁶⁷⁸⁹'))}"


def _duration(power: int) -> str:
    for least, unit in ((0, "s"), (-3, "ms"), (-6, "µs")):
        if power >= least:
            return f"{10 ** (power - least)} {unit}"
    return f"10^{power} s"
