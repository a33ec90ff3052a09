"""Tenants that ship with the house: found by entry point like a stranger's, they import the public face alone."""
