"""Trains Stipple's nucleus network. The README beside this file has the one command that repeats it."""
