"""English verbs, as far as plans and small talk need them: which words are verbs, and their forms."""

import re

from ville.llm.offline.english.wordlist import first_of, words

BASES = words("""
    accept act add adjust admit agree aim analyse animate answer apologise argue arrange arrive ask assemble attend
    avoid awake babysit bake be become begin believe belong bet borrow brew bring browse brush build burn buy call
    care carry catch change chat check choose clean clear climb clink close coach collect come compare complain
    complete compose cook copy correct count cover create cut dance date decide decorate deliver describe design develop
    dig discover discuss dislike do doubt draft draw dream dress drink drive drop earn eat edit encourage end enjoy
    examine exercise expect explain explore express feed feel fetch fight file fill film find finish fish fix fold
    follow forget found gather get give go grow guard guess guide haggle hang hate have hear help hike hold hope host
    hum hunt hurry imagine improve inspect interest invent invest invite iron jog join juggle keep knit know laugh lay
    lead lean learn leave lend let lie lift like listen live load lock look lose love make manage mark marry mean
    measure meditate meet mend mind miss mix mop mow need note offer open order organise organize own pack paint pass
    pay perform photograph pick plan plant play polish pour practice practise pray prefer prepare present print prune
    publish pull push put raise rake rap read reckon record rehearse relax remember rent repair reply respect rest
    restock retire return revise rewrite ride rise row run say scan search see sell send serve set sew shake share
    shop show shower sing sip sit sketch skim sleep slice smell smile snack solve sort speak spend stand start stay
    step stir stock stop store stream stretch stroll struggle strum study sum support swap sweep swim take talk tap
    taste teach tell tend test thank think throw tidy tinker trade train translate travel treat trim trust try tune
    turn type understand unpack use visit wait wake walk want warm wash watch water wave wear weed weigh welcome
    whistle win wipe wish wonder work worry wrap write
    """)
IRREGULAR_THIRD = {"be": "is", "have": "has", "do": "does", "go": "goes"}
IRREGULAR_BASE = {third: base for base, third in IRREGULAR_THIRD.items()} | {
    "dies": "die",
    "lies": "lie",
    "ties": "tie",
}
DOUBLED = words("""
    begin chat cut dig drop get hum jog let mop nap pat pin plan put rub run set shop sit skim slip stir stop strum sum
    swap swim tap trim unwrap win wrap
    """)
"""Verbs that double their last letter before -ing."""
PASTS = words("""
    became began bought broke brought built came caught chose did drew drank ate felt fell fought found forgot gave got
    grew had heard held kept knew laid led left lent lost made meant met paid ran read rode said sang sat saw sold sent
    shook slept spoke spent stood taught took told thought threw understood went were woke won wore wrote
    """)
MODALS = words("can could may might must shall should will would used cannot")
ADVERBS = words("""
    also always already even hardly just mostly never no not now often only rarely really seldom sometimes soon still
    then too usually once again almost both all mainly simply quietly secretly least
    """)


def third(verb: str) -> str:
    """`study` becomes `studies`."""
    if verb in IRREGULAR_THIRD:
        return IRREGULAR_THIRD[verb]
    if re.search(r"(?:s|x|z|ch|sh)$", verb):
        return verb + "es"
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ies"
    return verb + "s"


def base(verb: str) -> str:
    """`studies` becomes `study`; a word that is no third person stays as it is."""
    if verb in IRREGULAR_BASE:
        return IRREGULAR_BASE[verb]
    if not verb.endswith("s") or verb.endswith("ss"):
        return verb
    if verb.endswith("ies"):
        return verb[:-3] + "y"
    if verb.endswith("es") and (verb[:-2] in BASES or re.search(r"(?:x|z|ch|sh|ss)es$", verb)):
        return verb[:-2] if verb[:-1] not in BASES else verb[:-1]
    return verb[:-1]


def is_third(word: str) -> bool:
    """Whether a word is a verb in the third person."""
    return word in IRREGULAR_BASE or (word.endswith("s") and not word.endswith("ss") and base(word) in BASES)


def ing(verb: str) -> str:
    """`stop` becomes `stopping`."""
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb in DOUBLED:
        return verb + verb[-1] + "ing"
    if verb.endswith("e") and not verb.endswith(("ee", "ye", "oe")) and verb != "be":
        return verb[:-1] + "ing"
    return verb + "ing"


def gerund(phrase: str) -> str:
    """`get up and wash` becomes `getting up and washing`; a phrase that begins with no verb stays as it is."""
    words = phrase.split(" ")
    if words[0] not in BASES:
        return phrase
    words[0] = ing(words[0])
    for number, word in enumerate(words[:-1], start=1):
        if word in {"and", "or", "then"} and _is_verb_here(words, number):
            words[number] = ing(words[number])
    return " ".join(words)


def doing(predicate: str) -> str:
    """What somebody is doing: `is painting a wall` and `paints a wall` both become `painting a wall`."""
    verb, _, rest = predicate.partition(" ")
    if verb in {"is", "are", "was"}:
        return rest if first_of(rest).endswith("ing") else f"being {rest}"
    return gerund(f"{base(verb)} {rest}".strip())


def plain(phrase: str) -> str:
    """`writing and filming a series` becomes `write and film a series`; other phrases stay."""
    words = phrase.split(" ")
    if words[0] not in _OF_ING:
        return phrase
    for number, word in enumerate(words):
        if number == 0 or words[number - 1] in {"and", "or"}:
            words[number] = _OF_ING.get(word, word)
    return " ".join(words)


_OF_ING = {ing(verb): verb for verb in sorted(BASES)}


NOUNS_TOO = words("""
    answer brush call care change chat check cook copy cover cut dance design dish doubt draft draw dream dress drink
    drive end exercise fight film fish fold guard guess guide help hike hope host hunt iron laugh lead lie light load
    look love mark mop need note offer order paint pass photograph pick plan plant play practice present print rake read
    record rest return ride rise run scan search set share shop show shower sketch sleep slice smell smile step stock
    stop store stretch stroll study sum support swim talk taste test trim tune turn type use visit wait wake walk wash
    watch water weed wish wonder work worry wrap wash wear
    """)
"""Verbs that are as often nouns: after `and` they need a word behind them that only a verb has."""
_AFTER_VERB = words("a an the my his her their your up down out to in at on for with some about what how")


def _is_verb_here(words: list[str], number: int) -> bool:
    word = words[number]
    if word not in BASES:
        return False
    return word not in NOUNS_TOO or (number + 1 < len(words) and words[number + 1] in _AFTER_VERB)
