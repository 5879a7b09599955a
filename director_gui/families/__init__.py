"""Scene families and the sampler."""
