"""How a talk goes: what is brought up, how it is answered, in which words, and what remains of it."""
