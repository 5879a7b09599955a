"""What a scene is: frozen values, their file format, and edits of them."""
