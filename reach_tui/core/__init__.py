"""The vocabulary: frozen values and pure functions. Imports nothing else of this package."""
