"""Static files: addresses with their version, and how they are sent."""
