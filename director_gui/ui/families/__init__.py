"""The sets workspace: families, sampling, and the gallery of a set."""
