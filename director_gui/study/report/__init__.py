"""The report of a study: one HTML page, figures and the same numbers as JSON."""
