"""The pictures of the app, and the two files that paint them from the demo store (`make screenshots`)."""
