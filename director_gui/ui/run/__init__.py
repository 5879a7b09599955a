"""The run workspace: compose a plan, send it, watch its arms, read every reply."""
