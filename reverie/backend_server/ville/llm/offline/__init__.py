"""The offline mind: rules, not a language model. It understands nothing; it reads data files, patterns and memories.

Every question of `prompt_template` has one rule here, found under the same name: `plan.py` answers what
`prompt_template/plan.py` asks. A rule gets the question's fields and a seeded random number generator, and returns the
answer as a mapping. What people do and say is data, in `data/`, read by `table.py`; docs/offline-mind.md explains it.

- English: `verbs`, `grammar`, `hours`, and `reading`, which finds news in free text;
- what a persona knows: `person`, `ties`, `work`, `news`, `records`, and `knowledge`, which joins them;
- days: `duties`, `day`, `agenda`, `steps`, `places`, `morning`;
- talks: `sayings`, `dialogue`, `contributions`, `responses`, `aftermath`;
- thoughts: `insights`, `recollection`, `interview`.
"""
