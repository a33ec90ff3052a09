"""Reach TUI: run suites against tool-calling agents, replay each trial beside its state, find the factor at fault."""

__version__ = "0.1.0"
