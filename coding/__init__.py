"""The blind side of coding: codebook, packet, results, agreement."""
