"""Worlds: state and the tools that change it.

A family of worlds (`family.Family`) is tables, seed data and tools. A tool is a Python function with typed parameters
and a docstring (`tool.tool`); it gets the world of its own call (`transaction.Transaction`). A trial opens one world
(`world.World`) and throws it away afterwards.
"""
