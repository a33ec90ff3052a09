"""Runs trials: plans, sessions, limits, scheduling, leases, launching, ingest of imports."""
