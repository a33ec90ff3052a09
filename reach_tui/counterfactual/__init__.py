"""Counterfactual experiments: one factor changed, a control beside it, and a verdict that names its scope."""
