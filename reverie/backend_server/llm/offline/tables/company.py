"""The table of company: what is said among family, among guests at a party, and of friends who are not there."""

COMPANY: dict[str, str] = {
    "ask home morning": """
        Did you sleep well?
        What have you got in mind for today?
        Is there any coffee left?
        When will you be back tonight?""",
    "answer home morning": """
        Well enough. You took all the blankets.
        The same as yesterday, only better.
        A little, if you hurry.
        Not late. Keep something warm for me.
        Like a stone.
        Ask me again after breakfast.""",
    "ask home afternoon": """
        Have you eaten anything yet?
        Are you home for dinner?
        Do we need anything from the market?""",
    "answer home afternoon": """
        Not properly. I'll see to it.
        Yes, and I'll be hungry.
        Bread, I think. And something green.
        Don't worry, I'll manage.""",
    "ask home evening": """
        How was your day?
        Are you very tired?
        What shall we have tomorrow?
        Whom did you meet today?""",
    "answer home evening": """
        Long. It is good to sit down.
        Quite all right. And now I want my feet up.
        Soup, if you ask me.
        Half the town, as always.
        Better than I expected this morning.""",
    "tell home": """
        Somebody has eaten the last apple, and it was not me.
        The tap is dripping again.
        I found your scarf. It was where you left it.
        We should have people over one of these days.
        I put fresh flowers on the table, in case nobody noticed.
        The stairs want sweeping, and I know whose turn it is.
        The neighbours were up early again.""",
    "reply home": """
        I'll see to it.
        It can wait until tomorrow.
        I had noticed.
        You are right, as usual.
        Remind me at the weekend.
        Yes, dear.""",
    "greet home": """
        There you are, {other}.
        {other}, have you got a moment?
        Ah, {other}.
        {daypart}, {other}.""",
    "greet back home": """
        Hm?
        Yes, I'm here.
        {other}.
        I'm listening.""",
    "bye home": """
        See you later, {other}.
        Don't be late, {other}.
        Until later.
        Off you go, {other}. Until later.""",
    "ask cake": """
        Have you tried the cake?
        Did you get any of the cake?""",
    "answer cake": """
        Twice. Don't tell anybody.
        Not yet. Is there any left?
        It was gone before I got there.""",
    "ask enjoying": """
        Are you enjoying yourself?
        Do you like it here?
        Did you come alone?""",
    "answer enjoying": """
        More than I thought I would.
        Very much. I nearly stayed at home.
        Yes. One ought to do this more often.
        I do, now that you ask.""",
    "ask everybody": """
        Do you know everybody here?
        Who else has come, do you know?""",
    "answer everybody": """
        Only by sight, most of them.
        Half the town, if you ask me.
        Fewer than I thought, but the right ones.""",
    "tell party": """
        {host} has put a great deal of work into this.
        I didn't expect so many people.
        The decorations are lovely.
        I like this song.
        It is louder than I am used to, but I like it.
        Somebody ought to give a speech, only not me.""",
    "thank host": """
        Thank you for having me, {other}.
        What a lovely party, {other}.
        You have made this beautiful, {other}.
        I'm glad that I came, {other}.""",
    "answer host": """
        I'm so glad you came.
        The evening is young. Have some cake.
        It would not be the same without you.
        Thank you. I was afraid nobody would come.""",
    "welcome guest": """
        I'm so glad you came, {other}.
        Have you got something to drink, {other}?
        Make yourself at home, {other}.""",
    "answer guest": """
        I wouldn't have missed it.
        Thank you. It is lovely here.
        I have all I need.""",
    "ask meal": """
        Have you had lunch yet?
        Is the soup any good today?
        What are you having?""",
    "answer meal": """
        Just now. I could do with a nap.
        The soup. It is always the soup.
        Not yet, and you can hear it from here.
        Something quick; I can't stay long.""",
    "ask seen": """
        Have you seen {who} today?
        You haven't come across {who}, have you?
        Do you know what {who} is up to today?""",
    "answer seen": """
        I saw {who} {when}, {doing}.
        {when_up}, yes. {who} was {doing}.""",
    "not seen": """
        Not today, no.
        No, {who} has not crossed my way.
        I was going to ask you the same.""",
}
