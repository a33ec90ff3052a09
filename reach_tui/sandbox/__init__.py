"""Worlds: state and the tools that change it.

A family of worlds (`family.Sandbox`) is tables, seed data and tools. A tool is a Python function with typed parameters
and a docstring (`tool.tool`); it gets the world of its own call (`transaction.World`). A trial opens one world
(`world.OpenWorld`) and throws it away afterwards.
"""
