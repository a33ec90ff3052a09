"""Colour by role. A view names the role of its words ("bad", "dim"); only this file knows colours."""

from __future__ import annotations

from collections.abc import Mapping

from rich.style import Style
from textual.theme import Theme

Palette = Mapping[str, Style]

QUIET = Theme(
    name="reach",
    primary="#7aa7d9",
    secondary="#b294cf",
    accent="#7aa7d9",
    warning="#d9a860",
    error="#e0706a",
    success="#84b577",
    foreground="#c5cbd3",
    background="#14171b",
    surface="#191d22",
    panel="#20252b",
    dark=True,
    variables={
        "scrollbar": "#39414a",
        "scrollbar-hover": "#4b5561",
        "scrollbar-active": "#5d6977",
        "scrollbar-background": "#14171b",
        "scrollbar-background-hover": "#14171b",
        "scrollbar-background-active": "#14171b",
        "scrollbar-corner-color": "#14171b",
    },
)

TRUE: Palette = {
    "": Style(),
    "text": Style(color="#c5cbd3"),
    "strong": Style(color="#eef1f4", bold=True),
    "dim": Style(color="#838d98"),
    "faint": Style(color="#454e58"),
    "head": Style(color="#8796a5"),
    "accent": Style(color="#7aa7d9"),
    "focus": Style(color="#7aa7d9", bold=True),
    "good": Style(color="#84b577"),
    "bad": Style(color="#e0706a"),
    "warn": Style(color="#d9a860"),
    "claim": Style(color="#b294cf"),
    "title": Style(color="#eef1f4", bold=True),
    "key": Style(color="#d9a860"),
    "cursor": Style(bgcolor="#2b3542"),
    "rest": Style(bgcolor="#1d2228"),
    "match": Style(color="#14171b", bgcolor="#d9a860"),
    "lit": Style(color="#14171b", bgcolor="#7aa7d9", bold=True),
    "added": Style(color="#84b577"),
    "removed": Style(color="#e0706a"),
}
"""`cursor` is the row under the cursor of the pane in focus, `rest` that of the others; `lit` a step or tab chosen."""

SIXTEEN: Palette = {
    "": Style(),
    "text": Style(),
    "strong": Style(bold=True),
    "dim": Style(dim=True),
    "faint": Style(dim=True),
    "head": Style(color="cyan"),
    "accent": Style(color="blue", bold=True),
    "focus": Style(color="cyan", bold=True),
    "good": Style(color="green"),
    "bad": Style(color="red", bold=True),
    "warn": Style(color="yellow"),
    "claim": Style(color="magenta"),
    "title": Style(bold=True),
    "key": Style(bold=True),
    "cursor": Style(reverse=True),
    "rest": Style(bold=True),
    "match": Style(reverse=True, bold=True),
    "lit": Style(reverse=True, bold=True),
    "added": Style(color="green"),
    "removed": Style(color="red", bold=True),
}
"""The same roles in the terminal's own 16 colours; what NO_COLOR leaves of them still tells rows apart."""

CSS = """
Screen { background: $background; color: $foreground; layout: vertical; overflow: hidden; }
VirtualList { background: $background; color: $foreground; }
TextLines { height: 1; width: 1fr; }
.edge { background: $surface; }
.hidden { display: none; }
#small { display: none; height: 1fr; }
.-small > * { display: none; }
.-zoomed VirtualList { display: none; }
.-zoomed VirtualList.-zoom { display: block; height: 1fr; width: 1fr; }
.-small > #small { display: block; }
ModalScreen { background: $background 0%; }
Input { height: 1; border: none; padding: 0; background: $panel; }
Input:focus { border: none; }
"""


def palette(plain: bool) -> Palette:
    """The roles' styles: in true colour, or (plain) in the terminal's own 16."""
    return SIXTEEN if plain else TRUE
