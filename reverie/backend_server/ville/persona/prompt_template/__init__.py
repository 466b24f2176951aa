"""Questions to models: a `Question` for every prompt template."""
