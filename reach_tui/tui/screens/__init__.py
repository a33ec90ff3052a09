"""One file per screen or question; what two of them share stands in `tui/screen.py`."""
