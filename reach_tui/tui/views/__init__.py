"""Pure functions from frozen rows to lines on a screen."""
