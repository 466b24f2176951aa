"""What a town must be to live in, and what its people expect of it."""
