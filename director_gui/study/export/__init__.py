"""What leaves a study: tables, figures, a method note, the supplement."""
