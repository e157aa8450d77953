"""Trains Stipple's nucleus network. The README in this folder has the one command that reproduces it."""
