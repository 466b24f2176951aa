"""The table of work: counters, desks, easels, lecture rooms; what is done there, step by step."""

from ville.llm.offline.tables.activity import Activity

COUNTERS = (
    Activity(
        r"\bsell\w*|market stall",
        opening="setting out the goods on the counter",
        body="serving a customer at the counter | calling out the prices | wrapping up what a customer has bought"
        " | haggling over a price at the counter | giving change at the counter | rearranging the goods on the counter",
        closing="counting the till behind the counter",
    ),
    Activity(
        r"pharmac.*counter|counter.*pharmac|prescription|pharmacist",
        opening="unlocking the medicine drawers behind the pharmacy counter",
        body="filling a prescription | explaining a prescription to a customer | checking dates on the pharmacy shelf"
        " | counting pills for an order | giving advice on a cough | sorting a delivery of medicine | ordering what has"
        " run out at the pharmacy",
        closing="writing up the day's prescriptions",
    ),
    Activity(
        r"cafe|coffee house|bakery|barista",
        opening="starting the coffee machine behind the counter",
        body="brewing coffee for a guest | serving a guest at the table | baking a tray of buns in the kitchen | wiping"
        " the tables of the guests | taking an order at the counter | foaming milk behind the counter | rinsing cups in"
        " the sink | checking the milk in the refrigerator | cutting a cake behind the counter | chatting with a"
        " regular"
        " across the counter",
        closing="counting the takings behind the counter",
    ),
    Activity(
        r"pub|bar counter|behind the bar|bartend|tavern|\binn\b",
        opening="polishing glasses behind the bar",
        body="pouring a beer behind the bar | mixing a drink behind the bar | listening to a regular across the bar"
        " | clearing empty glasses from the tables | changing a barrel behind the bar | wiping down the bar |"
        " recommending"
        " a drink to a guest | ringing up a round behind the bar",
        closing="calling last orders behind the bar",
    ),
    Activity(
        r"grocer|market",
        opening="carrying crates of vegetables to the grocery shelf",
        body="serving a customer at the grocery counter | stacking tins on the grocery shelf | weighing potatoes"
        " behind the"
        " grocery counter | ringing up a customer behind the grocery counter | checking the freshness of the fruit"
        " on the"
        " grocery shelf | arguing about prices with a customer at the grocery counter | writing a new price tag",
        closing="counting the till behind the grocery counter",
    ),
    Activity(
        r"store|shop\b|counter|customers",
        opening="unlocking the door and turning on the lights of the store",
        body="serving a customer at the store counter | filling up the product shelf | explaining a tool to a customer"
        " | ringing up a sale behind the counter | unpacking a delivery for the product shelf | writing an order"
        " list behind"
        " the counter | straightening the product shelf",
        closing="counting the till behind the counter",
    ),
)
LEARNING = (
    Activity(
        r"teach|lectur(?:e|ing) (?:to|on|at)|giving .*(?:class|lecture|course)|seminar",
        opening="writing today's question on the blackboard",
        body="giving a lecture from the podium | leading a discussion from the podium | answering a student's question"
        " | explaining an argument at the blackboard | handing back essays to the students | asking the class for a"
        " counterexample",
        closing="talking to students after class",
    ),
    Activity(
        r"physics|problem sheet",
        opening="laying out the problem sheets",
        body="solving a physics problem | checking a calculation | drawing a diagram of forces | looking up a"
        " constant in the"
        " textbook | starting a problem again from the beginning",
        closing="writing the solutions out neatly",
    ),
    Activity(
        r"chemistry|titration|lab\b",
        opening="opening the chemistry textbook",
        body="balancing reaction equations | learning the chemistry of acids | making flash cards for chemistry |"
        " going over"
        " old chemistry exams | checking a calculation",
        closing="noting how much was learned",
    ),
    Activity(
        r"thesis|shakespeare|literature",
        opening="sorting the quotations for the thesis",
        body="reading a play aloud under the breath | writing a paragraph of the thesis | looking up a word in the old"
        " dictionary | comparing two editions of a play | rewriting a sentence of the thesis",
        closing="listing what the thesis still needs",
    ),
    Activity(
        r"paper|essay|research|sociolog|gentrification",
        opening="going through the notes for the paper",
        body="reading an article for the paper | writing a section of the paper | checking a source for the paper"
        " | underlining a passage in a book | drafting a table for the paper | rewriting the opening of the paper",
        closing="listing what the paper still needs",
    ),
    Activity(
        r"classes|class\b|lecture|course|school|seminar",
        opening="finding a seat in class",
        body="listening to the lecture | taking notes in class | asking a question in class | discussing with"
        " classmates"
        " in class | copying a diagram from the blackboard",
        closing="packing up after class",
    ),
    Activity(
        r"stud(?:y|ying|ies)|library|homework|exam|revis|college|university",
        opening="laying out books and notes",
        body="reading a chapter of the textbook | taking notes from the textbook | looking up a reference on the"
        " bookshelf"
        " | working through an exercise | learning definitions by heart | going over the notes again",
        closing="packing up the books",
    ),
)
ARTS = (
    Activity(
        r"photo",
        opening="sorting pictures into folders on the computer",
        body="choosing between two nearly equal photographs | correcting the light of a photograph | cropping a"
        " photograph"
        " | laying prints side by side | labelling photographs",
        closing="backing up the photographs",
    ),
    Activity(
        r"animat|digital art|short film",
        opening="watching yesterday's frames of the animation",
        body="drawing key frames on the computer | animating a walk on the computer | choosing colours for a scene"
        " on the"
        " computer | trying out a new tool on the computer | fixing a flicker in the animation",
        closing="rendering the animation",
    ),
    Activity(
        r"watercolou?r",
        opening="wetting the watercolour paper",
        body="laying a wash of watercolour | painting a sky in watercolour | lifting colour with a sponge | waiting"
        " for a"
        " watercolour to dry | deciding whether the watercolour is finished",
        closing="cleaning the brushes",
    ),
    Activity(
        r"exhibition|choos.*pictures|solo show",
        opening="laying the pictures out",
        body="choosing between two pictures | putting the pictures in order | writing titles for the pictures |"
        " measuring"
        " frames for the pictures",
        closing="writing down the list of pictures",
    ),
    Activity(
        r"paint|easel|canvas",
        opening="squeezing colours onto the palette",
        body="painting at the easel | mixing a difficult green for the painting | stepping back to look at the painting"
        " | painting over yesterday's corner | stretching a canvas | painting the background",
        closing="cleaning the brushes",
    ),
    Activity(
        r"web series|script|improvis|rehears|comed|acting|jokes",
        opening="reading the last scene aloud",
        body="writing a scene for the script | trying a joke in the mirror | rehearsing a monologue | planning the"
        " shots of"
        " a scene | improvising three characters at once | cutting a line that is not funny",
        closing="writing down what got a laugh",
    ),
    Activity(
        r"podcast",
        opening="making a list of guests for the podcast",
        body="writing an introduction for the podcast | recording a trial of the podcast | listening to the recording"
        " of the podcast",
        closing="noting ideas for the podcast",
    ),
    Activity(
        r"comic",
        opening="dividing the page into panels",
        body="pencilling a comic panel | inking a comic panel | writing a speech bubble | shading a comic panel",
        closing="laying the comic page out to dry",
    ),
    Activity(
        r"compos|fugue|music theory|songs? to pieces|song",
        opening="playing back yesterday's bars",
        body="composing a few bars of the piece | writing a counter-melody for the piece | fitting a beat under the"
        " piece"
        " | analysing a song by ear | writing the notes of the piece down",
        closing="humming the piece from the top",
    ),
    Activity(
        r"novel|chapter|book about|writ(?:e|ing)",
        opening="reading the last page again",
        body="writing a page of the book | rewriting a paragraph of the book | staring at the page | making notes"
        " for the"
        " next chapter | writing a page of dialogue | looking up a detail for the book",
        closing="counting the words of the day",
    ),
)
DESKS = (
    Activity(
        r"\bapp\b|software|cod(?:e|ing)|program",
        opening="reading yesterday's code",
        body="writing code for the app | hunting a bug in the app | testing a screen of the app | redrawing a screen"
        " of the"
        " app | reading documentation | committing the code",
        closing="writing tomorrow's list for the app",
    ),
    Activity(
        r"formula|mathemat|equation|proof|theorem|patterns of",
        opening="copying yesterday's equations",
        body="working on a proof at the desk | writing equations on the blackboard | counting spirals on a shell |"
        " finding an"
        " error in the proof | trying a simpler case of the formula",
        closing="circling what is left of the proof",
    ),
    Activity(
        r"tax|books of a|ledger|accounts|legal|lawyer|contract",
        opening="opening the ledgers",
        body="checking a column of figures | reading a footnote of the tax code | marking a doubtful receipt |"
        " writing a note"
        " to the firm | comparing the books with the receipts",
        closing="filing the papers",
    ),
    Activity(
        r"philosoph|creativity",
        opening="reading the opening chapter with suspicion",
        body="writing a page of the book | testing an argument on paper | reading an old philosopher | making notes"
        " for the"
        " next chapter | throwing a page away | drinking tea and thinking",
        closing="writing down tomorrow's question",
    ),
    Activity(
        r"campaign|mayor|election|speech",
        opening="going through the notes for the campaign",
        body="writing a paragraph of the speech | listing what the town needs | practising the speech aloud |"
        " thinking of"
        " people to ask for support",
        closing="putting the campaign notes in order",
    ),
    Activity(
        r"work|office|desk|job|business|project",
        opening="going through the notes",
        body="working through the list at the desk | writing a letter at the desk | making a plan at the desk |"
        " thinking a"
        " problem over | answering messages at the desk | checking the figures at the desk",
        closing="tidying the desk",
    ),
)
TRADES_OF_ALL_KINDS = (
    Activity(
        r"patient|nurs|clinic|doctor|hospital",
        opening="reading the list of patients",
        body="seeing a patient | writing a note about a patient | washing the hands in the sink | explaining a"
        " result to"
        " a patient",
        closing="finishing the notes about the patients",
    ),
    Activity(
        r"repair|carpent|mechanic|workshop bench|tinker",
        opening="laying out the tools",
        body="taking the thing apart | measuring twice | sanding an edge | tightening a screw | looking for the fault",
        closing="sweeping up the shavings",
    ),
    Activity(
        r"farm|harvest|animals|field",
        opening="looking at the sky",
        body="feeding the animals | mending a fence | watering the plants | carrying a sack",
        closing="washing the hands in the sink",
    ),
)
CRAFTS = (
    *COUNTERS[4:5],
    *ARTS[:-1],
    *DESKS[:4],
    *LEARNING,
    *COUNTERS,
    *TRADES_OF_ALL_KINDS,
    *DESKS[4:],
    ARTS[-1],
)
