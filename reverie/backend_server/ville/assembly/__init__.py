"""Build a simulation from settings: providers and models, client layers, run."""
