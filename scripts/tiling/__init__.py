"""Checks of map tiles by programs that nobody here wrote. scripts/test-tiles runs them."""
