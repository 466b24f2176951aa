"""Commands of the prompt: their syntax, parsing, completion, and answers."""
