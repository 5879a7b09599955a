"""Owner of the open scene, the selection and the undo stack."""
