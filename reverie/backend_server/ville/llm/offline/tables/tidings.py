"""The table of tidings: how news and invitations are told, and how people take them."""

TIDINGS: dict[str, str] = {
    "invite": """
        {news} Will you come?
        {news} You will come, won't you?
        {news} It would not be the same without you. Will you come?
        {news} Can you come?
        I wanted to ask you before everybody else does something else: {news_low} Will you come?
        I have something to ask you. {news} Would you like to come?
        {news} Everybody is welcome. Will you come?
        You are hereby invited! {news} Will you come?""",
    "pass on": """
        Have you heard? {news} Are you going?
        {told} {news_low} Will you be there?
        {told} {news_low} Are you going?
        Do you know about this already? {news} Will you go?
        Mark the date: {news_low} Are you going?
        There is something on: {news_low} Are you coming along?
        {told} {news_low} I thought of you at once. Will you be there?""",
    "announce": """
        {news} May I count on your support?
        You may as well hear it from me: {news_low} What do you say?
        It is decided. {news} What do you say to that?
        {news} I would like to know what you think of it. What do you say?
        I have news of my own. {news} Can I count on you?
        Let me tell you before the whole town does: {news_low} What do you think?""",
    "announce on": """
        {told} {news_low} What do you think of that?
        Did you know? {news} What do you say?
        Have you heard the latest? {news} What do you make of it?
        {told} {news_low} Did you know that?
        Here is something for you: {news_low} What do you think?
        The talk of the town: {news_low} What do you make of that?""",
    "about yourself": """
        {told} {news_low} Is that true?
        I hear things about you! {news} Is it true?
        {told} {news_low} Is there something in it?
        So it is you everybody talks about: {news_low} Is that true?""",
    "told by": """
        {teller} told me:
        {teller} tells me this:
        I heard it from {teller}:
        I have it from {teller}:
        {teller} says that
        According to {teller},""",
    "told in person": """
        Straight from the source:
        I have it at first hand:
        I was told so in person:
        It is official:""",
    "told": """
        People say
        I have heard that
        Word has it that
        They tell me that
        I can't say who told me, but""",
    "that is me": """
        That I am in it, for one thing.
        They talk about me, I hope. I do stand, as you know.
        One of them stands before you.""",
    "so ask me": """
        You are looking at one.
        As it happens, you are asking the right person.
        Funny that you ask.
        Yes, in fact.""",
    "accept": """
        Gladly. I'll be there.
        I would like that. I'll come.
        Yes, why not? I'll be there.
        That sounds good. I'll come.
        Count me in.
        I'll come, if only for an hour.
        I had nothing planned then. I'll come.
        Good idea. I'll be there, {other}.""",
    "accept warm": """
        Oh, {other}, I would love to! I'll be there.
        Of course I'll come!
        How could I say no? I'll be there.
        I wouldn't miss it. Count me in!
        That makes my day. I'll come!
        Yes! I'll be the first at the door.
        With pleasure, {other}. I'll be there.""",
    "accept cool": """
        If there is something to eat, I'll come.
        Fine. I'll be there.
        I suppose I'll come.
        All right, all right. I'll come.""",
    "they come": """
        Good. Then I'll know somebody there.
        Then we'll see each other there.
        That is good to hear.""",
    "they come to me": """
        That makes me happy.
        How nice. I'll keep a chair for you.
        Good, then it will not be empty.
        Wonderful.""",
    "pity": """
        What a pity.
        Well, another time.
        I'm sorry to hear it. I'll tell you how it was.
        If you change your mind, just come.""",
    "decline shift": """
        I have to {what} then, so I can't come.
        At that hour I {what}. I'm afraid I can't come.
        I would, but who would {what}? I can't make it.""",
    "decline": """
        What a pity, I can't make it.
        I'm afraid I can't come; I have to be somewhere else then.
        I would have liked to, but I can't come.
        Thank you, {other}, but I won't be able to come.
        That is not a good hour for me. I can't make it.
        Ask me again next time; I can't come.""",
    "decline cool": """
        Not my sort of thing. I won't come.
        Parties! No, I won't come.
        I have better things to do. I won't come.""",
    "knew": """
        Yes, I know about it; {teller_low} told me.
        I have heard, from {teller_low}.
        {teller} got to me before you did.
        I know already, {teller_low} told me.
        So {teller_low} said.""",
    "knew plain": """
        Yes, I know about it.
        I have heard of it.
        That is no news to me any more.
        So I have heard.
        I know, I know.""",
    "ask bring": """
        Shall I bring something?
        What can I bring?
        May I bring a cake?""",
    "ask friend": """
        May I bring a friend?
        Can I tell others about it?
        Is it for everybody?""",
    "ask help": """
        Is there anything I can help with?
        Can I help with the preparations?
        Do you need a hand before it begins?""",
    "ask music": """
        Will there be music?
        Is there going to be dancing?
        Who makes the music?""",
    "answer friend": """
        Of course. The more, the merrier.
        Bring whom you like, and tell everybody.
        Everybody is welcome, friends of friends as well.
        Tell the whole town, if you like.""",
    "answer help": """
        You could hold the ladder while I hang things up.
        That is dear of you. Come half an hour early, and I'll find you something.
        Just be there; that helps most.
        Thank you, I'll call for you when the candles won't stand straight.""",
    "answer music": """
        If somebody sits down and plays, yes.
        There has to be, hasn't there?
        Music, and somebody to dance with, I hope.
        I'm counting on you for that.""",
    "answer bring": """
        Only yourself and good spirits.
        An appetite, that is all.
        Whatever you like. There will be plenty.
        Nothing at all; just be there.
        Something sweet would be nice. Or a song. Or neither.
        Come as you are.""",
    "ask together": """
        Shall we go together?
        Shall I pick you up on the way?
        Will you save me a seat?
        Shall we walk over together?""",
    "answer together": """
        Yes, let's.
        Good, then I don't have to walk in alone.
        Gladly. We'll meet on the way.
        Let's see who is first.
        I'd like that.""",
    "glad": """
        That is good news.
        I'm glad to hear it.
        Well, that suits {who}.
        Good for {who}.
        I always thought that {who} would do something like that.
        Then there is somebody I know, at least. Good for {who}.""",
    "glad you": """
        You have my support, {other}.
        I'm glad it is you. You can count on me.
        About time somebody sensible did it. You have my vote.
        I think that is splendid, {other}.
        If anybody can do it, you can. I'm with you.""",
    "first heard": """
        Now that is the first I hear of it.
        Is that so? Nobody told me.
        Oh, is there?
        I had no idea.
        Fancy that.""",
    "knew family": """
        You tell me! We talk of nothing else at home.
        I should hope that I know it. We have breakfast together.
        I knew before {who} did.""",
    "curious": """
        Now that is interesting.
        Is that so? I had no idea.
        Really? I want to hear more about that.
        I didn't see that coming.
        Well, well. I'll have to think about that.
        That is the first I hear of it.
        Fancy that.""",
    "curious you": """
        You? Tell me more, {other}, and I'll make up my mind.
        Well, {other}, you have my ear. My vote has to wait.
        Is that so, {other}? Then I'll keep my eyes open.
        Really? I didn't know you had that in mind, {other}.
        That takes courage, {other}. I'll think about it.
        I'll listen to what you have to say, and then decide.
        I didn't see that coming, {other}. I'm curious.
        Let me hear more before I say yes.""",
    "sceptical": """
        {who}? I can't see that going well.
        Of all people, {who}.
        {who}! I wouldn't trust that face with a parking meter.
        I'll believe it when I see it.
        {who} again. I'd rather vote for the ducks.
        Somebody should tell {who} to think again.""",
    "sceptical you": """
        You? I'll be honest, you won't get my vote.
        I don't think you are the right one, and I say it to your face.
        Don't count on me, {other}.
        You'll have to give me better reasons than that.""",
    "indifferent": """
        I try to keep out of politics.
        Politics! Let's talk about something nicer.
        I leave that to others.
        I wish you wouldn't start with politics.""",
    "ask first deed": """
        What will you do first, if it works out?
        And what will change, if you win?
        What would you begin with?""",
    "answer first deed": """
        The lamps by the park. One should see where one steps.
        Walk down every street once, and knock at every door.
        Listen. Most people only want to be heard.
        One thing after the other. First I want to hear what people need.
        Small things first. The big ones follow.
        I would open the door of the office and leave it open.
        Ask me what the town needs, and I ask you back.""",
    "ask reason": """
        How did you come to that?
        What made you decide?
        And why now?""",
    "answer reason": """
        I thought about it on long walks, and in the end there was no way round it.
        Because I caught myself complaining, and complaining is cheap.
        I waited for somebody better, and nobody came.
        I am old enough to know what I don't know. That helps.""",
    "ask family": """
        What does your family say to it?
        And at home, are they in favour?
        Do they know at home?""",
    "answer family": """
        At home they shook their heads, and then they laughed.
        They think that I ought to rest. I think so too, later.
        I was told to wear a warm scarf and go ahead.
        They say that I talk about it in my sleep.""",
    "ask afraid": """
        Aren't you afraid of the work?
        Won't it be too much?
        Doesn't it frighten you a little?""",
    "answer afraid": """
        A little afraid, yes. That is how I know it matters.
        I have been through worse weather.
        Ask me again at three in the morning. By day I am sure.
        Work keeps one young, they say.""",
    "yes true": """
        Yes, it is true.
        Word gets around! Yes.
        It is, and I'm still getting used to saying it.
        So the whole town knows. Yes, it's true.""",
}
