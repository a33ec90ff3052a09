"""What a person or a script reads of a store: terminal summaries and their JSON twins."""
