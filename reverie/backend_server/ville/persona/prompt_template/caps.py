"""How much text there may be of each kind, in characters, and how many items in a list.

A longer answer is sent back to the model, a longer text from a user is refused. The caps are far above what is asked
for: they keep one bad answer from filling memories, prompts and bills, and shorten nothing that makes sense.
"""

PLACE = 200
"""Name of a sector, an arena or an object."""
KEYWORD = 200
"""Subject, predicate or object."""
EMOJI = 60
STATE = 200
"""What an object is like while it is used."""
ACTIVITY = 200
HOUR = 4 * ACTIVITY + 3 * len(" | ")
"""An hour of the day, split into four activities at most."""
STEPS = 288
"""Parts of an activity: every five minutes of a day."""
SCHEDULE_ENTRY = 2 * ACTIVITY + len(" ()")
"""An activity with its part in parentheses."""
PLAN = 200
"""One intention for the day."""
PLANS = 24
GIST = 200
"""What a conversation was about."""
REASON = 300
RELATIONSHIP = 600
UTTERANCE = 1000
THOUGHT = 1000
"""An insight, an afterthought or what becomes of a whisper."""
QUESTION = 300
"""A question that a persona asks itself."""
QUESTIONS = 20
INSIGHTS = 20
EVIDENCE = 100
"""Statements that one insight rests on."""
CURRENTLY = 2000
REQUIREMENT = 1000
SCORES = 200
MEMORY = 5000
"""What is quoted of one memory in a prompt. Only memories from elsewhere are longer."""
BLANK = 10_000
"""Any other text in a prompt, such as who somebody is."""

WHISPER = 500
INTERVIEW_LINE = 2000
"""What a user says to a persona at one time."""
EXCERPT = 500
"""What is sent back of a bad answer, and of what was wrong with it."""
