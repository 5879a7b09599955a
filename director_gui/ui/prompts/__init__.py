"""The prompts workspace: conditions, pieces, messages and the proof of pairs."""
