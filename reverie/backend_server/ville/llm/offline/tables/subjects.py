"""The table of subjects: what people say and ask when somebody tells them what he or she is at, by what it is."""

PATTERNS = (
    ("counter", r"mixing drinks"),
    ("stage", r"web series|improvis|script|theatre|podcast|actor|joke|plays aloud"),
    ("paper", r"^studying \w+|class(?:es)? (?:in|on) (?!improv)|thesis|degree|^following a course|paper on"),
    ("figures", r"math|formula|equation|physics|theorem|proof\b|\btax\b|ledger|books of a|accounts"),
    ("chemistry", r"chemi|titration|laborator"),
    ("pictures", r"paint|picture|watercolou?r|photograph|sketch|drawing (?!up)|comic|animat|short film|digital art"),
    ("music", r"music|compos|guitar|harp|piano|\bbeats?\b|fugue|song"),
    ("book", r"novel|book|poem|story|stories|series for children|writing classes|workshops|chapter"),
    ("paper", r"paper|essay|study|exam|class|course|sociology|philosoph|lecture|learn"),
    ("game", r"stream|\bgam(?:e|es|ing)\b"),
    ("machine", r"\bapp\b|software|technolog|online|computer|code"),
    ("garden", r"flower|garden|park\b|plants"),
    ("party", r"decorations|guests"),
    ("counter", r"store|market|grocery|pharmac|counter|cafe|pub\b|bar\b|drinks"),
    ("household", r"house|pantry|cook|bak|launder"),
)
"""Subject → what somebody's work or pastime sounds like that belongs to it; the first row that is found counts."""

QUESTIONS: dict[str, str] = {
    "book": """
        Does it end well?
        = It ended well until yesterday. Now I'm not so sure.
        = It ends. For some that is well enough.
        Who gets to read it first?
        = The wall. I read it aloud, and the wall is patient.
        = Somebody honest. I'm still looking.
        Is there anybody in it whom I know?
        = If there is, I have changed the hair.
        = You would have to read it to find out.
        Do you know the last sentence already?
        = It is the only one I'm sure of.
        = I know it, and it changes every week.""",
    "paper": """
        What will you do when you are through with it?
        = Rest for a week. After that we'll see.
        = Begin with the next one.
        Could you explain it to me in one sentence?
        = Things are not as simple as they look.
        = If I could, I'd be finished.
        And what comes out of it in the end?
        = More questions, so far.
        = I thought that I knew. Then I read one book more.
        Is anybody helping you with it?
        = My friends ask me questions, and that helps more than answers.
        = Coffee, mostly.""",
    "pictures": """
        How do you know when one is finished?
        = When I would only spoil it by going on.
        = When somebody takes it away from me.
        Where can one see them?
        = For now they stand with their faces to the wall.
        = Come by, and I'll show you. Bring time.
        Which one do you like best?
        = The next one. It is always the next one.
        = The one that nobody else likes.
        Do you begin with the colours or with the lines?
        = With whatever frightens me least.
        = With the light.""",
    "music": """
        Can you hum me a bit of it?
        = It goes up where one expects it to go down. Hum that.
        = Not before noon.
        When do we get to hear it?
        = When the second half stops fighting with the first.
        = One evening, if you promise not to clap.
        Is it something one can dance to?
        = Only if one has three feet.
        = Slowly, and holding on to somebody.
        Do the neighbours like it?
        = They have been very polite so far.
        = One of them hums along by now.""",
    "stage": """
        Is there a part for somebody like me?
        = There is. You would have to fall down the stairs, though.
        = There is always a waiter.
        Where do you get your ideas from?
        = From the kitchen, mostly. People are at their best there.
        = I listen on the bus.
        Are you never afraid that nobody listens?
        = Every single time. Then I begin, and it is gone.
        = Then I talk louder.
        Can one hear some of it already?
        = Some of it. The rest is still in my head, and better there.
        = Soon. It needs an audience.""",
    "game": """
        Do you ever win?
        = Often enough. They like it better when I lose.
        = Yesterday, once. I have witnesses.
        Who are all those people who watch?
        = Students, nurses on night shift, somebody's grandmother.
        = I know them by their jokes. The names are made up.
        Does your voice never give out?
        = Around midnight. Then I drink tea, and they wait.
        = It does. Then I point.""",
    "machine": """
        Does it work already?
        = It works on my table. Elsewhere it has its moods.
        = Since yesterday, and I have hardly touched it since.
        What is it good for?
        = It saves people time, and it takes all of mine.
        = Ask me when it is done.
        Would somebody like me understand it?
        = You would. That is the whole idea.
        = You would be the first to whom I'd show it.
        How long do you sit at it in one go?
        = Until somebody brings me something to eat.
        = I look up, and it is dark.""",
    "figures": """
        And does it all add up?
        = Three times out of four. The fourth time is the interesting one.
        = It will, or I'll know why.
        Do you see numbers everywhere you look?
        = In the tiles, in the napkins, in the way people sit.
        = Only where they are.
        What does one need that for?
        = For nothing, and then one day for everything.
        = For peaceful nights, in my case.
        What happens when there is a mistake in it?
        = I begin again from the top, with more coffee.
        = Then I find it. I always do.""",
    "chemistry": """
        Has anything ever caught fire?
        = Only a sleeve, and it was an old one.
        = Not on my side of the table.
        What colour does it turn?
        = Blue, if all goes well. It was brown last time.
        = The one that one doesn't expect.
        Is it as dangerous as it sounds?
        = Not if one reads what stands on the bottle.
        = Crossing the road is worse.""",
    "garden": """
        What comes out first this year?
        = The snowdrops, and they are never late.
        = The weeds, as every year.
        Do you talk to them?
        = I do, and they never interrupt.
        = Only when nobody is near.
        Is it not too early for that?
        = It is too early every year, and then suddenly it is too late.
        = The ground says no, the sun says yes.""",
    "party": """
        What is still missing?
        = Candles, ribbons, and two more hands.
        = Not much. A little courage.
        Is it much work?
        = More than I thought, and I like every bit of it.
        = It is, and then it is over in two hours.
        Do you need a ladder?
        = I have one. What I need is somebody to hold it.
        = I need somebody tall.""",
    "counter": """
        Who is your most difficult customer?
        = Whoever comes in a minute before closing.
        = I never say, and I never forget.
        Has it been a good week?
        = A full one, at least. That is nearly the same.
        = I have seen worse, and they passed as well.
        What do people ask for most?
        = A chat, mostly. The rest is wrapping paper.
        = What we have just run out of.""",
    "household": """
        Do you ever sit down?
        = When the kettle is on. It boils too fast.
        = On Sundays, for an hour.
        Which part of it do you like best?
        = The moment before they all come in again.
        = When it smells of bread.
        Does anybody help you with that?
        = They lift their feet when I sweep.
        = I'd rather do it myself. Then it is done.""",
}
"""Subject → what is asked about it; below each question its answers, with a mark before them."""

SUBJECTS: dict[str, str] = {
    "interest party": """
        I would be no help, but I would stand about willingly.
        Then I know what smells of glue here.
        You think of everything.
        It will be lovely, I'm sure of it.""",
    "interest book": """
        I hope I'm not in it.
        I read a page every night and fall asleep over the second.
        Then you spend your days with people who do as you say.
        My aunt wrote one, and it is still in the drawer.
        I would read it. Slowly, but to the end.
        So that is why there is ink on your hand.""",
    "interest paper": """
        I was never good at sitting still for that long.
        Then I'll believe whatever you tell me about it.
        When I was at school I mostly looked out of the window.
        Somebody should read those things aloud to the rest of us.
        You will be the first of us whom people quote.
        I like to see a light in the library when I go home.""",
    "interest pictures": """
        I can't draw a straight line, not even with a ruler.
        I would hang one over my table at once.
        I have walked past that sort of thing all my life without looking.
        You must see more on your way here than I do in a week.
        A picture says what I would need an hour for.""",
    "interest music": """
        I hear it through the window sometimes and stop.
        I only know two songs, and one of them is a birthday song.
        My foot is tapping already.
        I used to sing. Then people asked me to stop.
        A town without music is only houses.""",
    "interest stage": """
        I would forget every word the moment somebody looked at me.
        I laughed at breakfast today, and it was at myself.
        We could do with something to laugh about.
        I always wanted to see how that is made.
        You have the face for it. I mean that kindly.""",
    "interest game": """
        I would lose in the first minute.
        I can't get two people to listen to me, and they are my friends.
        My nephew does that. He says it is work, and I say nothing.
        So that is the light in your window at night.""",
    "interest machine": """
        My telephone is older than some of the students.
        I press a key and hope, that is all I know about it.
        They tell me that this is how everything will be done.
        I still write my lists on paper.
        If it ever makes the dishes, let me know.""",
    "interest figures": """
        I count on my fingers, and not always to the same end.
        Numbers and I have agreed to leave each other alone.
        There must be peace in that. It is right, or it is wrong.
        I like it that somebody checks such things.
        I would have to sit down for that.""",
    "interest chemistry": """
        As long as nothing goes off next door.
        I only ever learned that one does not drink it.
        I look at my soup with other eyes now.
        So that is what the stains are from.""",
    "interest garden": """
        Whatever I plant looks up at me and gives in.
        I thought of you when I came past the roses.
        It does one good to see something grow.
        So it is you whom we have to thank for the colours.""",
    "interest counter": """
        I could not be that friendly all day long.
        You must know everybody's secrets by now.
        I would give people the wrong change.
        Half the town would be lost without it.""",
    "interest household": """
        That is work nobody sees until it is not done.
        Mine looks as if somebody had moved out in a hurry.
        You could come and do mine next.""",
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
