"""Memory of a persona: memory stream, spatial memory and current state (scratch)."""
