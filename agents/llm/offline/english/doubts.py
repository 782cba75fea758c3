"""English sentences that are no statements: suppositions, hearsay, doubt, jokes, what is not to be kept."""

from __future__ import annotations

from agents.llm.offline.english.words import pattern

HYPOTHESIS = pattern(
    r"^(?:\W*(?:and|but|so|then|well|ok|hmm),?\s+)?(?:if|unless|suppose|supposing|imagine|pretend|"
    r"assuming|assume|what if|"
    r"in case|let's (?:say|pretend|assume|imagine)|say (?:that )?i\b|hypothetically|were i|had i|"
    r"should i\b|picture this|"
    r"even if|provided|as if|i wish|if only|whether)\b|"
    r"\b(?:would|'d|could|might) (?:\w+ )?(?:have|be|move|change|eat|live|if)\b.*\bif\b|"
    r"\bif\b.*\b(?:would|'d|could|were)\b|"
    r"\bi wish\b|\bwould have\b|\bcould have\b|\bshould have\b|\bhypothetical|\bin a parallel|\bas "
    r"if\b|\bin (?:my|the) (?:dream|novel|story|game|movie|play)\b"
)

GOES_ON = pattern(
    r"^\W*(?:imagine|pretend|suppose|let's (?:pretend|say|assume|imagine)|role-?play|hypothetically|"
    r"picture this|assume|"
    r"you are now|act as|play the role)\b"
)
"""Opens a make-believe that holds for the rest of the message."""

REPORTED = pattern(
    r"\b(?:says?|said|told|tells|claims?|claimed|thinks?|believes?|believed|asked|asks|"
    r"argues?|insists?|assumed?|"
    r"mentioned|reported|heard|hears|read that|announced|suggested|suggests|wonders?|knew|"
    r"guess(?:ed)?|joked)\b|"
    r"\b(?:wrote|writes?|knows?|shout(?:s|ed)|yell(?:s|ed)|scream(?:s|ed)|whisper(?:s|ed)|mutter(?:s|ed)|"
    r"mumble[sd]|exclaim(?:s|ed)|complain(?:s|ed)|moan(?:s|ed)|grumble[sd]|brag(?:s|ged)|boast(?:s|ed)|"
    r"swears|swore|explain(?:s|ed)|repl(?:ies|ied)|respond(?:s|ed)|confess(?:es|ed)|admit(?:s|ted)|"
    r"reveal(?:s|ed)|remark(?:s|ed)|declare[sd]|warn(?:s|ed)|promise[sd]|predict(?:s|ed)|tweet(?:s|ed)|"
    r"post(?:s|ed)|text(?:s|ed)|add(?:s|ed)|answer(?:s|ed)|sang|chant(?:s|ed))"
    r"(?: (?:to|at) (?:me|us|him|her|them|every(?:one|body)|nobody|\w+ \w+))?"
    r"(?: (?:that|if|whether|how|why|what|i|i'm|we|my|our|he|she|they|he's|she's|they're|his|her|"
    r"their|me|us)\b|"
    r" the (?:\w+ ){1,3}?(?:is|are|was|were|has|will)\b|\s*[,:]|$)"
)

SOMEBODY = pattern(
    r"(?:some|a|an|one|this|that|another|two|three)(?: \w+){0,2}? (?:guys?|blokes?|m[ae]n|wom[ae]n|"
    r"lad(?:y|ies)|"
    r"persons?|people|kids?|girls?|boys?|strangers?|passengers?|dudes?|fellows?|chaps?|tourists?|teenagers?|"
    r"drunks?|couple|drivers?|waiters?|youtubers?|bloggers?|celebrit(?:y|ies)|actors?|politicians?)\b"
    r"(?! (?:in|on|of|from|at) (?:my|our|the) (?:team|family|company|household|group|project)\b)"
)
"""Somebody whom the person does not even know."""

HEARSAY = pattern(
    r"\b(?:according to|apparently|supposedly|allegedly|rumou?r|rumou?red|they say|people say|it is "
    r"said|reportedly)\b"
)

UNCERTAIN = pattern(
    r"\b(?:maybe|perhaps|probably|possibly|presumably|might|not sure|unsure|no idea|i (?:think|guess|"
    r"suppose|believe|feel like|"
    r"reckon|suspect|doubt|assume|wonder|hope|fear|bet)|i'm (?:thinking|considering|wondering|guessing|"
    r"not certain)|"
    r"(?:almost|nearly) (?!never|always|every|all|no|none|only)|seems?|could be|may be|likely|"
    r"undecided|i am (?:thinking|considering|wondering)|thinking (?:about|of))\b"
)

JOKE = pattern(
    r"\b(?:just kidding|only kidding|i'm kidding|i am kidding|kidding|jk|j/k|just joking|i'm joking|"
    r"only joking|joking|"
    r"that was a joke|it's a joke|as a joke|sarcasm|sarcastic(?:ally)?|being ironic|ironically|april "
    r"fools?|not really|"
    r"pulling your leg|for fun only|lol no|totally made (?:that|this) up|i made (?:that|this|it) up)\b|"
    r"(?:^|\s)/s\b|/sarcasm|😜|🙃|😏|\bha(?:ha)+\b.*\bnot\b"
)

DECLINED = pattern(
    r"\b(?:don't|do not|dont|please don't|never|no need to|you (?:don't|needn't|do not) (?:need|have) "
    r"to|needn't|shouldn't|"
    r"without|rather you didn't|stop) (?:\w+ ){0,1}?(?:remember|remembering|save|saving|store|storing|"
    r"note|noting|record|recording|write|"
    r"memori[sz]e|keep|keeping|log|file|filing|add)\b(?! (?:to|calling|in mind that))|\boff the "
    r"record\b|\bkeep (?:this|that|it) out of\b|"
    r"\bnot (?:to be|for) (?:remembered|saved|stored|memory|the record)\b|\bbetween (?:you and me|us) "
    r"only\b|\bdo not (?:put|add) (?:this|that|it)\b"
)

COMMAND_TO_OTHERS = pattern(
    r"^(?:please )?(?:tell|ask|inform|remind|let|email|text|call|message|write|send|say to|reply to) "
    r"(?!me\b|us\b)(?:him|her|them|everyone|[A-Z][a-z]+|my \w+|the \w+|our \w+)\b"
)
