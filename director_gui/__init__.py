"""Paired prompts for perspective-taking in vision-language models."""

__version__ = "0.1.0"
