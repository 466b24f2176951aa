"""The offline mind: rules, not a language model. It understands nothing; it reads tables, patterns and memories.

Every question of the prompt shelves has one rule here, found under the same address. A rule gets the question's
blanks as values and a seeded random, and gives back the answer as a mapping. What people do, say and feel stands in
tables (`pastimes`, `trades`, `steps`, `deeds`, `phrases`, `weights`): to add an activity, add a row.
"""
