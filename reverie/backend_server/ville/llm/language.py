"""Ask models to answer in a language, by one system message before the question."""

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
"""ISO 639-1 code to English name."""
ENGLISH = LANGUAGES["en"]
LATIN, CYRILLIC = "Latin", "Cyrillic"
OTHER_SCRIPTS = {
    "ar": ("Arabic",), "fa": ("Arabic",), "bn": ("Bengali",), "bg": (CYRILLIC,), "ru": (CYRILLIC,), "uk": (CYRILLIC,),
    "kk": (CYRILLIC, LATIN), "sr": (CYRILLIC, LATIN), "el": ("Greek",), "he": ("Hebrew",), "hi": ("Devanagari",),
    "hy": ("Armenian",), "ja": ("Japanese", "Chinese"), "ka": ("Georgian",), "ko": ("Korean", "Chinese"),
    "th": ("Thai",), "zh": ("Chinese",),
}  # fmt: skip
"""Scripts of languages, by their codes, that are not written in Latin letters only."""


def scripts_of_language(name: str) -> tuple[str, ...]:
    """Return the scripts in which a language is written, given its code or English name; none for an unknown one."""
    code = next((code for code, title in LANGUAGES.items() if name.casefold() in {code, title.casefold()}), "")
    return OTHER_SCRIPTS.get(code, (LATIN,)) if code else ()


def language_name(name: str) -> str:
    """Return the English name for a code; any other name unchanged."""
    return LANGUAGES.get(name.lower(), name)


def may_be_english(name: str) -> bool:
    """Return whether a language, by code or English name, is English or not known: towns are English by default."""
    return not name or language_name(name).casefold() == ENGLISH.casefold()


class LanguageChat:
    """Layer that asks for answers in one language. Keys, names and quoted words stay as they are."""

    def __init__(self, chat: Chat, language: str) -> None:
        self._chat = chat
        named = language_name(language)
        self._instruction = ChatMessage(
            "system",
            f"The people of this town speak and think in {named}. Write every text of your answer in {named}, even "
            "where the question is in English. Leave as they are: the keys of the JSON object, the names of people, "
            "everything that is to be chosen from a list or repeated, words that the question puts in quotation marks, "
            "and the one word sleeping for hours in which somebody is asleep.",
        )

    async def complete(self, request: ChatRequest) -> ChatReply:
        return await self._chat.complete(replace(request, messages=(self._instruction, *request.messages)))


def in_language(chat: Chat, language: str) -> Chat:
    """Return a chat that answers in a language; the same chat if `language` is empty."""
    return LanguageChat(chat, language) if language else chat
