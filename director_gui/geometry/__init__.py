"""Witness 1 of visibility, the answer key and the problems of a scene."""
