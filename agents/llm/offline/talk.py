"""Small talk, and questions about the model, the clock, and all that is known. Both languages."""

from __future__ import annotations

from agents.llm.offline.requests import pattern
from agents.llm.offline.sentences import sentences

GREETING = pattern(
    r"^(?:hi+|hello+|hey+|hiya|howdy|yo|good (?:morning|afternoon|evening|day)|greetings|hola|bonjour|"
    r"hallo|nice to meet you|你好+|您好|嗨+|嘿|哈喽|哈罗|早上好|早安|早|下午好|晚上好|大家好|在吗|在么|"
    r"在不在|hi|hello|喂|初次见面|很高兴认识你|认识你很高兴)"
    r"(?:[\s,，!！.。~～]*(?:there|again|everyone|all|memsite|agent|friend|you|(?-i:[A-Z][a-z]+)|小\w|"
    r"啊|呀|哦|呢|吗|"
    r"朋友))*[\s!！.。~～?？]*$"
)
THANKS = pattern(
    r"^(?:(?:ok|great|cool|nice|perfect|wonderful|好的?|太好了|非常|十分|真的)[\s,，!！]*)*(?:thanks?|"
    r"thank you|thx|ty|cheers|much appreciated|谢谢|多谢|感谢|谢了|谢啦|辛苦了|3q).{0,20}$"
)
GOODBYE = pattern(
    r"^(?:ok |好的?[，, ]*|well |那[，, ]*|that's all[,. ]*)*(?:good ?bye|bye+|see you|see ya|good "
    r"?night|talk (?:to you )?later|take care|再见|拜拜|晚安|回头见|明天见|下次见|下次聊|先这样|回见|"
    r"886).{0,16}$"
)
AGREES = pattern(
    r"^(?:ok(?:ay)?|yes|yeah|yep|sure|fine|cool|great|nice|good|perfect|i see|got it|understood|all "
    r"right|alright|right|wow|lol|haha+|hm+|no|nope|never ?mind|forget it|forget about it|not now|嗯+|"
    r"哦+|噢|好+的?|好吧|行吧?|可以|知道了|明白了?|收到|是的?|对的?|没错|不是?|没事|算了|哈+|呵+|嘻+|"
    r"不错|真棒|厉害|666|ok的)[\s!！.。~～,，]*$"
)
HOW_ARE_YOU = pattern(
    r"^(?:(?:hi|hello|hey|你好|嗨|and|so)[\s,，!！.]*)*(?:how(?:'s| is| are)? (?:it going|you(?: doing|"
    r" feeling)?(?: today| now)?|things|life|everything)|how do you do|what's up|how have you been|you "
    r"ok(?:ay)?|你好吗|你(?:最近)?(?:怎么样|还好吗|好不好|今天怎么样|过得怎么样|心情怎么样)|最近怎么样|"
    r"最近好吗|近来可好|吃了吗|怎么样)[\s?？!！.。]*$"
)
OPINION = pattern(
    r"\bwhat do you (?:think|suggest|recommend|advise|say|prefer|like|want)\b|\bdo you (?:like|agree|"
    r"think|believe|"
    r"want|feel|love|prefer|enjoy|mind)\b|\byour (?:opinion|favou?rite|view)\b|\bany (?:ideas|"
    r"suggestions|advice)\b|"
    r"你(?:觉得|认为|怎么看|怎么想|喜欢|想要|建议|推荐|同意)(?!我(?:不|吃|叫|住))|你(?:的)?(?:看法|"
    r"意见|建议|最喜欢)|(?:有什么|有何)(?:建议|看法|意见)"
)
WHO_ARE_YOU = pattern(
    r"\b(?:who|what) (?:exactly |really )?are you\b|\bwhat(?:'s| is) your name\b|\bare you (?:a |an |"
    r"the )?(?:real|human|person|bot|robot|ai|llm|language model|model|chatgpt|gpt|claude|offline|"
    r"alive|sentient|conscious)|\bwho (?:made|built|created|trained) you\b|"
    r"\b(?:which|what) (?:language |ai )?model\b.*\b(?:you|this)\b|\bintroduce yourself\b|\btell me "
    r"about yourself\b|\bdo you have a name\b|\bwhat should i call you\b|"
    r"你(?:是|到底是|究竟是|算是)(?:谁|什么(?!时候)|人|真人|机器人|ai|AI|哪个模型|哪种模型|不是人)|"
    r"你叫(?:什么|啥)|你的名字(?:是|叫)(?:什么|啥)|(?:介绍|说说)(?:一下)?你自己|你是.{0,6}(?:模型|"
    r"机器人|真人|gpt|人工智能)|你用的(?:是)?什么模型|谁(?:做|开发|创造|训练)(?:了|的)?你|怎么称呼你|"
    r"我该叫你什么"
)
CAN_DO = pattern(
    r"\bwhat (?:can|do) you (?:actually )?(?:do|offer|know how)\b|\bhow (?:can|could) you help\b|\bhow "
    r"do you work\b|\bwhat are you (?:able|capable|good)\b|\bwhat(?:'s| is) (?:this|memsite|your "
    r"(?:purpose|job|function))\b|\bhow (?:do i|can i|to) use (?:you|this)\b|^help[!.?]*$|\bwhat can i "
    r"(?:ask|say|do)\b|"
    r"你(?:能|会|可以)(?:做|干|帮我做|帮我干|提供)(?:些|点)?(?:什么|啥|哪些)|你有(?:什么|哪些)(?:功能|"
    r"能力|本事|用)|怎么(?:用|使用)(?:你|这个)|^帮助$|你(?:是)?怎么工作的|你擅长什么|(?:这|"
    r"memsite)是(?:什么|啥|干什么的)|我(?:能|可以)(?:问|跟)你(?:什么|说什么|做什么)"
)
NOW = pattern(
    r"\bwhat(?:'s| is) (?:the |today's |current )*(?:time|date|day)(?: (?:is it|now|today|is today|"
    r"right now))*[\s?]*$|\bwhat (?:time|day|date|year|month) is (?:it|today)\b|\bwhich day is (?:it|"
    r"today)\b|^today's date|\bdo you (?:know|have) the time\b|"
    r"(?:现在|今天|当前)(?:是)?(?:几点|什么时间|什么时候|几号|几月|星期几|周几|礼拜几|哪天|哪一天|"
    r"什么日子|哪年|几月几号)|^几点了|现在的?时间|今天的?日期"
)
ABOUT_ME = pattern(
    r"\bwhat (?:do|did|have|all|else|things) (?:do )?you (?:already |all |actually |currently "
    r")?(?:know|remember|remembered|learn(?:ed)?|have|store|stored|saved|noted|got|memori[sz]ed?)(?: "
    r"(?:stored|saved|noted|on file|written down|learned))?(?: (?:about|of|on) (?:me|us|my ?self|the "
    r"project|our project|my project)| so far| in (?:your )?(?:core )?memory|[\s?]*$)|"
    r"\b(?:tell|show|list|give) (?:me )?(?:everything|all|what) (?:that )?you (?:know|remember|have|"
    r"noted|saved)\b|\b(?:everything|all) you (?:know|remember) about me\b|\b(?:show|list|read|print) "
    r"(?:me )?(?:your|the|my) (?:core )?(?:memory|memories|notes|facts)\b|"
    r"\bwhat(?:'s| is) (?:in|on) (?:your|my|the) (?:core )?(?:memory|file)\b|\bdescribe me\b|"
    r"\bsummari[sz]e what you know\b|\btell me (?:something )?about (?:me|myself)\b|\bhow well do you "
    r"know me\b|\bdo you (?:know|remember) (?:anything|something) about me\b|\bdo you know me\b|\bdo "
    r"you remember me\b|\bwhat do you know(?: about me)?\b[\s?]*$|"
    r"你(?:都|还|现在|目前|已经|到底)*(?:知道|了解|记得|记住了?|记了|记着|掌握|存了|"
    r"保存了)(?:了)?(?:关于)?(?:我|我们|项目)?(?:的)?(?:什么|哪些(?:事|信息|内容|东西)?|多少|些什么|啥|"
    r"的(?:信息|情况|事)(?:有)?(?:哪些|什么)?)(?:关于我的?(?:事|信息)?|事|信息|东西|"
    r"内容)?[\s?？。吗呢]*$|"
    r"关于(?:我|我们|项目|这个项目)[，,]?(?:的)?(?:事|情况|信息)?[，,]?你(?:都|还)?(?:知道|记得|了解|"
    r"记住|记了)|你(?:都|还)?(?:知道|记得|了解)关于我的|(?:列出|列一下|说说|讲讲|总结一下?|"
    r"告诉我)(?:所有)?你(?:所)?(?:知道|记得|记住|了解)的?|你(?:还)?(?:了解|认识|记得)我吗|"
    r"你对我(?:有)?(?:什么|多少)?(?:了解|印象|记忆)|(?:你的)?(?:核心)?记忆里(?:都)?有(?:什么|哪些|啥)|"
    r"我是(?:一个)?(?:什么样|怎样|怎么样)的人|(?:介绍|描述)(?:一下)?我(?:自己)?(?:吧)?$"
)
FIRST_SAID = pattern(
    r"\b(?:first|earliest|oldest|very first) (?:thing|message|words?|sentence|question|line|"
    r"statement)\b(?:.*\b(?:i|we|you|me|mine|chat|conversation)\b|[\s?]*$)|\bwhat did i (?:say|tell "
    r"you|write|ask)(?: you)? (?:at )?(?:first|the (?:very )?(?:beginning|start|outset))\b|\bhow did "
    r"(?:this|our) (?:chat|conversation) (?:start|begin)\b|"
    r"(?:第一|最早|最开始|最初|一开始|开头|起初)(?:句|条|个|次|的)?(?:话|消息|问题)?.*(?:说|讲|问|告诉|"
    r"写|聊|发|是什么|是啥|话|消息)"
)
LAST_SAID = pattern(
    r"\b(?:what did i (?:just|last) (?:say|tell|ask|write)|what (?:was|is) my (?:last|previous) "
    r"(?:message|sentence|question|words?)|repeat what i (?:just )?said)\b|^what i (?:just )?said[\s?]*$|"
    r"我(?:刚才|刚刚|上一(?:句|条))(?:说|问|讲|发)?了?(?:的是)?(?:什么|啥)|我上(?:一)?(?:句|条)(?:话|"
    r"消息)(?:是)?(?:什么|啥)|重复(?:一下)?我(?:刚才)?说的"
)
_SHORT = 60
_KINDS = (
    ("greeting", GREETING),
    ("thanks", THANKS),
    ("goodbye", GOODBYE),
    ("agrees", AGREES),
    ("how", HOW_ARE_YOU),
    ("can", CAN_DO),
)


def kind_of_talk(text: str) -> str:
    """The kind of small talk that a message is, or "" where it is something else."""
    bare = text.strip()
    for name, form in _KINDS:
        if len(bare) <= _SHORT and form.match(bare):
            return name
    first = sentences(bare)[:1]
    return "greeting" if first and GREETING.match(first[0].text) else ""
