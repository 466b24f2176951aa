"""Results that the engine computes for pages, in processes of its own."""
