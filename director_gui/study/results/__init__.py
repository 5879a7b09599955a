"""What the results workspace shows: tables over a run's scored replies."""
