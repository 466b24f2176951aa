"""The table of everyday activities: getting up, meals, the household, going out, going to bed."""

from ville.llm.offline.tables.activity import Activity

MORNINGS = (
    Activity(
        r"(?=.*(?:wak|getting up|ready|wash|morning routine))(?=.*breakfast)",
        opening="getting out of bed",
        body="taking a quick shower | brushing the teeth | getting dressed | making coffee | toasting two slices of"
        " bread",
        closing="eating breakfast standing up",
        in_order=True,
    ),
    Activity(
        r"wak(?:e|ing) up|getting up|morning routine|getting ready for the day|get ready for the day",
        opening="getting out of bed",
        body="stretching sleepy limbs | opening the window to let in the morning air | taking a shower | brushing the"
        " teeth | getting dressed | combing the hair | making the bed | drinking a glass of water",
        closing="thinking the day through",
        in_order=True,
    ),
    Activity(
        r"breakfast (?:at|in) (?:the |\w+ )*(?:cafe|pub|bar|restaurant|bakery)",
        opening="ordering coffee and a roll",
        body="eating breakfast at a table | drinking the first coffee of the day | looking round to see who else is up",
        closing="drinking up the coffee",
    ),
    Activity(
        r"breakfast",
        opening="putting the kettle on",
        body="brewing coffee | toasting bread / frying an egg / stirring porridge | slicing an apple",
        closing="eating breakfast | rinsing the cup and plate",
        in_order=True,
    ),
)
MEALS = (
    Activity(
        r"(?:lunch|meal|something to eat|snack).*(?:cafe|pub|bar|restaurant|bakery|diner|canteen)",
        opening="choosing from the menu",
        body="eating a bowl of soup / eating a sandwich / eating a salad | drinking a glass of water | talking to"
        " whoever sits near | watching people come and go",
        closing="finishing with a coffee",
    ),
    Activity(
        r"(?:dinner|supper|eating|dining).*(?:cafe|pub|bar|restaurant|diner|canteen)",
        opening="ordering dinner",
        body="eating the dish of the day / eating a pie with potatoes / eating pasta | drinking something with dinner"
        " | talking to whoever sits near",
        closing="having a last bite | paying for dinner",
    ),
    Activity(
        r"lunch|something to eat|snack",
        opening="looking into the refrigerator for lunch",
        body="heating up soup / making a sandwich / frying leftovers / boiling an egg | cutting bread and cheese",
        closing="eating lunch | washing the plate",
    ),
    Activity(
        r"dinner|supper",
        opening="looking into the refrigerator for dinner",
        body="chopping vegetables | cooking rice / simmering a stew / frying fish / boiling pasta | tasting the sauce"
        " | laying the table",
        closing="eating dinner | washing the dishes",
        in_order=True,
    ),
    Activity(
        r"baking",
        opening="reading a recipe",
        body="weighing flour | kneading dough | lining a tin | waiting for the oven | cutting the cake",
        closing="wiping the kitchen table",
        in_order=True,
    ),
    Activity(
        r"cook(?:ing)?\b",
        opening="reading a recipe",
        body="peeling potatoes | chopping vegetables | stirring a pot | tasting the sauce | stirring the sauce again",
        closing="wiping the kitchen table",
        in_order=True,
    ),
)
HOUSEHOLD = (
    Activity(
        r"old papers|sorting out",
        opening="opening a box of old papers",
        body="reading an old letter | tearing up a bill | finding a forgotten photograph | making two piles of papers"
        " | holding a paper against the light",
        closing="tying the papers up again",
    ),
    Activity(
        r"groceries|shopping|errand",
        opening="writing a shopping list",
        body="picking vegetables from the shelf | comparing two jars on the shelf | looking for bread on the shelf"
        " | choosing apples from the shelf | waiting in line at the counter",
        closing="paying at the counter | putting the shopping into the bag at the counter",
    ),
    Activity(
        r"supply store|hardware|buying",
        opening="looking along the product shelf",
        body="reading labels on the product shelf | comparing prices at the product shelf | looking for the right size"
        " on the product shelf | asking for advice at the counter",
        closing="paying at the counter",
    ),
    Activity(
        r"laundry|washing clothes|ironing",
        opening="collecting the laundry",
        body="sorting the laundry | washing shirts in the sink | hanging up the laundry | ironing a shirt",
        closing="folding clothes into the closet",
        in_order=True,
    ),
    Activity(
        r"tidy|clean|housework|house in order|keeping the house|keep the house|chores",
        opening="opening the windows wide",
        body="sweeping the floor | dusting the shelf | washing the dishes | sorting the closet | wiping the table"
        " | scrubbing the sink | putting things back on the shelf",
        closing="looking round with satisfaction",
    ),
    Activity(
        r"pantry|preserv|jam\b",
        opening="taking stock of the pantry",
        body="writing labels for the jars | stirring a pot of jam | sorting jars in the pantry | washing jars in the"
        " sink",
        closing="wiping the kitchen table",
    ),
    Activity(
        r"flower bed|garden|weeding|planting",
        opening="fetching the garden tools",
        body="weeding between the flowers | watering the plants | cutting back a bush | loosening the soil | tying up a"
        " rose | sowing seeds in the garden | raking leaves",
        closing="looking over the beds in the garden",
    ),
)
EVENINGS = (
    Activity(
        r"winding down|getting ready for bed|going to bed|get ready for bed|ready for bed",
        opening="putting things back where they belong",
        body="laying out clothes for tomorrow | washing the face | brushing the teeth before bed | writing a line in"
        " the diary | turning down the lights | reading a few pages in bed",
        closing="getting into bed",
        in_order=True,
    ),
    Activity(
        r"family|wife|husband|\bson\b|daughter|(?:with|for) (?:the|his|her|their) children|together at home",
        opening="asking about everybody's day",
        body="sitting together at the table | telling what happened today | laughing about an old story | playing a"
        " round of cards at the table | listening to the others",
        closing="clearing the table",
    ),
)
GATHERINGS = (
    Activity(
        r"decorat|preparing .*party|preparations for|getting .* ready for",
        opening="carrying the boxes of decorations in",
        body="hanging paper hearts over the seating | blowing up balloons | laying the tables for the guests | putting"
        " candles on the counter | baking a cake for the party | counting glasses behind the counter",
        closing="stepping back to look at the decorations",
    ),
    Activity(
        r"(?:host|throw|giving|holding).*(?:party|celebration|gathering|get-together|dance|picnic)",
        opening="welcoming the first guests",
        body="pouring drinks for the guests | bringing two guests into conversation | handing round cake | asking"
        " everybody whether they have what they need | proposing a toast to the guests | putting on a new song",
        closing="thanking the guests for coming",
    ),
    Activity(
        r"\bparty|celebration|gathering\b(?! \w)|get-together|picnic|festival|\bfair\b|barbecue|wedding|dance\b"
        r"|\bball\b",
        opening="greeting the other guests",
        body="having a drink with the other guests | tasting the cake | listening to the music at the party |"
        " dancing to"
        " a slow song | talking to a guest by the window | laughing at a story that a guest tells | admiring the"
        " decorations",
        closing="thanking the host",
    ),
    Activity(
        r"(?:attend|going to|watch|listen|visit).*(?:concert|performance|premiere|screening|show\b|recital|open mic"
        r"|reading)",
        opening="finding a good seat",
        body="listening to the performance | clapping with everybody else | whispering a remark to the next seat",
        closing="talking the performance over",
    ),
    Activity(
        r"meeting|debate|\brally|workshop|discussion",
        opening="finding a seat at the meeting",
        body="listening to the speaker | asking a question | taking notes at the meeting | saying what others only"
        " think",
        closing="exchanging a few words after the meeting",
    ),
)
ROUTINES = (*GATHERINGS[:3], *MORNINGS, *MEALS, *GATHERINGS[3:], *EVENINGS, *HOUSEHOLD)
