"""The state of a trial against what is expected of it: expressions, rows and tables over time, changes, the table.

From the bottom up: `expressions` (does a value hold), `explanations` (why not), `expectations` (the rows of a task),
`table_history` and `row_history` (a row over time), `comparison` (a trial against an outcome), `table` (what is shown).
"""
