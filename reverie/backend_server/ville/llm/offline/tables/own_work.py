"""The table of people's own work whose words remind of something else: a children's story is no evening with children,
and who studies the mixing of drinks is not having one. Its rows are looked at before all others.
"""

from ville.llm.offline.tables.activity import Activity

OWN_WORK = (
    Activity(
        r"mixing drinks|cocktail|art of mixing",
        opening="opening the thick book of drinks",
        body="studying a recipe for a drink | mixing a drink to try it | noting how the drink tastes | learning a"
        " recipe for"
        " a drink by heart",
        closing="rinsing the shaker in the sink",
    ),
    Activity(
        r"children's (?:book|story|series)|(?:series|books?) for children|picture book",
        opening="reading yesterday's pages of the story",
        body="writing a page of the children's story | drawing the hero of the story | finding a rhyme for badger |"
        " reading a"
        " page of the story aloud | rewriting the ending of the story",
        closing="pinning the new pages to the wall",
    ),
    Activity(
        r"store(?:'s goods)? online|goods online|online shop|web ?shop",
        opening="setting up a plain background for photographs",
        body="photographing goods for the online shop | typing descriptions for the online shop | checking prices"
        " for the"
        " online shop | arranging tools for a photograph",
        closing="uploading the pictures to the online shop",
    ),
    Activity(
        r"poems?\b|poetry (?!reading)|\bverses?\b",
        opening="reading yesterday's poem aloud",
        body="writing a line of the poem | crossing out an adjective in the poem | counting syllables of the poem |"
        " looking"
        " for a word for wet moss | copying the poem out",
        closing="reading the poem once more",
    ),
    Activity(
        r"(?:novel|book) (?:about|at the)|(?:writ|work|finish)\w* .*\bnovel|chapter of the novel",
        opening="reading the last page again",
        body="writing a page of the book | rewriting a paragraph of the book | staring at the page | making notes"
        " for the next chapter | writing a page of dialogue | looking up a detail for the book",
        closing="counting the words of the day",
    ),
    Activity(
        r"\bapp\b.*(?:cafe|pub|library|park)",
        opening="opening the laptop at a table",
        body="writing code for the app | hunting a bug in the app | testing a screen of the app | typing with one hand"
        " and holding the cup in the other",
        closing="closing the laptop",
    ),
    Activity(
        r"music theory|theory of music",
        opening="laying out books and notes",
        body="solving an exercise in harmony | writing out the notes of the piece | reading a chapter of the textbook"
        " | humming a line of the exercise | revising the chapter on fugues",
        closing="packing up the notes",
    ),
    Activity(
        r"prepar\w+ .*(?:lecture|lesson|course|seminar)",
        opening="laying out books and notes",
        body="writing notes for the lecture | choosing a passage of the book for the lecture | thinking"
        " of a question for the students | reading an article for the lecture",
        closing="putting the notes for the lecture in order",
    ),
    Activity(
        r"correct\w* .*(?:essays|papers|exams|homework)",
        opening="sorting the essays into two piles",
        body="reading an essay | writing a remark in the margin of the essays | looking up a source in an essay"
        " | comparing two essays | shaking the head over an essay",
        closing="writing the marks under the essays",
    ),
    Activity(
        r"(?:collect|gather|buy)\w* .*(?:decorations|supplies)",
        opening="writing a list of what the party still needs",
        body="cutting paper hearts at a table | sorting garlands out of a box of decorations | counting candles for the"
        " party | choosing songs for the party | trying a garland over the table",
        closing="packing the decorations into boxes",
    ),
    Activity(
        r"grocery (?:counter|side)|(?:counter|side) .*\bgrocer",
        opening="carrying crates of vegetables to the grocery shelf",
        body="serving a customer at the grocery counter | stacking tins on the grocery shelf | weighing potatoes behind"
        " the grocery counter | ringing up a customer behind the grocery counter | checking the freshness of the fruit"
        " on the grocery shelf | arguing about prices with a customer at the grocery counter | writing a new price tag",
        closing="counting the till behind the grocery counter",
    ),
)
