"""What the offline model says. It says "saved" only of what a tool has answered "ok" to."""

from __future__ import annotations

PHRASES: dict[str, tuple[str, str]] = {
    "added": ("Saved to memory: “{}”.", "记住了：“{}”。"),
    "added_many": ("Saved to memory:\n{}", "记住了：\n{}"),
    "replaced": ("Updated: “{old}” is now “{new}”.", "已更新：“{old}”改为“{new}”。"),
    "proposed": (
        "Proposed, not saved yet: “{}”. Somebody who may change that memory block has to approve it.",
        "已提议，尚未写入记忆：“{}”。需要有权修改该记忆块的人批准。",
    ),
    "proposed_many": (
        "Proposed, not saved yet; somebody who may change that memory block has to approve it:\n{}",
        "已提议，尚未写入记忆，需要有权修改该记忆块的人批准：\n{}",
    ),
    "proposed_change": (
        "Proposed, not changed yet: “{old}” becomes “{new}”. Somebody who may change that memory block has "
        "to approve it.",
        "已提议，尚未更改：“{old}”改为“{new}”。需要有权修改该记忆块的人批准。",
    ),
    "proposed_removal": (
        "I proposed to remove this from core memory: “{}”. It stays until somebody who may change that "
        "memory block approves.",
        "我提议从核心记忆中删除：“{}”。在有权修改该记忆块的人批准之前，它仍然保留。",
    ),
    "waiting": (
        "That is proposed already and still waits for approval: “{}”.",
        "这一条已经提议过，还在等待批准：“{}”。",
    ),
    "approved": (
        "{who} approved what I proposed for the memory block {label}: “{text}”.",
        "{who} 批准了我对记忆块 {label} 的提议：“{text}”。",
    ),
    "rejected": (
        "{who} rejected what I proposed for the memory block {label}: “{text}”.",
        "{who} 拒绝了我对记忆块 {label} 的提议：“{text}”。",
    ),
    "withdrawn": (
        "{who} withdrew what I proposed for the memory block {label}: “{text}”.",
        "{who} 撤回了我对记忆块 {label} 的提议：“{text}”。",
    ),
    "note": (" The note says: “{}”.", "附言：“{}”。"),
    "rejected_saving": (
        "{who} said no, so I did not save this: “{text}”.",
        "{who} 不同意，所以我没有保存：“{text}”。",
    ),
    "expired_saving": (
        "Nobody said yes in time, so I did not save this: “{text}”.",
        "没有人及时同意，所以我没有保存：“{text}”。",
    ),
    "rejected_removal": (
        "{who} said no, so this stays in core memory: “{text}”.",
        "{who} 不同意，所以核心记忆里仍然有：“{text}”。",
    ),
    "expired_removal": (
        "Nobody said yes in time, so this stays in core memory: “{text}”.",
        "没有人及时同意，所以核心记忆里仍然有：“{text}”。",
    ),
    "known": ("I know that already: “{}”.", "这个我本来就知道：“{}”。"),
    "archived": (
        "I could not write it to core memory, so I put it into the archive: “{fact}”. {why}",
        "没能写进核心记忆，我把它放进了归档：“{fact}”。{why}",
    ),
    "failed": ("I could not save “{fact}”. {why}", "没能写入记忆：“{fact}”。{why}"),
    "why": ("The memory answered: {}", "记忆给出的原因：{}"),
    "no_place": (
        "There is no block that I may write it to.",
        "没有我可以写入、又放得下它的记忆块。",
    ),
    "no_tools": ("I have no memory tools in this chat.", "这个对话里我没有记忆工具。"),
    "forgotten": (
        "Removed from core memory: “{}”. The messages themselves and the older versions of the block stay.",
        "已从核心记忆中删除：“{}”。消息本身和记忆块的旧版本仍然保留。",
    ),
    "not_forgotten": (
        "I found no line in core memory that says that, so there was nothing to remove.",
        "核心记忆里没有找到这样一条内容，所以没有可删除的。",
    ),
    "archive_done": ("It is in the archive: “{}”.", "已放进归档：“{}”。"),
    "archive_failed": ("I could not put that into the archive. {}", "没能放进归档。{}"),
    "moved": (
        "Core memory was nearly full: {} older lines are now in the archive, word for word.",
        "核心记忆快满了：{} 条较早的内容已原样移到归档。",
    ),
    "queue_archived": (
        "The window is nearly full, so I put the gist of {} earlier messages into the archive.",
        "窗口快满了，我把较早的 {} 条消息的要点放进了归档。",
    ),
    "core": ("My core memory says: “{}”.", "我的核心记忆里写着：“{}”。"),
    "core_many": ("My core memory says:\n{}", "我的核心记忆里写着：\n{}"),
    "window": ("Earlier in this conversation you wrote: “{text}”.", "你在这个对话里说过：“{text}”。"),
    "recall_user": ("On {date} you wrote: “{text}”.", "你在 {date} 说过：“{text}”。"),
    "recall_other": ("On {date} {who} wrote: “{text}”.", "{who} 在 {date} 说过：“{text}”。"),
    "recall_assistant": ("On {date} I wrote: “{text}”.", "我在 {date} 说过：“{text}”。"),
    "archive": ("The archive has this, of {date}: “{text}”.", "归档里有一条（{date}）：“{text}”。"),
    "document": ("{place} says: “{text}”.", "{place}写道：“{text}”。"),
    "not_in_documents": (
        "I found nothing about “{}” in the documents. I find words, and can only quote what stands there.",
        "在文档里没有找到关于“{}”的内容。我只能按词查找，并引用原文。",
    ),
    "attached_ready": (
        "I can search “{}” now: ask me what it says about something, and I will quote it.",
        "“{}”现在可以查了：问我里面关于某件事怎么说，我会引用原文。",
    ),
    "attached_unread": (
        "“{}” is still being read. Ask me again in a moment.",
        "“{}”还在读取中，请稍后再问。",
    ),
    "attached_stopped": ("“{}” was not read: its reading was cancelled.", "“{}”没有读取：读取被取消了。"),
    "attached_failed": ("“{}” could not be read. {}", "“{}”没能读取。{}"),
    "attached_untold": ("“{}” came with your message.", "收到了“{}”。"),
    "skill": ("My skill “{skill}” says:\n\n{text}", "我的技能“{skill}”写道：\n\n{text}"),
    "first": (
        "The first message that I can find is of {date}: “{text}”.",
        "我能找到的第一条消息是 {date} 的：“{text}”。",
    ),
    "first_here": ("The first thing you wrote here: “{text}”.", "你在这里说的第一句话是：“{text}”。"),
    "first_none": ("This is the first message that I see from you.", "这就是我看到的你的第一条消息。"),
    "last": ("Just before, you wrote: “{}”.", "你上一条消息是：“{}”。"),
    "unknown": (
        "I don't know that. I looked in {} and found nothing about it.",
        "这个我不知道。我查了{}，没有找到相关的内容。",
    ),
    "unknown_bare": ("I don't know that.", "这个我不知道。"),
    "search_failed": ("A search failed: {}", "有一次搜索失败了：{}"),
    "not_found": ("I found no message that mentions “{}”.", "没有找到提到“{}”的消息。"),
    "world": (
        "I am an offline model and know only what I was told here.",
        "我是离线模型，只知道在这里听到的事。",
    ),
    "place_core": ("core memory", "核心记忆"),
    "place_recall": ("the earlier messages", "以前的消息"),
    "place_archive": ("the archive", "归档"),
    "and": (" and ", "和"),
    "comma": (", ", "、"),
    "about": ("This is what my core memory holds:\n{}", "我的核心记忆里有这些：\n{}"),
    "about_none": (
        "My core memory holds nothing about you yet. Tell me something, for example what you don't eat "
        "or when a deadline is.",
        "我的核心记忆里还没有关于你的内容。可以告诉我一些，比如你不吃什么、截止日期是哪天。",
    ),
    "now": ("It is {}.", "现在是 {}。"),
    "now_none": ("I cannot see a clock here.", "这里我看不到时间。"),
    "intro": (
        "Hello! I am the offline model built into memsite. I keep what you tell me about yourself and "
        "your project, "
        "and I find it again with its date. I cannot reason or write like a large model; an admin can "
        "add one in the "
        "settings.",
        "你好！我是 memsite 自带的离线模型。你告诉我关于你和项目的事，我会写进记忆，之后能连同日期一起"
        "找出来。我不能像大模型那样推理和写作；"
        "管理员可以在设置里添加真正的模型。",
    ),
    "greeting": ("Hello again! What is new?", "你好！有什么新情况吗？"),
    "thanks": ("You are welcome.", "不客气。"),
    "goodbye": ("Goodbye! What is in memory will still be there.", "再见！写进记忆的内容都会留着。"),
    "agrees": ("All right.", "好的。"),
    "how": (
        "I am a program and have no moods, but everything works. How are you?",
        "我是程序，没有心情，不过一切运行正常。你怎么样？",
    ),
    "who": (
        "I am the offline model built into memsite: a small program without a network and without a "
        "large language "
        "model behind it. I keep and find what you tell me; I cannot reason or write like a large model.",
        (
            "我是 memsite 自带的离线模型：一个不联网的小程序，背后没有大语言模型。我能保存和找回你告诉我的"
            "事，不能像大模型那样推理和写作。"
        ),
    ),
    "persona": ("My persona block says: “{}”.", "我的 persona 记忆块里写着：“{}”。"),
    "can": (
        "I can\n- keep what you state about yourself and your project, and correct it when it changes\n"
        "- answer from core memory, earlier messages and the archive, with the date\n"
        "- archive a text (“archive this: …”) and forget a line (“forget that …”)\n"
        "- find a message (“find the message where I mentioned …”)\n- count (“count to 200”)\n"
        "I cannot reason, write or code like a large model; an admin can add one in the settings.",
        "我能做的：\n- 把你说的关于你和项目的事写进记忆，有变化时更正\n- "
        "根据核心记忆、以前的消息和归档回答，并给出日期\n"
        "- 归档一段文字（“归档：……”），忘掉一条内容（“忘掉……”）\n- "
        "找出一条消息（“找一下我提到……的消息”）\n- 数数（“数到 200”）\n"
        "我不能像大模型那样推理、写作和编程；管理员可以在设置里添加真正的模型。",
    ),
    "create": (
        "I cannot do that: I am the offline model built into memsite and do not write, compute or give "
        "advice. I can keep "
        "what you tell me and find it again; an admin can add a real model in the settings.",
        (
            "这个我做不了：我是 memsite "
            "自带的离线模型，不会写作、计算或出主意。我能保存你告诉我的事并找出来；管理员可以在设置里添加真"
            "正的模型。"
        ),
    ),
    "opinion": (
        "I have no opinions and give no advice: I am an offline model that keeps and finds what it is told.",
        "我没有看法，也不出主意：我是离线模型，只保存和找回你告诉我的事。",
    ),
    "remind": (
        "I cannot send reminders. Say “remember: …” if I shall keep it; you can then ask me for it.",
        "我不能定时提醒。如果要我留着，请说“记住：……”，之后可以问我。",
    ),
    "count_many": ("I count to {} at most.", "我最多数到 {}。"),
    "hypothesis": ("That is a supposition, so I wrote nothing to memory.", "这是假设，所以我没有写入记忆。"),
    "reported": (
        "That is what somebody else says, so I wrote nothing to memory. Say “remember: …” if I shall "
        "keep it.",
        "这是转述别人的话，所以我没有写入记忆。需要的话请说“记住：……”。",
    ),
    "stranger": (
        "That is about somebody else, so I wrote nothing to memory. Say “remember: …” if I shall keep it.",
        "这说的是别人，所以我没有写入记忆。需要的话请说“记住：……”。",
    ),
    "past": (
        "That sounds like it is over, so I did not put it into core memory. It stays in the "
        "conversation, where I can find it.",
        "听起来这已经过去了，所以我没有写进核心记忆。它留在对话里，我能找到。",
    ),
    "passing": (
        "I have read that. It sounds like it is for now only, so I did not put it into core memory; it "
        "stays in the conversation.",
        "我看到了。听起来只是眼下的情况，所以没有写进核心记忆；它留在对话里。",
    ),
    "uncertain": (
        "You do not sound sure, so I wrote nothing to memory. Tell me when it is settled.",
        "听起来你还不确定，所以我没有写入记忆。定下来再告诉我。",
    ),
    "joke": ("I take that as a joke and wrote nothing to memory.", "我当作玩笑，没有写入记忆。"),
    "declined": (
        "All right, I wrote none of it to memory. The message itself stays in this conversation.",
        "好的，我没有把它写入记忆。消息本身仍在这个对话里。",
    ),
    "quoted": (
        "I take that as quoted or pasted text, so I wrote nothing to memory. Say “remember: …” if I "
        "shall keep it.",
        "我把这当作引用或粘贴的内容，所以没有写入记忆。需要的话请说“记住：……”。",
    ),
    "long": (
        "That is a long text. I wrote nothing of it to memory; tell me “remember: …” for what I shall keep.",
        "这段文字很长，我没有把它写入记忆；要我留着的请说“记住：……”。",
    ),
    "other": (
        "I cannot pass on messages to others, and wrote nothing to memory.",
        "我不能替你转告别人，也没有写入记忆。",
    ),
    "clipped": (
        "Your message is longer than my window: I saw only its beginning.",
        "你的消息比我的窗口还长，我只看到了开头。",
    ),
    "heard": (
        "I have read that and wrote nothing to memory: I keep plain statements about you and your "
        "project. Say "
        "“remember: …” if I shall keep it.",
        "我看到了，没有写入记忆：我只保存关于你和项目的明确陈述。需要的话请说“记住：……”。",
    ),
    "empty": ("Your message is empty.", "你的消息是空的。"),
    "too_many_steps": (
        "I stop here, since I have taken many steps in this turn.",
        "这一轮我已经走了很多步，就到这里。",
    ),
}


def phrase(name: str, chinese: bool, *values: object, **named: object) -> str:
    """One phrase in the language wanted, filled in."""
    return PHRASES[name][chinese].format(*values, **named)
