"""The blind pane: built from a packet and a results file, nothing else."""
