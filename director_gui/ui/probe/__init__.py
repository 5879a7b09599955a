"""The probe: ask models about the open scene, and look at what they said."""
