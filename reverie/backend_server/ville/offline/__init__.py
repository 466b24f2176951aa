"""The offline mind: answers by rules instead of a language model, from data files, patterns and memories.

Each question of `prompt_template` has one rule here: `plan_rules.py` answers those of `plan_questions.py`. A rule gets
the fields of a question and a seeded random number generator, and returns the answer as a mapping. Sayings and doings
are data in `data/`; docs/offline-mind.md explains how to change them.

- English: `grammar`, `hours`, and `news_reading`, which extracts news from free text;
- knowledge of a persona: `profile`, `ties`, `work`, `news`, and `knowledge`, which joins them;
- days: `duties`, `day`, `subtask_rules`, `place_rules`;
- conversations: `sayings`, `dialogue`, `conditions`, `speech`.
"""
