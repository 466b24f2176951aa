"""What texts give away about people: who they are, what is new, how they stand to each other, what they are at."""
