"""The table of courtesies: greetings, farewells, and what is said in between to be kind, or not."""

COURTESIES: dict[str, str] = {
    "greet": """
        {daypart}, {other}.
        Hello, {other}.
        Oh, hello, {other}.
        Hi, {other}.
        {other}, hello.
        {daypart}, {other}, I nearly walked past you.
        Ah, {other}.
        Hello there, {other}.""",
    "greet warm": """
        {other}! How good to see you.
        There you are, {other}.
        {other}! I was hoping to run into you.
        {daypart}, dear {other}.
        {other}, just the person I wanted to see.
        Hello, {other}! Have you got a minute?
        Look who is here! {daypart}, {other}.
        {other}, how lovely.""",
    "greet cool": """
        {other}.
        Ah. {other}.
        {daypart}, {other}. If it is one.
        Well, {other}.
        Oh, it is you, {other}.
        {other}. Standing around again?""",
    "greet stranger": """
        Hello, I don't think we have talked before. I'm {name}.
        {daypart}. You must be {other}; I'm {name}.
        Excuse me, you are {other}, aren't you? I'm {name}.
        Hello! We keep seeing each other and never talk. I'm {name}.""",
    "greet back": """
        {daypart}, {other}.
        Hello, {other}.
        {other}, hello.
        Hi, {other}.
        Oh, {other}, hello.
        {daypart} to you, {other}.
        {other}, good to see you.
        Well met, {other}.
        Hello there, {other}.
        Ah, {other}.""",
    "greet back warm": """
        {other}! You are a sight for sore eyes.
        Hello, {other}, how nice.
        {other}! I was just thinking of you.
        {daypart}, {other}! You look well.
        Oh, {other}, good that you are here.
        {other}, you come at the right moment.""",
    "greet back cool": """
        {other}.
        Hm, {other}.
        {daypart}, {other}, if it is one.
        Oh, it's you, {other}.""",
    "see doing": """
        I see you are {doing}.
        So you are {doing}, are you?
        You are {doing}, I see; I won't keep you long.
        I didn't mean to disturb you while you are {doing}.
        {doing_up}, are you? I won't be long.""",
    "ask how": """
        How are you?
        How have you been?
        How is life treating you?
        Everything all right with you?
        How is your day?""",
    "answer how": """
        Can't complain. A little tired, that's all.
        Very well, thank you.
        Better now that I've sat down for a moment.
        Busy, as always.
        Quite well. The days are too short.
        As well as one can be on a {weekday}.
        Fine, now that somebody asks.
        Quite all right. My feet would tell you another story.
        Very well. I slept like a log.
        I could do with a holiday. Otherwise well.""",
    "answer how cool": """
        It would be better if people stopped asking.
        I've had worse days. Not many.
        As you see.""",
    "small talk": """
        {weekday}s always go by like this.
        The light is lovely just now.
        The days are getting longer at last.
        February is nearly half over, and it still feels like January.
        One can smell the spring already, if one wants to.
        They say that it will rain by the weekend.
        The whole town seems to be on its feet today.
        Time goes faster in company.
        There is nothing like a {weekday} to make one long for Sunday.""",
    "small talk place": """
        One meets everybody at {place} sooner or later.
        I can never pass {place} without coming in.
        {place} would be missed if it were not there.
        There is no better place than {place} to meet people.""",
    "reply": """
        I know what you mean.
        I was thinking the same this morning.
        Now that you say it.
        You may well say so.
        I suppose that is how it is.
        True enough.
        I had not thought of it like that.
        You are right there.
        Yes, so it is.
        I'd say the same.
        Perhaps so.
        That's the way it goes.
        One could put it like that.""",
    "reply cool": """
        If you say so.
        I see it differently.
        That is one opinion.
        Hm.""",
    "turn": """
        By the way:
        Before I forget:
        Oh, and another thing.
        But tell me something else.
        Something else:
        While I have you here:
        And now listen:""",
    "thanks": """
        Thank you, {other}.
        That is kind of you.
        That means a lot to me.
        Good of you to say so.
        I'll remember that.""",
    "part": """
        I should get back to {doing}.
        I had better go back to {doing} now.
        But now back to {doing}.
        I was in the middle of {doing}, and it won't wait.
        I have to get on with {doing}.
        Let me get back to {doing}, or I never will.""",
    "part plain": """
        I have to be off.
        I must be going, {other}.
        I don't want to keep you.
        I had better be going, {other}.
        Well, I'll leave you to it.
        Time flies when one talks. I must be off.
        I have kept you long enough.
        Look at the time! I have to run.
        Well, I had better move on.
        There is still something I have to do. I must be off.
        I promised myself not to stay long.
        Let us go on with this another time.
        My feet are already on their way, {other}.
        I won't keep you any longer.
        Somebody is waiting for me, {other}.
        That was good, but I have to go now.""",
    "good night": """
        Good night, {other}.
        Sleep well, {other}.
        Good night, {other}, until tomorrow.""",
    "bye": """
        Good to see you, {other}.
        All the best, {other}.
        Until the next time, {other}.
        We'll meet again soon, {other}.
        {other}, take care.
        Goodbye for now, {other}.
        See you, {other}.
        Take care, {other}.
        Until soon, {other}.
        Goodbye, {other}.
        Have a good {part}, {other}.
        So long, {other}.
        Enjoy the rest of your {part}, {other}.
        I'll see you around, {other}.
        Well then, {other}, until next time.
        Mind how you go, {other}.""",
    "bye warm": """
        Come by soon, {other}!
        It was good to talk to you, {other}.
        Look after yourself, {other}.
        See you very soon, {other}!
        Have a lovely {part}, {other}!
        Don't be a stranger, {other}.""",
    "bye cool": """
        Right. Bye, {other}.
        That's that, then. Bye.
        Bye, then.
        Off you go, {other}.""",
    "bye party": """
        See you at the {what}, {other}!
        Until {day}, then, {other}!
        Then we'll see each other at the {what}, {other}.
        See you {on_day}, {other}!
        Goodbye, {other}, and don't forget the {what}.
        So long, {other}; next time with music.
        Take care, {other}, until {day}.""",
}
