"""The table of what people do for its own sake."""

from ville.llm.offline.tables.activity import Activity

LEISURE = (
    Activity(
        r"tak\w+ (?:photographs|pictures)|photographs in",
        opening="checking the light for a photograph",
        body="waiting in the park for a cloud to pass | taking a photograph of a flower in the park | taking a"
        " photograph of"
        " the path in the park | kneeling down in the park for a better angle",
        closing="looking through the pictures taken in the park",
    ),
    Activity(
        r"petals|patterns in the park",
        opening="choosing a flower in the park",
        body="counting petals in the park | noting a number in the park | drawing the spiral of a pine cone in the park"
        " | comparing two flowers in the park",
        closing="doing a sum on a napkin in the park",
    ),
    Activity(
        r"about the election|campaign(?:ing)? in",
        opening="setting out to meet people in the park",
        body="asking a passer-by what the town needs | listening to a complaint about the pavement | shaking hands"
        " | noting down a wish for the town | resting on a bench in the park",
        closing="going over the wishes of the day",
    ),
    Activity(
        r"jokes on",
        opening="ordering a coffee and looking for an audience",
        body="telling a joke at the next table | noting which joke got a laugh | imitating a grumpy waiter |"
        " starting a story"
        " from the wrong end",
        closing="bowing to an empty chair",
    ),
    Activity(
        r"\brunning in|\bfor a run|jog|training run",
        opening="tying the running shoes",
        body="running a lap of the park | sprinting to the next tree in the park | jogging slowly to get the breath"
        " back"
        " | timing a lap of the park",
        closing="stretching on the grass of the park | writing down the time of the run",
    ),
    Activity(
        r"weights|work(?:ing)? out|gym|exercis|push-ups",
        opening="warming up the shoulders",
        body="lifting weights | doing push-ups | resting between two sets of weights | adding a plate to the weights",
        closing="stretching after the weights | writing the sets down",
    ),
    Activity(
        r"walk|stroll|fresh air",
        opening="setting out on a walk",
        body="walking along the path in the park | looking at the flowers in the park | resting on a bench in the park"
        " | listening to the birds in the park | greeting the ducks in the park | walking another round in the park",
        closing="walking back slowly",
    ),
    Activity(
        r"coffee|cup of tea",
        opening="ordering a coffee",
        body="drinking coffee at a table | reading the paper over coffee | chatting over a second cup | watching the"
        " street"
        " from a table | nibbling a biscuit",
        closing="finishing the cup",
    ),
    Activity(
        r"\bdrink\b|\bbeer\b|pub$|(?:evening|night|hour) (?:at|in) the (?:bar|pub)",
        opening="ordering a drink",
        body="sipping a beer | sharing a table with the regulars | listening to the talk at the bar | nursing a"
        " glass of"
        " cider | joining in a song",
        closing="emptying the glass | settling the bill at the bar",
    ),
    Activity(
        r"guitar",
        opening="tuning the guitar",
        body="practising chords on the guitar | playing an old song on the guitar | working out a riff on the guitar"
        " | humming along to the guitar",
        closing="putting the guitar away",
    ),
    Activity(
        r"piano",
        opening="playing a scale on the piano",
        body="trying a tune on the piano | practising the left hand on the piano | playing a waltz on the piano",
        closing="closing the lid of the piano",
    ),
    Activity(
        r"harp",
        opening="tuning the harp",
        body="playing a slow air on the harp | practising a run on the harp | finding an old melody on the harp again",
        closing="covering the harp",
    ),
    Activity(
        r"drum|beats",
        opening="setting up a new beat",
        body="layering a bass line under the beat | cutting a sample for the beat | nodding along to the beat",
        closing="saving the beat",
    ),
    Activity(
        r"stream",
        opening="setting up the stream",
        body="playing a level for the stream | reading out the chat of the stream | answering a question on the stream"
        " | explaining a trick on the stream | losing to the boss and trying again on the stream",
        closing="thanking the viewers of the stream",
    ),
    Activity(
        r"\bgam(?:e|es|ing)\b|console",
        opening="turning on the game",
        body="playing the next level of the game | trying a new strategy in the game | losing a round of the game"
        " | winning a round of the game | pausing the game for a snack",
        closing="saving the game",
    ),
    Activity(
        r"\bpool\b|billiards",
        opening="setting up the balls on the pool table",
        body="breaking at the pool table | lining up a shot at the pool table | chalking the cue | practising a bank"
        " shot"
        " at the pool table",
        closing="putting the cue back",
    ),
    Activity(
        r"sketch|drawing for fun",
        opening="sharpening the pencils",
        body="sketching a passer-by | sketching the light on the wall | trying a new line in the sketchbook",
        closing="signing the sketch",
    ),
    Activity(
        r"letter|diary|journal",
        opening="finding a pen that writes",
        body="writing a page of the letter | crossing out a sentence | thinking of what to write next",
        closing="reading the page over",
    ),
    Activity(
        r"listening to (?:music|records)|music",
        opening="choosing a record",
        body="listening to a record | listening to a side again | humming along to the record | reading the sleeve of"
        " the record",
        closing="putting the record back",
    ),
    Activity(
        r"news|politics|newspaper",
        opening="unfolding the newspaper",
        body="reading the news of the town | reading the letters to the editor | shaking the head over the newspaper",
        closing="folding the newspaper up",
    ),
    Activity(
        r"\bread(?:ing|s)?\b|novel for|book of",
        opening="choosing a book from the shelf",
        body="reading a chapter | turning back a page of the book | reading a good passage twice | looking up from the"
        " book to think",
        closing="marking the page in the book",
    ),
    Activity(
        r"\bnap|\brest(?:ing)?\b|relax|quiet (?:hour|evening|day)|spending time at home|day at home|evening at home",
        opening="making a cup of tea",
        body="resting with closed eyes | leafing through a magazine | listening to the radio | looking out of the"
        " window"
        " | watering the plants on the sill",
        closing="stretching and getting up",
    ),
    Activity(
        r"bench|sitting in|sit in|sun\b",
        opening="finding a place in the sun",
        body="watching the clouds | listening to the birds | chatting with whoever comes along | resting in the sun",
        closing="getting up with a sigh",
    ),
    Activity(
        r"friend|neighbour|visit|company|meet",
        opening="asking how things are",
        body="talking about the day | exchanging the latest news | laughing about an old story | listening to the"
        " others",
        closing="saying goodbye for now",
    ),
)
