"""The results workspace: a family's table with its forest plot, details below."""
