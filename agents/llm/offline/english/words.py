"""English words: who speaks, whose things are meant, how a clause begins."""

from __future__ import annotations

import re


def words(text: str) -> str:
    """Words with spaces between them as one alternative; an underscore stands for a space."""
    return "|".join(part.replace("_", " ") for part in text.split())


def pattern(text: str) -> re.Pattern[str]:
    """A pattern that does not look at case."""
    return re.compile(text, re.IGNORECASE)


PROJECT_NOUN = (
    r"(?:project|production|staging|deadline|due date|team|product|app|application|site|website|"
    r"platform|system|service|server|database|"
    r"backend|back end|frontend|front end|codebase|code|repo|repository|api|budget|release|launch|"
    r"milestone|client|"
    r"customer|company|startup|office|meeting|standup|stand-up|weekly meeting|retro|sprint|report|"
    r"weekly report|spec|"
    r"requirement|requirements|design|stack|schema|build|pipeline|deployment|test suite|documentation|"
    r"docs|contract|"
    r"exam|wedding|thesis|course|trip|submission|presentation|demo|version|logo|brand|domain|password|"
    r"db|target|limit|endpoints?|wifi|goal|main branch|branch|module|endpoint|cluster|container|"
    r"licen[sc]e|tests|wiki|dashboard|staging server|style guide|timeline|roadmap|kickoff|interview|"
    r"retreat|off-?site|workshop|lecture|webinar|rehearsal|concert|tournament|marathon|race|keynote|recital|"
    r"review|deliverable|handover|audit|migration|rollout|ceremony|"
    r"flight|train|hotel|appointment|surgery|party|conference|codename|code name)"
)

FINITE = (
    r"(?:is|are|was|were|isn't|aren't|wasn't|has|have|hasn't|haven't|had|does|doesn't|don't|do|did|"
    r"didn't|can|can't|"
    r"cannot|will|won't|must|mustn't|should|shall|may|might|would|could|needs?|uses?|runs?|lives?|"
    r"works?|likes?|loves?|"
    r"hates?|eats?|drinks?|wants?|prefers?|speaks?|plays?|studies|supports?|starts?|ends?|moved|"
    r"changed|got|died|"
    r"became|goes|targets?|costs?|weighs?|belongs?|barks?|meets?|ships?|takes?|turns?|turned|comes?|"
    r"writes?|requires?|"
    r"stores?|handles?|follows?|depends?|hosts?|consists?|says?|said|thinks?|told|sleeps?|wakes?|"
    r"teaches|sells?|makes?|"
    r"serves?|keeps?|passed away|never|always|usually|only|also|just|snores?|bites?|loves?|graduated|"
    r"retired|married|went|rose|grew|fell|dropped|increased|decreased|slipped|switched|migrated|"
    r"doubled|expires?|closes?|opens?|begins?|happens?|knows?|reads?|drives?|owns?|rides?|attends?|bakes?|"
    r"paints?|sings?|builds?|manages?|leads?|slid|shifted)"
)

SUBJECT = pattern(
    r"(?:i|i'm|i've|i'd|i'll|im|ive|my|mine|we|we're|we've|we'll|our|ours|me and my \w+)\b(?!\.)"
)

INTRO = pattern(
    r"(?:(?:now|today|nowadays|currently|usually|sometimes|normally|generally|typically|personally|"
    r"recently|lately|"
    r"unfortunately|luckily|sadly|fortunately|basically|originally|mostly|professionally|at the moment|"
    r"these days)\b,?|"
    r"(?:in|on|at|for|during|every|each|by|from|with|outside|besides|apart from|because of|due to|"
    r"despite|per|most|"
    r"(?:since|after|until|as)(?! (?:i|we|my|our)\b))\b[^,]{1,50}?(?:,(?=\s+(?:i|i'm|i've|my|we|we're|"
    r"our|we've)\b)|"
    r"(?=\s+(?:i|i'm|i've|we|we're|we've)\b)))\s+(?=(?:i|i'm|i've|my|we|we're|our|we've)\b)"
)

LEAD = pattern(
    r"(?:(?:(?:hello|hi|hiya|hey|howdy|good (?:morning|evening|afternoon|day)) (?:there|again|all|everyone|"
    r"everybody|folks|team|(?-i:[A-Z][a-z]+)(?=\s*[,!—–-]))|"
    r"(?:the )?(?:good|great|big|bad|sad|exciting|happy|other|latest) news(?: is)?(?: that)?(?! (?:from|for|"
    r"about)\b)|fun fact|guess what|changes? of plans?(?=\s*[,:.!—–-])|scrap that|"
    r"w?h?oops|typo(?=\s*[,:.!—–-])|oh|hey|hi|hello|hiya|hmm|ah|um|uh|yes|yeah|yep|nope|and|but|also|"
    r"plus|so|then|btw|by the way|fyi|"
    r"for your information|just so (?:you|that you) know|so you know|for the record|to be clear|for context|"
    r"let me (?:quickly )?introduce myself|(?:a )?(?:few |little |some |quick )*(?:facts|things|words|"
    r"bit|info|something) about me|about me(?=\s*:)|as (?:i|you) (?:said|mentioned|know|told you)(?: "
    r"before)?|like i (?:said|told you)|honestly|frankly|in fact|anyway|besides|"
    r"(?:it )?turns out(?: that)?|(?:on|upon) second thoughts?|come to think of it|(?:one|two|a few|"
    r"some|another) (?:thing|fact|update|detail)s?(?= ?:)|additionally|furthermore|moreover|finally|"
    r"lastly|one more thing|another thing|actually|i meant?(?: that| to say)?|"
    r"i (?:already |just )?(?:told you|said|mentioned)(?: that| before)*|let me correct (?:that|this|"
    r"myself)|scratch that|"
    r"(?:i (?:want|need|would like|have)|i'd like) (?:you to know|to (?:tell you|say|mention|add|let "
    r"you know))(?: that)?|"
    r"i should (?:mention|add|say)(?: that)?|you should know(?: that)?|(?:the (?:truth|thing|fact) is|"
    r"fact is)(?: that)?|"
    r"it(?:'s| is) (?:true|important)(?: to know)? that|"
    r"(?:a )?(?:little |quick |small )?(?:update|correction|clarification|reminder|heads up|note|ps|"
    r"p\.s\.)(?=\s*[:,—–-])|"
    r"(?:sorry|no|ok|okay|well|wait|first|firstly|second|secondly|third|my mistake|my bad|news|good "
    r"(?:morning|evening|afternoon|day))(?=\s*[,:.!—–-])|sorry(?= i\b)|nice "
    r"to meet you)\b[\s,:;.!—–-]*)+"
)

CHANGED = pattern(
    r"\b(?:actually|correction|my mistake|my bad|sorry|wait|i meant?|scratch that|instead|rather than|"
    r"no longer|any ?more|now|"
    r"nowadays|these days|has changed|have changed|changed|moved|relocated|moving|switched|swapped|"
    r"migrated|upgraded|downgraded|"
    r"replaced|renamed|postponed|pushed|delayed|extended|rescheduled|brought forward|moved up|updated|"
    r"revised|slipped|shifted|bumped|slid|put back|put off|deferred|pulled forward|started|stopped|quit|"
    r"dropped|ditched|abandoned|scrapped|got rid of|gotten rid of|retrained|changes? of plans?|cancell?ed|"
    r"gave up|given up|became|turned|converted|since then|from now on|not .{1,30} but|on second "
    r"thoughts?|turns out|got (?:married|divorced|engaged|promoted)|recently|joined|i left|"
    r"correct(?:ed)?)\b"
)

ADVERBS = (
    r"(?:(?:also|really|usually|always|never|now|currently|still|only|often|mostly|generally|strictly|"
    r"actually|personally|absolutely|"
    r"definitely|mainly|recently|just|both|all|normally|sometimes|rarely|seldom|typically|do(?= "
    r"(?:like|love|hate|have|prefer|eat|drink|use|want|live|work|need|speak|play))|simply|truly|even|"
    r"already|finally|"
    r"primarily|exclusively|officially|frequently|occasionally|regularly|hardly|barely|of course|"
    r"kind of|kinda|certainly|clearly|then|basically|literally|particularly|especially|very|much|tend to) )*"
)

EVERY = pattern(
    r"\b(?:every|each|always|never|usually|often|daily|weekly|regularly|on (?:mon|tues|wednes|thurs|"
    r"fri|satur|sun)days|on weekends|twice|once a|in the mornings?|at night|per (?:day|week))\b"
)

SUBJECT_PROJECT = re.compile(
    rf"^(?:(?:the|this|our|that|all|every|each|"
    rf"any)\s+)?(?:[\w-]+\s+){{0,2}}?{PROJECT_NOUN}\b(?:'s)?(?:\s+[\w'-]+){{0,6}}?\s*(?:\s{FINITE}\b|"
    rf"'s\s|[:=]\s*\S|'re\s)",
    re.I,
)
ACQUAINTANCE = pattern(
    r"(?:my|our) (?:\w+ ){0,2}?(?:friend|colleague|co-?worker|neighbou?r|classmate|roommate|flatmate|boss|"
    r"teacher|doctor|dentist|landlord|teammate)s?\b(?: (?:number |no\.? ?|#)\d+)?+"
    r"(?!'s (?:name|birthday))(?! (?:is|are) (?:called|named)\b)"
)
"""Somebody the person knows: what is told of them is not about the person."""
PROJECT_NAMED = re.compile(rf"^project [A-Z]\w+ (?:[\w'-]+ ){{0,2}}?{FINITE}\b")
