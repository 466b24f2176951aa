"""A town in words: the town file, read into nouns."""
