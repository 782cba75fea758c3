"""English questions, and the tags that make one of a statement, or do not."""

from __future__ import annotations

from agents.llm.offline.english.words import pattern

QUESTION = pattern(
    r"^(?!(?:and |but )?(?:so|neither|nor) (?:do|does|am|is|are|have|has|can|will) (?:(?:my|our) )?[\w-]+$)"
    r"(?:and |but |so |ok |okay |hey |hi |well |then |also |now |please |sorry |by the way |btw |"
    r"quick question |[,\s])*"
    r"(?:(?:what|who|whom|whose|when|where|why|how|which)(?:'s|'re|'d|'ll)?\b(?! (?:i|we) .{1,40} "
    r"(?:is|are) )|(?:do|does|did|is|are|am|was|were|can|could|will|would|shall|should|have|has|had|"
    r"may|might|"
    r"isn't|aren't|don't|doesn't|didn't|won't|can't|couldn't|wouldn't|haven't|hasn't|ain't|wasn't) "
    r"(?:i|you|we|he|she|it|they|there|this|that|these|those|my|our|your|the|his|her|their|any|a|an|"
    r"some)\b|"
    r"(?:does|did|is|are|was|can|will|has) (?-i:[A-Z][a-z]+)\b)"
)

TAG_ASKS = pattern(
    r"^(?:right|correct|is(?:n't)? (?:it|that)(?: so| right| true| correct)?|am i(?: right)?|am i not|"
    r"aren't i|do(?:n't)? i|did(?:n't)? i|have(?:n't)? i|can(?:'t)? i|was(?:n't)? i|will i|won't i|"
    r"would(?:n't)? i|"
    r"do(?:n't)? we|are(?:n't)? we|is(?:n't)? he|does(?:n't)? (?:it|he|she)|yes|no|or not|or am i|or "
    r"do i|huh|true|you (?:remember|know|recall)|remember|do you (?:remember|know|recall)|don't you "
    r"(?:remember|know)|was it|wasn't it|"
    r"has(?:n't)? it|must(?:n't)? i|innit|what do you think|is that (?:right|correct|true))(?: that)?$"
)

TAG_TELLS = pattern(
    r"^(?:ok|okay|got it|understood|clear|alright|all right|please|deal|will you|would you|could you|"
    r"can you|is that clear|is that ok(?:ay)?|you got (?:it|that)|did you get (?:it|that)|can you "
    r"(?:remember|note|save) (?:it|that|this))$"
)
