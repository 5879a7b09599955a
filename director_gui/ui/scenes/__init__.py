"""The scenes workspace: the editor, the two pictures, the verdict, the probe."""
