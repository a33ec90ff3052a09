"""Measures the budgets: one module per row, each beside something comparable, run together by `make bench`."""
