"""News that a study file names by words."""

from ville.analysis.measures import NewsTopic
from ville.errors import BadArgument
from ville.json_types import JsonObject
from ville.plain_text import nearest

NEWS_KEYS = ("news", "about", "name")


def named_news(source: JsonObject) -> tuple[str, NewsTopic]:
    """Return the news that an entry of a study file follows, after its name as a measure. Raises BadArgument."""
    if wrong := [key for key in source if key not in NEWS_KEYS]:
        raise BadArgument(f"'{wrong[0]}' is not known in a measure; {nearest(str(wrong[0]), NEWS_KEYS)}")
    words = source.get("news")
    if not isinstance(words, str):
        raise BadArgument("a measure of news has no words; write, for example, `news: mayor|election`")
    topic = NewsTopic.matching(words)
    topic = NewsTopic(topic.name, topic.pattern, str(source.get("about", "")))
    return str(source.get("name") or f"know of {words}"), topic
