"""The table of subjects: what people say and ask when somebody tells them what he or she is at, by what it is."""

PATTERNS = (
    ("counter", r"mixing drinks"),
    ("figures", r"math|formula|equation|physics|theorem|proof\b|\btax\b|ledger|books of|accounts"),
    ("chemistry", r"chemi|titration|laborator"),
    (
        "pictures",
        r"paint|picture|watercolou?r|photograph|sketch|drawing (?!up)|comic|animat|short film|digital art|easel",
    ),
    ("music", r"music|compos|guitar|harp|piano|\bbeats?\b|fugue|song"),
    ("stage", r"web series|improvis|film|script|theatre|podcast|actor|joke"),
    ("book", r"novel|book|poem|story|stories|series for children|writing classes|workshops|chapter|literature|plays"),
    ("paper", r"paper|thesis|essay|study|degree|exam|class|course|sociology|philosoph|lecture|learn"),
    ("machine", r"\bapp\b|software|technolog|online|computer|stream|game|code"),
    ("garden", r"flower|garden|park\b|plants"),
    ("counter", r"store|market|grocery|pharmac|counter|cafe|pub\b|bar\b|drinks"),
    ("household", r"house|pantry|cook|bak|launder"),
)
"""Subject → what somebody's work or pastime sounds like that belongs to it; the first row that is found counts."""

SUBJECTS: dict[str, str] = {
    "interest book": """
        I hope I'm not in it.
        I read a page every night and fall asleep over the second.
        Then you spend your days with people who do as you say.
        My aunt wrote one, and it is still in the drawer.
        I would read it. Slowly, but to the end.
        So that is why there is ink on your hand.""",
    "ask about book": """
        Does it end well?
        Who gets to read it first?
        Is there anybody in it whom I know?
        Do you know the last sentence already?""",
    "answer about book": """
        I know how it ends, but I don't know yet how they get there.
        It ended well until yesterday. Now I'm not so sure.
        If anybody is in it, I changed the hair.
        I read it to the wall first. The wall is patient.
        The last sentence is the only one I'm sure of.""",
    "interest paper": """
        I was never good at sitting still for that long.
        Then I'll believe whatever you tell me about it.
        When I was at school I mostly looked out of the window.
        Somebody should read those things aloud to the rest of us.
        You will be the first of us whom people quote.
        I like to see a light in the library when I go home.""",
    "ask about paper": """
        What will you do when you are through with it?
        Could you explain it to me in one sentence?
        And what comes out of it in the end?
        Is anybody helping you with it?""",
    "answer about paper": """
        In one sentence? Things are not as simple as they look.
        First I want to sleep for a week. After that we'll see.
        I thought that I knew. Then I read one book more.
        My friends ask me questions, and that helps more than answers.
        If I could say it in a sentence, I'd be finished.""",
    "interest pictures": """
        I can't draw a straight line, not even with a ruler.
        I would hang one over my table at once.
        I have walked past that sort of thing all my life without looking.
        You must see more on your way here than I do in a week.
        A picture says what I would need an hour for.""",
    "ask about pictures": """
        How do you know when one is finished?
        Where can one see them?
        Which one do you like best?
        Do you begin with the colours or with the lines?""",
    "answer about pictures": """
        The next one. It is always the next one.
        When I would only spoil it by going on.
        For now they stand with their faces to the wall.
        I begin with whatever frightens me least.
        Come by, and I'll show you. Bring time.""",
    "interest music": """
        I hear it through the window sometimes and stop.
        I only know two songs, and one of them is a birthday song.
        My foot is tapping already.
        I used to sing. Then people asked me to stop.
        A town without music is only houses.""",
    "ask about music": """
        Can you hum me a bit of it?
        When do we get to hear it?
        Is it something one can dance to?
        Do the neighbours like it?""",
    "answer about music": """
        It goes up where one expects it to go down.
        When the second half stops fighting with the first.
        Only if one has three feet.
        The neighbours have been very polite so far.
        I'll play it to you one evening, if you promise not to clap.""",
    "interest stage": """
        I would forget every word the moment somebody looked at me.
        I laughed at breakfast today, and it was at myself.
        We could do with something to laugh about.
        I always wanted to see how that is made.
        You have the face for it. I mean that kindly.""",
    "ask about stage": """
        Is there a part for somebody like me?
        Where do you get your ideas from?
        Are you never afraid that nobody listens?
        Can one see some of it already?""",
    "answer about stage": """
        There is. You would have to fall down the stairs, though.
        From the kitchen, mostly. People are at their best there.
        Every single time. Then I begin, and it is gone.
        Some of it. The rest is still in my head, and funnier there.""",
    "interest machine": """
        My telephone is older than some of the students.
        I press a key and hope, that is all I know about it.
        They tell me that this is how everything will be done.
        I still write my lists on paper.
        If it ever makes the dishes, let me know.""",
    "ask about machine": """
        Does it work already?
        What will it be able to do?
        Would somebody like me understand it?
        How long do you sit at it in one go?""",
    "answer about machine": """
        It works on my table. Elsewhere it has its moods.
        It worked yesterday, and I have not touched it since. Or hardly.
        Until somebody brings me something to eat.
        You would understand it. That is the whole idea.""",
    "interest figures": """
        I count on my fingers, and not always to the same end.
        Numbers and I have agreed to leave each other alone.
        There must be peace in that. It is right, or it is wrong.
        I like it that somebody checks such things.
        I would have to sit down for that.""",
    "ask about figures": """
        And does it all add up?
        Do you see numbers everywhere you look?
        What does one need that for?
        What happens when there is a mistake in it?""",
    "answer about figures": """
        It adds up three times out of four. The fourth time is the interesting one.
        In the tiles, in the napkins, in the way people sit.
        One needs it for nothing, and then one day for everything.
        Then I begin again from the top, with more coffee.""",
    "interest chemistry": """
        As long as nothing goes off next door.
        I only ever learned that one does not drink it.
        I look at my soup with other eyes now.
        So that is what the stains are from.""",
    "ask about chemistry": """
        Has anything ever caught fire?
        What colour does it turn?
        Is it as dangerous as it sounds?""",
    "answer about chemistry": """
        Only a sleeve, and it was an old one.
        Blue, if all goes well. It was brown last time.
        Not if one reads what stands on the bottle.""",
    "interest garden": """
        Whatever I plant looks up at me and gives in.
        I thought of you when I came past the roses.
        It does one good to see something grow.
        So it is you whom we have to thank for the colours.""",
    "ask about garden": """
        What comes out first this year?
        Do you talk to them?
        Is it not too early for that?""",
    "answer about garden": """
        The snowdrops, and they are never late.
        I do, and they never interrupt.
        It is too early every year, and then suddenly it is too late.""",
    "interest counter": """
        I could not be that friendly all day long.
        You must know everybody's secrets by now.
        I would give people the wrong change.
        Half the town would be lost without it.""",
    "ask about counter": """
        Who is your most difficult customer?
        Has it been a good week?
        What do people ask for most?""",
    "answer about counter": """
        Whoever comes in a minute before closing.
        It has been a full week, at least. That is nearly the same.
        People ask for a chat, mostly. The rest is wrapping paper.
        I have seen worse weeks, and they passed as well.""",
    "interest household": """
        That is work nobody sees until it is not done.
        Mine looks as if somebody had moved out in a hurry.
        You could come and do mine next.""",
    "ask about household": """
        Do you ever sit down?
        Which part of it do you like best?
        Does anybody help you with that?""",
    "answer about household": """
        I sit down when the kettle is on. It boils too fast.
        The moment before they all come in again.
        They lift their feet when I sweep. That is their help.""",
    "reply self": """
        I can picture that.
        That is just like you.
        I would never have guessed.
        I believe it at once.
        You should write that down some day.
        I wish that I could say the same of myself.
        So that is your secret.
        One learns something new about people every day.
        You don't say.""",
    "reply self cool": """
        Is that so.
        I had not asked, but thank you.
        Everybody as he likes.""",
    "tell own day": """
        {when_up} I was {doing}, and now I need a change.
        {when_up} I was {doing}; that is enough for one day.
        I was {doing} {when}, and it went better than I thought.
        I was {doing} {when}. It had to be done.
        {when_up} I was {doing} and did not notice how the time went.""",
    "look back": """
        I still have the music of the {what} in my ears.
        I think that people will talk about the {what} for a week.
        After the {what} my feet hurt, and I don't mind at all.
        Whoever was not at the {what} has missed something.
        I keep thinking of the {what}. One ought to do such things more often.""",
    "look back host": """
        I can hardly believe that the {what} is over already.
        In my head I'm still washing the glasses from the {what}.
        So many people came to the {what}. I'm tired and happy.
        I keep thinking of the {what}. It went better than I had dared to hope.""",
    "look back guest": """
        Thank you for the {what}. I had a lovely time.
        That was a lovely {what}, and I'm glad I came.
        Everybody speaks well of your {what}.""",
    "reply look back": """
        So everybody says.
        I'm glad that it went so well.
        It did the whole town good.
        One needs such an evening now and then.""",
}
