"""The coordinator's workspace: packets, coders, agreement."""
