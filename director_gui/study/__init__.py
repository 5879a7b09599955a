"""What the window and the commands do with a study."""
