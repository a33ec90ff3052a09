"""The terminal app: screens over the store. It holds no SQL, no grading and no statistics of its own.

Screens know neither each other nor the app: they name a place (`navigation.py`), and the app alone knows what opens for
it. What is imported inside functions, or for types alone, is what the first paint (records of the store: 50 ms, a sixth
of what Textual itself takes) or the key that opens a screen (experiments: 300 ms) would wait for; the threads that read
and write load it.
"""
