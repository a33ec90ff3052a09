"""Widgets that draw outside text safely, line by line."""
