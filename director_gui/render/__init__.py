"""Pictures of a scene, and witness 2 of visibility."""
