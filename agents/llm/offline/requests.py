"""What a person can ask for in so many words: keep this, forget that, count, look it up. Both languages."""

from __future__ import annotations

import re


def pattern(text: str) -> re.Pattern[str]:
    """A pattern that looks neither at case nor at line ends."""
    return re.compile(text, re.IGNORECASE | re.DOTALL)


_POLITE = (
    r"(?:(?:please|can you|could you|would you|will you|i want you to|i need you to|i'd like you to|i "
    r"would like you to|make sure (?:to|you)|be sure to|"
    r"try to|always|you (?:should|must|need to)|and|also|ok|okay|hey|hi|so|just|kindly|then|now|by the "
    r"way),?\s+)*"
)
_POLITE_HAN = (
    r"(?:请|麻烦|麻烦你|帮我|给我|替我|你|您|要|一定要|务必|千万|那就|那|再|也|能不能|能|可以|可不可以|"
    r"帮忙|顺便|对了|好|，|,|\s)*"
)
REMEMBER = (
    pattern(
        rf"^{_POLITE}(?:(?:remember|keep in mind|bear in mind|make a (?:mental )?note|take note|don't "
        rf"(?:ever )?forget|do not forget|never forget|memori[sz]e|note)(?! (?:when|what|who|how|where|"
        rf"why|whether|if|me\b(?! as)|us\b))"
        r"(?:,? (?:this|the following|these(?: things| facts)?|it|in your memory|to memory|for (?:me|"
        r"later|next time|the future)|down|also|please))*(?: (?:that|the fact that))?\s*[:,—–-]?\s+|"
        r"(?:write (?:it |this |that )?down|jot (?:it |this )?down|save|store|record|put (?:it |this "
        r")?(?:in|into|to) (?:your )?memory|add (?:this )?to (?:your )?memory)(?: this| the following| "
        r"the fact| in (?:your )?memory| to (?:your )?memory)*(?: that |\s*[:—–]\s*)|"
        r"for your (?:memory|records?)\s*[:,]\s*)(?P<what>.+)$"
    ),
    pattern(
        rf"^{_POLITE_HAN}(?:记住|记下来?|记一下|记着|记得(?!我|你)|记得(?=我.*[^吗呢?？]$)|记录一下|"
        rf"记录|备忘|记好|牢记|谨记|别忘了|别忘记?|不要忘记|不要忘了|勿忘|保存一下|存一下|存进记忆|"
        rf"写进记忆|记到?记忆里)(?:了)?"
        r"(?:一下|这个|这点|这一点|这件事|以下(?:内容|几点)?|下面(?:的话|几点)?|"
        r"一件事)*\s*[：:，,。]?\s*(?P<what>.+)$"
    ),
)
REMEMBER_AFTER = (
    pattern(
        r"^(?P<what>.{4,}?)\s*[,;.—–-]+\s*(?:and )?(?:please |so )*(?:(?:can|could|would) you "
        r")?(?:remember (?:that|this|it)|note (?:that|it|this)(?: down)?|keep (?:that|this|it) in mind|"
        r"don't forget(?: (?:that|it|this))?|make a note(?: of (?:that|it|this))?)(?: please| for me| "
        r"ok(?:ay)?| for later)*$"
    ),
    pattern(
        r"^(?P<what>.{2,}?)\s*[，,。；;]\s*(?:请|你|要|帮我|麻烦你?|一定|都|给我|务必|千万)*(?:记住|"
        r"记一下|记好|记下来?|记着|备忘一下|存一下|别忘了?|不要忘(?:记|了)?|牢记)(?:它|这个|这点|"
        r"这一点)?(?:了|哦|啊|吧|吗|好吗|可以吗|好不好)*$"
    ),
)
REMEMBER_LAST = (
    pattern(
        rf"^{_POLITE}(?:remember|note|save|store|keep|write down|memori[sz]e)(?: (?:that|this|it|what "
        rf"i (?:just )?said|the above))(?: (?:down|please|for me|in mind|for later|in (?:your "
        rf")?memory))*$"
    ),
    pattern(
        rf"^{_POLITE_HAN}(?:记住|记下来?|记一下|保存|存)(?:一下)?(?:这个|这点|这一点|它|这句话|"
        rf"刚才的话|我刚才说的(?:话)?|上面的(?:话|内容)?|这件事)?(?:吧|哦|啊|了)?$"
    ),
)
TO_DO = pattern(r"^(?:to (?!be\b)\w+|带|去|买|提醒)")
NUMBER = pattern(r"^(?:number |no\.? ?|nr\.? ?|#)?[\d一二三四五六七八九十百]+ ?[:：](?!\d)")
"""What is kept goes on with a number of its own: "Note 9: shelf 27" is about note 9."""
REMIND = (
    pattern(
        r"^(?:please |can you |could you |will you )*(?:remind me (?:to |on |at |in |tomorrow|about "
        r"(?:the|my) .+ (?:at|on))|set (?:a|an) (?:reminder|alarm|timer)|wake me)"
    ),
    pattern(
        r"^(?:请|麻烦|到时候|记得|明天|能不能|可以|帮我)*(?:提醒我(?!.*(?:叫什么|是什么|是谁|哪|吗))|"
        r"定(?:个|一个)?闹钟|叫我起床)"
    ),
)
FORGET = (
    pattern(
        rf"^{_POLITE}(?:forget|delete|remove|erase|drop|clear|scratch|take out|unlearn)(?! it$| about "
        rf"it$| it,|ting| to| how| me$)(?: about)?(?: (?:the (?:line|fact|note|entry|memory|part)(?: "
        rf"(?:that|about|saying|with|where))?|that|from (?:your )?memory))?\s+(?P<what>.+?)(?: from "
        rf"(?:your |the |core )*memory)?$"
    ),
    pattern(
        rf"^{_POLITE_HAN}(?:忘掉|忘了|忘记|删掉|删除|删了|去掉|移除|清除|抹掉|划掉)(?!吗)(?:关于|"
        rf"有关)?(?P<what>.+?)(?:这(?:条|件事|一条|句话|点)|的(?:记忆|记录|内容|那条|事))?(?:吧|了)?$"
    ),
    pattern(
        rf"^{_POLITE_HAN}(?:把|将)(?:关于|有关)?(?P<what>.+?)(?:这(?:条|件事|一条|句话)|的(?:记忆|记录|"
        rf"内容|那条))?(?:从(?:你的)?(?:核心)?记忆(?:里|中)?)?(?:忘掉|忘了|忘记|删掉|删除|删了|去掉|"
        rf"移除|清除|抹掉)(?:吧|了)?$"
    ),
)
FORGET_LAST = (
    pattern(
        r"^(?:please |ok |no |sorry |actually )*(?:forget|delete|remove|erase|scratch|undo) (?:that|"
        r"this|it|what i (?:just )?said|the last (?:one|thing|fact|line))(?: again| please| from "
        r"(?:your )?memory)*$"
    ),
    pattern(
        r"^(?:请|那|你|算了|不对|，|,)*(?:忘掉|忘了|忘记|删掉|删除|撤销|撤回)(?:这个|那个|它|"
        r"刚才(?:那个|那句|那条|的话|说的|我说的(?:话)?)|这条|那条|上一条|我刚才说的(?:话)?)(?:吧|"
        r"了)?$|^当我没说(?:过)?(?:吧)?$"
    ),
)
ARCHIVE = (
    pattern(
        rf"^{_POLITE}(?:archive(?:(?: this| that| the following)?\s*[:：-]\s*| (?:this|that) )|(?:put|"
        rf"save|store|add|move|write|file) (?:this |the following |it )?(?:in|into|to) (?:the |your "
        rf")?archive\s*[:：-]?\s*|(?:save|store|put) (?:for the archive|in archival "
        rf"memory)\s*[:：-]?\s*)(?P<what>.+)$"
    ),
    pattern(
        rf"^{_POLITE_HAN}(?:归档|存档|(?:放|存|写|记)(?:到|进|入)(?:归档|档案)(?:里|"
        rf"中)?)(?:一下)?(?:这个|以下内容|下面的?(?:话|内容)?)?\s*[：:，,]\s*(?P<what>.+)$"
    ),
)
COUNT = (
    pattern(
        r"\bcount\b(?: (?:for me|slowly|please|out loud|up))*(?: from (?P<first>\d{1,6}))?(?: up)? "
        r"?(?:to|until|till) (?P<last>\d{1,6})\b"
    ),
    pattern(r"(?:从\s*(?P<first>\d{1,6})\s*)?(?:开始)?数(?:数)?(?:，|,)?\s*(?:数)?到\s*(?P<last>\d{1,6})"),
)
READ_MESSAGE = pattern(
    r"(?:\b(?:read|show|open|get)\b.*\bmessage\b|读(?:一下)?.{0,6}消息|(?:显示|打开|看).{0,8}消息|"
    r"message_read).*?(?P<id>[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"
)
FIND = (
    pattern(
        r"^(?:please |can you |could you |would you |now |ok |so )*(?:find|search(?: for)?|look up|"
        r"look for|locate|show me|give me|get|pull up|dig up)\s+(?:me )?(?:the |a |an |all |any |every "
        r"|my |our |that |old |earlier |past )*(?:messages?|conversations?|chats?|moments?|places?|"
        r"lines?|parts?|things?|notes?|time)\s*(?:again )?"
        r"(?:where|in which|when|that|which|about|with|containing|mentioning|on|of|from)?\s*(?:(?:i|we|"
        r"you) (?:had |have |first |last |just )?(?:mentioned|mention|said|say|talked|spoke|wrote|told "
        r"you|asked|discussed|brought up)(?: something)?(?: (?:about|of|that|you))*)?\s*(?P<what>.+)$"
    ),
    pattern(
        r"^(?:please |can you |could you )*(?:search|look through|go through|check) (?:(?:in |for |"
        r"through |my |our |the |this |all |old |past |previous )*(?:conversations?|chats?|messages?|"
        r"history|recall|memory|memories|archives?|notes)(?: history| memory)?\s*(?:for|about|where i "
        r"(?:said|mentioned)|:|：)\s*|for )(?P<what>.+)$"
    ),
    pattern(
        r"\bwhen (?:exactly )?(?:did|have) (?:i|we) (?:first |last |ever )?(?:say|mention|tell you|"
        r"talk|speak|write|discuss|ask|bring up)(?: you)?(?: (?:about|that|of|for))* (?P<what>.+)$"
    ),
    pattern(r"\bwhich message .*?\b(?:mention(?:ed)?|said?|about|contain(?:s|ed)?)\b (?P<what>.+)$"),
    pattern(
        r"\b(?:did|have) (?:i|we) (?:ever |already |once )?(?:mention(?:ed)?|sa(?:y|id)|t(?:ell|old) "
        r"you|talk(?:ed)?|writ(?:e|ten)|discuss(?:ed)?)(?: anything| something)?(?: (?:about|that|"
        r"of))* (?P<what>.+)$"
    ),
    pattern(
        r"^(?:请|麻烦|帮我|帮忙|你|能不能|可以|能)*(?:找|搜|查)(?:一下|一找|出来?|找|到|索一下|索|一查|"
        r"找出)*(?:我|我们|之前|以前|那条|哪条|关于|有关|历史|记录|里|中|聊天|对话|消息|说过|"
        r"的)*?(?:提到过?|说过?|讲过?|提过|聊过?|谈过?|写过?|问过?|关于|有关|含有|"
        r"包含)(?P<what>.+?)(?:的)?(?:那)?(?:条|句|个)?(?:消息|话|地方|对话|聊天|记录|内容|信息|时候|"
        r"部分)?(?:吧|吗|好吗)?$"
    ),
    pattern(
        r"^(?:请|麻烦|帮我|帮忙|你)*(?:在)?(?:对话|聊天|消息|历史|归档|记录|档案)?(?:记录|里|"
        r"中)*(?:搜索|搜一下|搜|查找|检索)(?:一下)?(?:历史|消息|聊天|对话|归档)?(?:记录|里|中)?(?:关于|"
        r"有关|的|[：:，,]|\s)*(?P<what>.+?)(?:吧)?$"
    ),
    pattern(
        r"^我(?:是)?(?:什么时候|哪天|何时|哪一天|几时|在哪条消息里?|哪条消息|哪句话)(?:里)?(?:跟你|"
        r"对你|和你)?(?:说过?|提到过?|提过?|讲过?|告诉过?你?|聊过?|问过?)(?:的|了)?(?P<what>.+?)(?:的|"
        r"吗|呢)?$"
    ),
    pattern(
        r"^我(?:以前|之前|有没有|是不是|曾经|跟你|对你|和你)*(?:说过?|提到过?|提过|讲过|聊过|"
        r"告诉过你)(?P<what>.+?)(?:吗|没有|没|么)$"
    ),
)
IN_ARCHIVE = pattern(r"\barchiv|归档|档案")
CREATE = pattern(
    r"^(?:(?:please|can you|could you|would you|will you|i want you to|i need you to|i'd like you to|"
    r"help me(?: to)?|let's|now|ok|hey|so|just|go ahead and|try to)[\s,]+)*"
    r"(?:write|compose|draft|generate|create|translate|summari[sz]e|explain|code|implement|program|"
    r"debug|fix|calculate|compute|solve|draw|paint|plan|design|recommend|suggest|brainstorm|rewrite|"
    r"rephrase|proofread|refactor|build|make me|cook|sing|"
    r"tell (?:me )?(?:a|another|some) (?:\w+ )?(?:joke|story|tale|riddle|poem)s?|play|book|order|buy|"
    r"send|call(?! me)|google|browse|open (?:the|a)|download|analy[sz]e|compare|teach me|convert|"
    r"imagine|pretend|act as|role-?play|give me (?:a|an|some|ten|five|three|\d+) (?:\w+ )?(?:idea|"
    r"recipe|tip|example|joke|advice|recommendation|poem|story|quote|name)s?)\b"
    r"|^(?:请|麻烦|你|能不能|能|可以|可不可以|帮我|帮忙|给我|替我|来|再|那|我想让你|我要你|咱们|"
    r"现在)*(?:写(?!进|到)|作一?首|编(?:一)?(?:个|首|段)|翻译|总结|概括|解释|画|计算|算一?下|算算|生成|"
    r"设计|推荐|讲(?:一)?个|说个(?:笑话|故事)|唱|润色|改写|续写|分析|制定|规划|列个(?:计划|提纲)|"
    r"做(?:一)?个(?:表|计划|网站|游戏)|查(?:一下)?(?:天气|股价|新闻|百度|谷歌)|订|买|发(?:一)?封|"
    r"打电话|教我|比较|对比|起(?:个|一个)名|想(?:个|几个|一个)|出(?:个|几个)主意|来(?:首|段|个)(?:诗|"
    r"歌|笑话|故事)?|扮演|假装)"
)
SHOWS = pattern(
    r"^(?:please |can you |could you |would you |just |now |ok |so )*(?:tell me|remind me(?: of| "
    r"about)?|show me|give me|list|name|say|repeat|recall|look up|check|i (?:forgot|forget|can't "
    r"remember|don't remember|want to know|wonder|would like to know|was wondering)|any idea|do you "
    r"know|do you (?:still )?remember|remember)\s+(?:again )?(?P<what>(?:what|who|when|where|which|how|"
    r"whether|if|why|my|our|the|all (?:of )?my|all (?:of )?our|everything|me\b).*)$"
)
SHOWS_HAN = pattern(
    r"^(?:请|麻烦|帮我|再|你|能不能|可以|那|现在|快)*(?:告诉我|说说|讲讲|说一下|讲一下|提醒我|列出|"
    r"列一下|列举|回忆一下|回想一下|报一下|重复一下|查一下|看看|看一下|我忘了|我忘记了|我想不起来?|"
    r"我不记得|我想知道|我想问(?:一下)?)[，,\s]*(?P<what>.+)$"
)
