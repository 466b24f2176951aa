"""The table of chatter: work, people seen about town, elections, and the town itself."""

CHATTER: dict[str, str] = {
    "ask work": """
        What are you working on?
        What keeps you busy these days?
        What are you up to at the moment?
        What are you busy with?
        How do you spend your days just now?
        What is on your desk at the moment?
        Tell me, what is new with you?""",
    "answer work": """
        I'm {topic}.
        At the moment I'm {topic}.
        I'm {topic}, and it takes longer than I thought.
        I'm {topic}, and I like it better than I expected.
        I'm {topic}, as ever.
        Most of the time I'm {topic}.
        I'm {topic}, day in, day out.
        These days I'm {topic}.""",
    "reply back": """
        And you?
        What about you?
        And what are you up to yourself?
        And what about your own days?
        But what do you do yourself?""",
    "tell work": """
        I'm {topic} these days.
        I have been {topic}, so my head is full of it.
        I'm {topic}, and I could talk about it for hours.
        I'm {topic}; if I look tired, that is why.
        For my part, I'm {topic}.
        All week I have been {topic}.
        I'm {topic}, and I wish that you could see it.
        Just now I'm {topic}, whenever there is an hour for it.""",
    "tell work warm": """
        You know me, I'm {topic}.
        I'm {topic}, as you can imagine.
        I have been {topic}, and I had to tell somebody.
        Just now I'm {topic}, and you are the first to hear of it.
        I'm {topic}; don't laugh.""",
    "tell more": """
        Besides, I'm {topic}.
        And next to that I'm {topic}.
        And whenever I need a change, I'm {topic}.""",
    "answer nothing": """
        Oh, this and that.
        Nothing that makes a story.
        The usual. It keeps coming.
        I take the days as they come.""",
    "answer told": """
        What I told you. It fills the day.
        That and nothing else, I'm afraid.
        That is all, and it is enough.""",
    "knew work": """
        Yes, you told me.
        So you said last time.
        I remember, you told me about it.""",
    "interest": """
        That sounds like a lot of work.
        I would like to see that one day.
        I could never do that.
        I like it when people care about something like that.
        There are worse ways to spend a day.
        I know nothing about it, I'm afraid.
        And I thought that my days were full.
        I had wondered what you do all day.
        It must be good to have something like that.
        I would not have the patience.
        And that every day! I take my hat off.
        It sounds better than what I have before me.""",
    "interest warm": """
        That is just like you.
        You will have to show me.
        Then I understand why one sees so little of you.
        I wish I had your patience.
        I knew you would find something like that.
        I want to be the first to see it.
        You always did like a challenge.""",
    "interest cool": """
        If you like that sort of thing.
        Somebody has to, I suppose.
        And who pays for that?
        I'd have given up long ago.""",
    "ask hard": """
        What is the hardest part?
        Which part of it gives you most trouble?
        And what is difficult about it?""",
    "answer hard": """
        The beginning. It always is.
        Knowing when to stop.
        The part nobody sees.
        Sitting down to it. After that it goes by itself.
        The middle. Beginnings and ends are easy.
        Finding the time, to be honest.
        Explaining it to others, as you can hear.""",
    "ask finished": """
        When will it be finished?
        Is there an end in sight?""",
    "answer finished": """
        When it is done, I suppose. Not before.
        Ask me again next week.
        Soon. I have been saying so for a month.
        I stopped counting the days.""",
    "ask far": """
        Are you getting anywhere with it?
        How far have you got?""",
    "answer far": """
        Slowly, but it moves.
        Two steps forward, one back.
        Further than last week. That is all I can say.
        Halfway, if there is a half.""",
    "ask began": """
        What made you begin?
        How did you get into that?
        How did it begin?""",
    "answer began": """
        I wish I knew. It began as a small idea.
        By accident, like most good things.
        Somebody asked me a question, and I could not leave it alone.
        I was bored one afternoon. That was years ago.
        One looks once too closely, and it has happened.""",
    "ask enjoy": """
        Do you enjoy it?
        And does it make you happy?
        Is it still fun?""",
    "answer enjoy": """
        On good days, yes. On the others I drink more coffee.
        Very much. Don't tell anybody, or they will stop paying me.
        Most of the time, yes.
        I would not know what to do without it.
        In the mornings, yes. By the evening it depends.""",
    "ask progress": """
        Are you still {topic}?
        How is it going? You were {topic}, weren't you?
        Last time you were {topic}. Did it get anywhere?
        And are you still {topic}?""",
    "answer progress": """
        Still at it. It goes better than yesterday.
        It grows. So do the doubts.
        Good that you remember! Yes, and I see the end of it.
        Don't ask. No, do ask: it is going well.
        I changed my mind about half of it.
        Yes, and it is nearly what I wanted.""",
    "saw you": """
        I saw you {when}, {doing}.
        Wasn't that you {when}, {doing}?
        You looked very busy {when}, {doing}.
        {when_up} I saw you {doing} and didn't want to interrupt.""",
    "saw other": """
        I saw {who} {when}, {doing}.
        I came across {who} {when}, {doing}.
        {when_up} {who} was {doing}. I only waved.
        {when_up} I saw {who} {doing}.""",
    "answer saw you": """
        Yes, that was me. I had my head elsewhere.
        Guilty! You should have waved.
        That was me. Next time say hello.
        You have sharp eyes.""",
    "answer saw other": """
        That sounds like {who}.
        {who} is always at something.
        Give {who} my regards, if you meet again.
        I ought to look in on {who}.""",
    "ask election": """
        Have you any idea who will stand for mayor?
        Who do you think will run for mayor?
        What do people say about the race for mayor?
        Do you know yet who is a candidate for mayor?""",
    "answer election": """
        No idea. Nobody tells me anything.
        I have heard no names so far.
        If I knew, I would tell you.
        They keep it very quiet. I don't know.
        I don't know yet. I keep asking, as you do.""",
    "ask town": """
        Tell me, what does this town need most?
        If you could change one thing in town, what would it be?
        What should a mayor see to first?""",
    "answer town": """
        Lower rents. People have to move, and nobody asks where they go.
        More light on the paths in the evening.
        A place that stays open late for the young ones.
        Less noise at night.
        More benches. One thinks better sitting.
        A proper stage. And an audience for it.
        Somebody who answers letters.
        Lower prices at the market, if you ask me.
        Nothing much. It is a good town.""",
}
