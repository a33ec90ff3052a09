"""The state of a trial against what is expected of it: expressions, rows over time, every other change, the table."""
