"""The offline mind: rules, not a language model. It understands nothing; it reads tables, patterns and memories.

Every question of the prompt shelves has one rule here, found under the same address: `plan.py` answers what
`prompt_template/plan.py` asks. A rule gets the question's blanks as values and a seeded random, and gives back the
answer as a mapping. What the rules need lies in folders beside them:

- `english`: verbs, pronouns, sentences, times of day;
- `people`: who somebody is, what is new, how people stand to each other, what they are at;
- `days`: duties, meals and pastimes, hour by hour and step by step, and where each is done;
- `talks`: what is brought up, how it is answered, and what remains of it;
- `thoughts`: how much memories weigh, what follows from them, how they answer an interviewer;
- `tables`: words only, sayings by occasion and activities by steps. To add one, add a row.
"""
