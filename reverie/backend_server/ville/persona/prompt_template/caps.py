"""Maximum lengths of texts, in characters, and of lists.

A longer answer is sent back to the model; a longer text from a user is refused. The limits are far above what prompts
ask for. They keep one bad answer from filling memories, prompts and bills.
"""

PLACE = 200
"""Name of a sector, an arena or an object."""
KIND = 60
"""Kind of place, or thing, in words."""
KEYWORD = 200
"""Subject, predicate or object."""
EMOJI = 60
STATE = 200
"""State of an object in use."""
ACTIVITY = 200
STROKE = 120
"""An activity in broad strokes."""
CLOCK = 20
"""A time of day."""
HOURLY = 96
"""Activities of a day: one for every quarter of an hour."""
STEPS = 288
"""Subtasks of an activity: one for every five minutes of a day."""
FEW_STEPS = 5
"""Steps of an activity that a model is asked for."""
SCHEDULE_ENTRY = 2 * ACTIVITY + len(" ()")
"""An activity with a subtask in parentheses."""
PLAN = 200
"""One intention for the day."""
PLANS = 24
GIST = 200
"""Summary of a conversation."""
REASON = 300
RELATIONSHIP = 600
FEELING = 200
SUMMARY = 1000
"""Summary of what a persona knows of another."""
UTTERANCE = 1000
LINES = 40
"""Utterances of a conversation that is written at once."""
THOUGHT = 1000
"""An insight, a thought after a conversation, or a whisper as a thought."""
QUESTION = 300
"""A focal point of reflection."""
QUESTIONS = 20
INSIGHTS = 20
EVIDENCE = 100
"""Memories that support one insight."""
CURRENTLY = 2000
REQUIREMENT = 1000
SCORES = 200
MEMORY = 5000
"""One memory in a prompt. Only memories of other engines can be longer."""
QUOTED = 300
"""One memory as quoted in a prompt; a longer one, such as the plan of a day, is shortened."""
BLANK = 10_000
"""Any other text in a prompt, such as an identity."""

WHISPER = 500
INTERVIEW_LINE = 2000
"""One line of an interview or talk by the user."""
ROLE = 60
"""Whom the user speaks as."""
EXCERPT = 500
"""A bad answer and its fault, each as sent back to the model."""

CONCISE = {
    "relationship": 160, "text": 200, "summary": 400, "about": 100, "reason": 160, "questions": 120, "utterance": 280,
}  # fmt: skip
"""Texts that situated questions ask for, by field: where there is room, small models go on and on."""
