"""From a reply's text to a score."""
