"""The checks of exports (scripts/test-exports)."""
