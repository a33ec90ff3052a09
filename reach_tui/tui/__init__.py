"""The terminal app: screens over the store. It holds no SQL, no grading and no statistics of its own."""
