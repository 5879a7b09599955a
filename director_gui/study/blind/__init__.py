"""Sealing, merging and joining blind codes: the study's side of coding."""
