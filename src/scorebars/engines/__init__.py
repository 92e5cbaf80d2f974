"""Engines: whatever holds the rows (DuckDB, NumPy columns, a user's frame) -> integer codes and numbers."""
