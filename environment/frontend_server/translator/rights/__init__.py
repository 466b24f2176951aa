"""Right to act: who has it, and how often it is used."""
