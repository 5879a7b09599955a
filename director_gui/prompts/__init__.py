"""Prompt pieces, conditions, and the proof that a pair differs in one span."""
