"""Thin commands over the study layer; no logic of their own."""
