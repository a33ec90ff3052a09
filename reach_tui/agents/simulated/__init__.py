"""Deterministic local models, always labelled simulated: subjects with known weaknesses."""

from reach_tui.agents.simulated.decide import decide
from reach_tui.agents.simulated.models import MODELS

__all__ = ["MODELS", "decide"]
