"""The offline mind: answers by rules instead of a language model, from data files, patterns and memories.

Each question of `prompt_template` has one rule here under the same name: `plan.py` answers the questions of
`prompt_template/plan.py`. A rule gets the fields of a question and a seeded random number generator, and returns the
answer as a mapping. What personas do and say is data in `data/`; docs/offline-mind.md explains how to change it.

- English: `grammar`, `hours`, and `reading`, which extracts news from free text;
- knowledge of a persona: `profile`, `ties`, `work`, `news`, and `knowledge`, which joins them;
- days: `duties`, `day`, `steps`, `places`;
- conversations: `sayings`, `dialogue`, `conditions`, `speech`.
"""
