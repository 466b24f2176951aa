"""The telephone: every model behind one gateway."""
