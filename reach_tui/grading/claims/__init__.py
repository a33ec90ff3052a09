"""What an agent says that it has done, and whether a successful write supports it."""
