"""Facts that a persona keeps beside its memory stream: what it has promised, and what was told to whom."""
