"""Functions of trial results: how far an agent reaches, how sure that is, and what it cost."""
