"""English verbs and times: what is over, what passes, and what lasts although it looks like either."""

from __future__ import annotations

from agents.llm.offline.english.words import pattern, words

PAST_MARK = pattern(
    r"(?<!'m )(?<!am )(?<!got )(?<!are )(?<!is )\bused to\b|\b(?:once|formerly|previously|back then|"
    r"back in|in the past|at (?:the|that) time|in those days|"
    r"when i was|when we were|as a (?:child|kid|teenager|student|boy|girl)|in my (?:youth|childhood|"
    r"twenties|teens|student days)|"
    r"(?:a few |some |many |several |\d+ |two |three |five |ten )?(?:years?|months?|decades?) ago|"
    r"before (?:that|then)|long ago|until (?:last|recently)|"
    r"growing up|originally)\b"
)

TIED_TO_PAST = pattern(
    r"\b(?:born|grew up|raised|graduated|moved|married|founded|started|quit|stopped|adopted|joined|"
    r"switched|gave up|retired|diagnosed|came from|come from|from)\b"
)

PASSING_TIME = pattern(
    r"\b(?:today|tonight|tomorrow|yesterday|this (?:morning|afternoon|evening|week|weekend|time|minute|"
    r"second)|right now|at the moment|"
    r"just now|later|soon|in a (?:minute|moment|bit|sec|second|while|hurry)|for (?:lunch|dinner|"
    r"breakfast) (?:today|tonight)|again today|"
    r"last (?:night|week|weekend|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|this very|"
    r"so far|for now|currently on my way)\b"
)

_MENTAL = (
    "think thinks guess suppose hope hoped wish wonder mean meant see understand agree disagree know "
    "feel believe doubt bet swear promise thank "
    "appreciate apologise apologize beg ask say tell care mind remember recall forget forgot suspect "
    "notice admit insist recommend suggest request "
    "repeat assume imagine expect hear heard trust look seem wait miss hate_to get_it got_it love_it "
    "love_you like_it like_you see_what quote "
    "am_sorry smell smells read_an read_a read_the read_about can't_believe couldn't_agree need_help "
    "need_you want_you want_a need_a need_some "
    "want_some check tried figured assure vote "
    "said told thought could would should might may shall did didn't was wasn't were weren't had "
    "hadn't couldn't wouldn't shouldn't "
)

MENTAL = pattern(rf"(?:{words(_MENTAL)})\b")

TRANSIENT_BE = pattern(
    r"(?:(?:so|very|really|a bit|a little|pretty|quite|too|feeling|kind of|not|just|all|still|getting|"
    r"extremely|super|totally|such|a|an) )*"
    r"(?:tired|exhausted|hungry|thirsty|bored|sad|happy|sorry|fine|good|great|ok|okay|alright|well|"
    r"sick|ill|ready|done|back|here|there|home|late|"
    r"busy|free|sure|certain|afraid|glad|lost|confused|stuck|curious|kidding|joking|about|off|up|in a|"
    r"in the (?!charge)|at|on (?:my|the) (?!team|board|spectrum|keto|committee)|"
    r"serious|aware|angry|mad|upset|annoyed|excited|nervous|stressed|worried|scared now|lonely|sleepy|"
    r"awake|cold|hot|"
    r"wondering|amazed|impressed|grateful|thankful|pleased|delighted|surprised|shocked|right|wrong|"
    r"only asking|out of|new here|with you|all ears|"
    r"better|worse|bit|mess|idiot|fan of this|yours|dead|dying to|lazy today|starving|freezing|full|"
    r"drunk|early|alone now|good at this)\b(?! (?:at|with) \w)"
)

LASTING_ING = pattern(
    r"(?:not )?(?:living|working|studying|learning|using|building|developing|planning|training|"
    r"preparing|raising|dating|majoring|researching|"
    r"writing (?:a|my|an) (?:book|thesis|novel|paper|phd|dissertation)|running (?:a|an|my|our) |"
    r"leading|managing|teaching|allergic|expecting|"
    r"taking (?:insulin|medication|care of)|trying to (?:quit|lose|learn|stop|eat|get|become|save)|"
    r"saving|switching|migrating|targeting|hiring|moving|"
    r"getting married|retiring|renovating|hosting|caring|aiming|collecting|recovering|looking for (?:a|"
    r"an) (?:job|flat|house|new)|doing (?:a|my) (?:phd|master|degree))\b"
)

LASTING_PAST = pattern(
    r"(?:\w+ly )?(?:was born|were born|born|grew up|was raised|graduated|majored|studied|moved|"
    r"relocated|(?:got |was )?married|got (?:engaged|divorced|promoted|fired)|"
    r"divorced|adopted|switched|changed|renamed|quit|stopped|joined|retired|founded|co-founded|started|"
    r"decided|agreed|chose|picked|settled|migrated|upgraded|"
    r"converted|became|gave up|gave birth|turned \d+|bought (?:a|an|our|my) (?:\w+ )?(?:house|flat|"
    r"apartment|car|home|boat|farm|bike)|got (?:a|an|my|our) (?:\w+ )?(?:dog|cat|puppy|kitten|job|"
    r"promotion|house|degree|phd|car|licen[sc]e)|had (?:a|our|my) (?:\w+ )?(?:baby|son|daughter|child|"
    r"stroke|transplant|operation|appendix|surgery)|signed|cancelled|canceled|dropped|died|passed away|"
    r"was diagnosed|"
    r"have decided|lost my (?:\w+ )?(?:job|leg|arm|hand|finger|eye|hearing|sight|sense|father|mother|"
    r"wife|husband|brother|sister)|was (?:moved|changed|postponed|extended|pushed|delayed|rescheduled|"
    r"renamed|cancelled|canceled|promoted|adopted)|"
    r"were (?:moved|changed)|got (?:moved|changed|postponed|extended|pushed|delayed|rescheduled)|"
    r"rescheduled|postponed|extended|pushed|set|named|went (?:up|down)|rose|grew|fell|increased|"
    r"decreased|shrank|came down|doubled|called (?:him|her|it) |ditched|abandoned|scrapped|"
    r"(?:got|gotten) rid of|"
    r"(?:been )?(?:slipped|slid|shifted|bumped|deferred|put (?:back|off)|(?:pulled|brought) forward) "
    r"(?:back |forward )?(?:to|until|till|by))\b"
)

PAST_VERB = pattern(
    r"(?!need|feed|breed|seed|speed|bleed|embed|shed|wed\b)(?:\w{2,}ed|was|were|went|had|did|didn't|"
    r"wasn't|weren't|hadn't|came|saw|made|took|got|gave|found|thought|ate|drank|"
    r"slept|woke|ran|met|felt|wrote|bought|brought|kept|knew|heard|sat|spoke|spent|won|lost|broke|"
    r"began|drove|fell|flew|forgot|left|sent|paid|"
    r"built|caught|taught|sold|told|said|wore|sang|swam|stood|understood|lent|hurt|cut my|put|read "
    r"yesterday)\b"
)

LASTING_PARTICIPLE = pattern(
    r"(?:always |never |recently |just |now |already |finally |all |long |only |not |since )*(?:lived|"
    r"worked|been (?:a|an|living|working|using|learning|studying|playing|"
    r"married|vegan|vegetarian|sober|to|in|allergic|diagnosed|with|on|able|told i)|known|had|owned|"
    r"used|played|studied|decided|moved|relocated|switched|changed|stopped|quit|become|started|given "
    r"up|"
    r"adopted|agreed|chosen|settled|migrated|upgraded|retired|joined|got (?:a|an|two|three|four|no|\d|"
    r"kids|children|diabetes|asthma)|eaten|drunk|smoked|liked|loved|hated|"
    r"preferred|graduated|published|written|come to (?:like|love|hate|enjoy|appreciate|prefer)|grown "
    r"to|visited|founded|bought|turned|spoken)\b"
)

ABILITY = pattern(
    r"(?:not )?(?:only |also |barely |hardly |no longer |never |easily |still )*(?:eat|drink|have|"
    r"speak|swim|drive|play|read|write|hear|walk|tolerate|stand|bear|abide|"
    r"(?:live|do) without|handle|digest|sing|"
    r"do (?!it\b|this\b|that\b|so\b|anything|the\b|your|what|much)|cook|ride|fly|ski|see colou?rs?|see "
    r"well|smell|taste|sleep (?:without|with|before|after|more|less|on)|work (?:on|before|after|only|"
    r"from)|type|dance|code|program)\b"
)

LASTING_WANT = pattern(
    r"(?:want|plan|intend|aim|hope|'d like|would like|dream of|aspire|need)s? (?:to )?(?:one day |"
    r"eventually |also )?(?:learn|become|be (?:a|an|called)|visit|travel|move|study|build|write (?:a|"
    r"an|my)|lose|run a|start|"
    r"quit|stop|improve|live|retire|buy (?:a|my) (?:house|flat|home)|get (?:married|my|fit|better|a "
    r"degree)|have (?:kids|children)|finish (?:my|the)|support|ship|avoid|take (?:insulin|medication)|"
    r"submit|"
    r"deliver|keep (?:the|our|my))|(?:want|prefer|need)s? (?:all |the |my |our |your )?(?:answers|"
    r"replies|reports|responses|code|emails|everything|summaries)\b|need (?:glasses|a wheelchair|"
    r"insulin|subtitles|an? \w+ accessible)"
)

VAGUE_OBJECT = pattern(
    r"(?:really |also |do |still |don't |do not )*(?:like|love|hate|need|want|enjoy|prefer|use|have|"
    r"got|see|get|take|try|do|dislike|read|eat)s? (?:it|this|that|these|those|them|him|her|you|one|"
    r"both|what you|the (?:idea|answer|plan|way|sound)|your)\b"
)

BROKEN = pattern(
    r"\b(?:hurts?|is broken|are broken|doesn't work|don't work|isn't working|not working|is down|is up|"
    r"fails?|failing|failed|crashe[sd]|"
    r"crashing|is loading|is late|is stuck|is slow today|is going (?:well|badly|fine|great|ok)|is "
    r"(?:great|fine|good|bad|nice|cool|awesome|"
    r"terrible|amazing|ready|done|over|empty|dead|full|cold|here|back|gone|wrong|right|annoying|green|"
    r"red|passing|running|stable|live|slow|fast|finished|complete|completed|beautiful|lovely|boring|funny|"
    r"interesting|silent|quiet|loud|late|early|killing me)$|\bmood\b|"
    r"is (?:so|really|very) (?:great|good|bad|nice|cool|annoying|slow|hard)|question is|point is|turn "
    r"is|opinion is|guess is|"
    r"(?:battery|internet|wifi|connection) is)\b"
)
"""Of a thing: how it is just now."""

SHORT_LIVED = pattern(
    r"\b(?:have to (?:go|run|leave)|got to go|gotta go|have (?:a|an|another|one|some|no) (?:quick |"
    r"small |simple |dumb |stupid |bad |good |weird |strange |funny )?(?:question|"
    r"problem|headache|cold|idea|ideas|doubt|request|issue|bug|favou?r|minute|moment|clue|time|fever|"
    r"task|plan|suggestion|hunch|look|"
    r"coffee|nap|drink|point|choice|thought|guess|call|feeling)s?)\b|\bmy (?:bad|apologies|pleasure|fault)\b"
)
