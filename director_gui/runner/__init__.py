"""Calls to models: profiles, clients, the practice reader, the engine."""
