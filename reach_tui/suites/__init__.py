"""Suites: YAML in, validated tasks out; selection, factor libraries, static lint."""
