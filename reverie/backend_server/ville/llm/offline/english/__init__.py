"""English, as far as rules need it: verbs, pronouns, sentences, times of day."""
