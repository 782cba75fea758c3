"""English forms that tell something without "I" as their subject, and standing instructions."""

from __future__ import annotations

import re

from agents.llm.offline.english.words import FINITE, PROJECT_NOUN, pattern

STANDING = pattern(
    r"\b(?:from now on|from here on|in (?:the )?future|going forward|henceforth|as a rule|by default|"
    r"every time|each time|"
    r"whenever|at all times|in all (?:your )?(?:answers|replies)|for (?:all|any) (?:future|answers|"
    r"replies|reports)|when(?:ever)? (?:i|you|we) )\b|"
    r"^(?:please )?(?:always|never)\b(?! (?:mind|heard|been|again|good|great|nice|happy|glad|a|the|fun|"
    r"in|on|seen|knew|thought|said|better)\b)|^(?:please )?(?:\w+ )?(?:weekly|daily|monthly) reports? "
    r"(?:in|as|should|with)\b"
)

IMPERATIVE = pattern(
    r"\b(?:please|always|never|don't|do not|answer|reply|respond|use|write|give|keep|call|speak|start|"
    r"end|send|format|put|make|include|avoid|"
    r"address|talk|tell|show|list|add|remind|explain|be|stick|i want|i'd like|should|must|cc|sign|"
    r"check|ask|translate|summari[sz]e|quote|prefer)\b"
)

STYLE = pattern(
    r"^(?:please )?(?:only |just )?(?:answer|reply|respond|speak|talk|write)(?: to me| me| back)? "
    r"(?:only )?(?:in (?!a\b|the style)|with (?:short|brief|bullet)|briefly|shortly|concisely|using)|"
    r"^(?:please )?keep (?:your |the |all )?(?:answers|replies|responses)\b|"
    r"^(?:please )?use (?:metric|bullet points|celsius|british|american|short|simple|formal|24)\b.*|"
    r"^(?:please )?(?:don't|do not|stop|never|avoid) (?:call|calling|address|use|using|send|sending|"
    r"writ|greet)\w* ?(?:me|emoji|emojis|jargon|exclamation|slang|swear)"
)

CALL_ME = pattern(
    r"^(?:everyone|everybody|people|friends|they|my friends)[\w ]{0,15}? (?:calls?|knows?) me (?:as|"
    r"by) \w|^i(?:'d| would) (?:be happy|love it|appreciate it|prefer it|like it) if you call(?:ed)? "
    r"me \w|^(?:please |just |you (?:can|may|should) |everyone |everybody |people |friends |they |my "
    r"friends |they all |so |but )*(?:call|calls|address|refer to) me (?:as |with |by )?(?!back\b|"
    r"later\b|when\b|if\b|at \d|on \d|tomorrow\b|tonight\b|now\b|crazy\b|today\b|a \b|an \b|maybe\b|"
    r"asap\b|any ?time\b|old)[\w\"“'-]+"
)

KEY_VALUE = pattern(
    r"^(?:my |our |the |project )?(?:full |first |last |project |favou?rite |e-?mail |phone |mobile |"
    r"home |work |date of |due |time |blood |native |preferred )?"
    r"(?:name|age|birthday|birth|date|deadline|budget|email|e-mail|phone|number|address|job|role|"
    r"profession|company|employer|city|location|language|timezone|zone|type|"
    r"height|weight|hobby|hobbies|diet|allergies|allergy|stack|database|editor|client|goal|team|launch|"
    r"release|colou?r|nickname|pronouns|hometown|nationality|title|tech stack|framework|os)\s*[:=]\s*\S"
)

POINTED = pattern(
    r"^(?!(?:he|she|it|this|that|who|what|there|which|these|those|they)\b)[\w+#.,' -]{1,60}? (?:is|are|"
    r"isn't|aren't)(?: not| now| also| still)? "
    r"(?:(?:my|our) |(?:something|what|where|when|how|one of the things|the \w+(?: \w+)?) (?:(?:that|"
    r"which) )?(?:i|we|i'm|we're)\b|one of my |mine$|ours$|in (?:my|our) |on (?:my|our) |part of (?:my|"
    r"our))"
)

TO_ME = pattern(
    r"^(?:no|only) .{2,30} for me\b|^(?!(?:he|she|it|this|that|they|you|these|those|what|which|who|the "
    r"news|work)\b)[\w' -]{2,40}? (?:(?:don't|doesn't|do not|does not) (?:work|agree|sit well|suit) "
    r"(?:for |with )?me\b|"
    r"(?:tastes?|smells?) .{2,30} to me\b|(?:gives?|makes?|keeps?) me (?!(?:sad|happy|angry|laugh|cry|"
    r"tired|sick of|nervous|smile|mad|think|wonder|a (?:minute|second|moment|break|hand|call)|the|that|"
    r"this|some|your|one)\b))"
)
"""What something does to the person: peanuts give me a rash."""

OF_OURS = pattern(
    rf"^(?:(?:all|every|each|any|the|most|everything|everyone|both|one|some|none|two|three|half)\b "
    rf"?(?:of )?)?(?:[\w'-]+ ){{0,3}}?(?:in|of|on|for|from|at|to)? ?(?:our|my|the "
    rf"{PROJECT_NOUN})\b.*\s{FINITE}\b"
)
"""A thing of the person's or the project's, named in the middle of the subject."""

ORDER = pattern(
    r"^(?:please )?(?:sign|format|write|send|start|end|label|name|tag|prefix|style|structure|title)\b "
    r"(?:all |every |each |any |my |our |the ){1,2}(?:\w+ )?\w+s (?:with|in|as|using|by|like)\b"
)
"""How something is to be done, of many things at once."""

WHAT_I = pattern(
    r"^(?:the|one|what|something|everything|all)\b(?! (?:problem|question|issue|point|reason|only "
    r"problem))[\w' -]{0,40}\b(?:i|we)\b(?! (?:mean|meant|want to|wanted|need to|said|saw|read|"
    r"found))[\w' -]{1,40} (?:is|are)\b .+"
)
"""What I like best is ..., the one thing that we need is ..."""

LIKEWISE = pattern(
    r".\W+(?:and |but )?(?:(?:so|neither|nor) (?:do|am|have|can|will) (?:i|we)|me (?:too|neither)|"
    r"i do(?:n't)?,? (?:too|either)|(?:i|we) am,? too)$"
)
"""What holds of others holds of the person: everybody here uses Emacs, and so do I."""

ORDER_GOES_ON = pattern(
    r"^(?:(?:and|also|but|or|please|just)\b,? ?)*(?:don't|do not|never|always|avoid|use|skip|leave out|put|"
    r"add|write|keep|start|end|make|give|be|stick|prefer|include|name|call|stop|no)\b"
    r"(?! (?:idea|problem|way|one)\b)"
)
"""What is an instruction beside another one: from now on answer in German, and never use emojis."""

REQUIRES = pattern(
    r"^it(?:'s| is) (?:absolutely )?(?:essential|mandatory|required|crucial|critical|vital|important|a "
    r"must) (?:that|for)\b|"
    rf"\b(?:is|are) (?:a must|a requirement|essential|required|mandatory|crucial|critical|key|"
    rf"non-negotiable)\b.*\b(?:for|in|to) (?:us|our|me|my|the {PROJECT_NOUN})\b"
)

WITHOUT_I = pattern(
    r"^(?:not (?:a (?:big |huge |great )?fan of|into|keen on|fond of)|allergic to|based in|born (?:in|"
    r"on)|fluent in|married to|vegetarian|vegan)\b(?! you\b| it\b| that\b| this\b).*"
)
"""I'm left out: not a fan of mushrooms."""

THERE_IS = pattern(
    r"^there(?:'s| is) nothing (?:i|we)\b|^there (?:is|are|'s|'re) .*\b(?:in|on|at|of|for) (?:my|our|"
    r"the (?:project|team|company))\b"
)

YOU_ARE = pattern(
    r"^(?:from now on,? )?(?:your (?:new )?name (?:is|will be|shall be)|you(?:'re| are) (?:now "
    r")?called|i(?:'ll| will) call you|i (?:want to|would like to) call you) (?!a |an |the |in |at |on "
    r"|later|back|tomorrow|soon|when)\S"
)

HELLO_NAME = re.compile(
    r"^(?:(?:[Tt]he )?[Nn]ame's|[Ii]t's me,?|[Tt]his is) (?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|"
    r"January|February|March|April|May|June|July|August|September|October|November|December|Christmas|"
    r"Easter)[A-Z][a-z]+(?: [A-Z][a-z]+)?(?: here| speaking)?$|"
    r"^(?:(?:[Ii]t's|[Tt]his is|[Ii]t is) )?[A-Z][a-z]+ (?:here|speaking)$"
)
