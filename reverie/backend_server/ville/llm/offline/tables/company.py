"""The table of company: what is said among family, among guests at a party, and of friends who are not there."""

COMPANY: dict[str, str] = {
    "ask sleep": """
        Did you sleep well?
        How did you sleep?""",
    "answer sleep": """
        Well enough, thank you.
        Like a stone.
        Ask me again after breakfast.""",
    "answer sleep home": """
        Well enough. You took all the blankets.
        Like a stone. You didn't hear the rain either, did you.
        Better than you, by the sound of it.""",
    "ask back": """
        When will you be back tonight?
        Will it be late tonight?""",
    "answer back": """
        Not late. Keep something warm for me.
        I can't say yet. Don't wait with dinner.
        The same as always.""",
    "ask market": """
        Do we need anything from the market?
        Shall I bring something from the market?""",
    "answer market": """
        Bread, I think. And something green.
        Only milk.
        Nothing, we have enough for a week.""",
    "ask dinner": """
        What shall we have for dinner?
        Is there something you would like for dinner?""",
    "answer dinner": """
        Soup, if you ask me.
        Whatever is quick.
        Something with potatoes.
        Pancakes. I have thought of nothing else all day.
        What we had on Sunday, if there is any left.""",
    "ask day": """
        How was your day?
        How did it go today?
        Was it a good day?""",
    "answer day": """
        Long. It is good to sit down.
        Quite all right. And now I want my feet up.
        Better than I expected this morning.
        I met half the town, as always.""",
    "tell home": """
        Somebody has eaten the last apple, and it was not me.
        The tap is dripping again.
        I found your scarf. It was where you left it.
        We should have people over one of these days.
        I put fresh flowers on the table, in case nobody noticed.
        The stairs want sweeping, and I know whose turn it is.
        The neighbours were up early again.
        The clock in the kitchen is slow again.
        There was a draught all night. One of us left a window open.
        I met the postman, and he talked and talked.
        We are nearly out of soap.
        I heard an owl last night, right over the roof.
        One of the chairs is wobbling again.""",
    "told home": """
        So you have really made up your mind.
        I had a feeling. You know that I'm with you.
        If you must. Then at least wear a warm scarf.
        I knew it before you did.""",
    "reply home": """
        I'll see to it.
        It can wait until tomorrow.
        I had noticed.
        You are right, as usual.
        Remind me at the weekend.
        Yes, dear.""",
    "reply kin": """
        I'll see to it.
        It can wait until tomorrow.
        I had noticed.
        All right, all right.
        You always say that.
        Remind me at the weekend.""",
    "greet kin": """
        There you are, {other}.
        {other}, have you got a moment?
        {daypart}, {other}.
        {other}, listen.""",
    "greet back kin": """
        {daypart}, {other}.
        Hello, {other}.
        Yes, {other}?""",
    "bye kin": """
        See you later, {other}.
        Until later, {other}.
        Take care of yourself, {other}.
        Don't stay out too long, {other}.""",
    "greet home": """
        There you are, {other}.
        {other}, have you got a moment?
        Ah, {other}.
        {daypart}, {other}.""",
    "greet back home": """
        Yes, {other}?
        {daypart}, {other}.
        Here I am.
        I'm all ears.""",
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
        Do you like it here?""",
    "answer enjoying": """
        More than I thought I would.
        Very much. And I nearly stayed at home.
        Yes. One ought to do this more often.
        I do, now that you ask.""",
    "ask everybody": """
        Do you know everybody here?
        Do you know all these people?""",
    "answer everybody": """
        Only by sight, most of them.
        All but two or three.
        In this town everybody knows everybody.""",
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
        Have you eaten already?""",
    "answer meal": """
        Just now. I could do with a nap.
        Not yet, and you can hear it from here.
        Only a bite, standing up.
        A while ago, and I could start again.""",
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
