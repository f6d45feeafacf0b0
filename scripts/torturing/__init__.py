"""The stages of scripts/torture, one file each, and what they share."""
