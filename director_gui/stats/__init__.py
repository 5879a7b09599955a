"""Paired differences clustered by scene."""
