"""The table of conclusions: what can be said when several memories point the same way.

{name} is who reflects, {other} somebody else ({other_first} for short), {pursuit} and {second} what time is given to,
{spot} a place, {topic} what somebody is at, {noun} an occasion, {who} a candidate, {one} and {two} those who said so,
{doing} what somebody was seen at.
"""

CONCLUSIONS: dict[str, str] = {
    "habit": """
        {name} gives much of the day to {pursuit}, and seems content with it
        {name} comes back to {pursuit}, whatever else the day brings
        {name} takes {pursuit} seriously
        A day without {pursuit} would not be one for {name}""",
    "balance": """
        {name} divides the day between {pursuit} and {second}
        Next to {pursuit}, {name} keeps time for {second}
        {pursuit_up} and {second} both have their place in {name}'s days""",
    "place": """
        {name} feels at home in {spot} and goes there whenever there is time
        {spot_up} is where {name}'s day and other people's days cross
        {name} thinks better of the day after an hour in {spot}""",
    "meets": """
        {name} and {other} keep crossing each other's way, and {name} likes it so
        {other} has become part of {name}'s days
        {name} knows {other} better than a chance acquaintance would""",
    "meets doing": """
        When {name} thinks of {other}, it is of {other_first} {doing}
        {name} would miss something without the sight of {other} {doing}
        {other} {doing}: to {name} that belongs to the day by now
        {name} has come to know {other} a little, {doing} or on the way to it
        One can set the clock by {other} {doing}, thinks {name}
        {name} likes to see {other} {doing}, and ought to say so one day
        There is more to {other} than {doing}, {name} feels""",
    "likes": """
        {name} values {other}, and it shows in what {name} remembers of {other_first}
        The friendship with {other} matters to {name}
        {name} is at ease with {other}""",
    "loves": """
        {other} is never far from {name}'s thoughts
        {name} cares more for {other} than for almost anybody in town""",
    "dislikes": """
        {name} keeps a distance from {other} and has reasons for it
        {name} does not trust {other}, whatever {other_first} does""",
    "concerned": """
        {other} puts a great deal of heart into {topic}
        {other} can be reached best by asking about {topic}
        What moves {other} at the moment is {topic}""",
    "seen": """
        {other} spends a great deal of time on {pursuit}
        Whenever {name} comes across {other}, it has to do with {pursuit}
        {other} is serious about {pursuit}""",
    "shares": """
        {name} and {other} have {pursuit} in common
        What connects {name} with {other} is {pursuit}""",
    "looks forward": """
        {noun} is what people in town look forward to, and {name} hears of it from all sides
        {name} takes {noun} to be a chance to see everybody at once
        {noun} means more to people than the cake, thinks {name}""",
    "heard twice": """
        Word of {noun} has got around: {name} has it from {one} and from {two}""",
    "hosts": """
        {name} cares a great deal that {noun} becomes a good evening
        Inviting people to {noun} brings {name} closer to the town
        {name} would be hurt if nobody came to {noun}""",
    "will come": """
        {one} and {two} mean to come to {noun}, and that gives {name} courage
        With {one} and {two}, {noun} will not be empty""",
    "cannot come": """
        {one} cannot come to {noun}, and {name} bears no grudge""",
    "candidacy": """
        {who} running for mayor is becoming the talk of the town, and {name} will have to take a view
        {name} notices that {who}'s candidacy divides those who speak of it
        {name} wonders what {who} as mayor would mean for the town""",
    "own candidacy": """
        {name} means the candidacy seriously and listens to what people say of it
        Every talk about the election shows {name} what the town needs""",
    "supported": """
        {one} is on {name}'s side in the election, and {name} will not forget it""",
    "politics": """
        {name} cares about the election more than most and keeps asking about it
        For {name} the election is no small matter""",
}
