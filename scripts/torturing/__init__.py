"""The stages of scripts/torture, one file each, and their shared code."""
