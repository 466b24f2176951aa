"""In which language people speak and think: asked of every model in one sentence before everything else."""

from dataclasses import replace

from ville.llm.gateway import Chat, ChatMessage, ChatReply, ChatRequest

LANGUAGES = {
    "ar": "Arabic", "bg": "Bulgarian", "bn": "Bengali", "ca": "Catalan", "cs": "Czech", "da": "Danish",
    "de": "German", "el": "Greek", "en": "English", "es": "Spanish", "et": "Estonian", "fa": "Persian",
    "fi": "Finnish", "fr": "French", "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian",
    "hy": "Armenian", "id": "Indonesian", "it": "Italian", "ja": "Japanese", "ka": "Georgian", "kk": "Kazakh",
    "ko": "Korean", "lt": "Lithuanian", "lv": "Latvian", "nl": "Dutch", "no": "Norwegian", "pl": "Polish",
    "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sk": "Slovak", "sl": "Slovene", "sr": "Serbian",
    "sv": "Swedish", "th": "Thai", "tr": "Turkish", "uk": "Ukrainian", "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip
"""ISO 639-1 codes in English; any other name of a language is passed on as it is."""


def language_named(name: str) -> str:
    """The English name for a code."""
    return LANGUAGES.get(name.lower(), name)


class Speaking:
    """A Chat that asks for one language. What has to be recognised keeps its wording: keys, names, quoted words."""

    def __init__(self, chat: Chat, language: str) -> None:
        self._chat = chat
        named = language_named(language)
        self._instruction = ChatMessage(
            "system",
            f"The people of this town speak and think in {named}. Write every text of your answer in {named}, even "
            "where the question is in English. Leave as they are: the keys of the JSON object, the names of people, "
            "everything that is to be chosen from a list or repeated, words that the question puts in quotation marks, "
            "and the one word sleeping for hours in which somebody is asleep.",
        )

    async def complete(self, request: ChatRequest) -> ChatReply:
        return await self._chat.complete(replace(request, messages=(self._instruction, *request.messages)))


def spoken(chat: Chat, language: str) -> Chat:
    """The same Chat in a language; as it is if none is named."""
    return Speaking(chat, language) if language else chat
