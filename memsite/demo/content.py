"""What the demo says: a community garden whose people speak English and Chinese."""

from __future__ import annotations

from dataclasses import dataclass, field

from memory.models import Block

OWNER, COLLEAGUE = "owner", "colleague"
OWNER_NAME, COLLEAGUE_NAME = "Ada", "林梅 (Mei Lin)"
TEAM = "Harvest 丰收"


@dataclass(frozen=True)
class DemoAgent:
    """An agent of the team: name, who it is, and the language in which it was set up."""

    name: str
    persona: str
    language: str


@dataclass(frozen=True)
class DemoBlock:
    """A block that both agents share, and the texts that it had one after the other.

    `taken_back` is a text that the owner wrote last and took back.
    """

    label: str
    description: str
    governance: str
    texts: tuple[str, ...]
    taken_back: str = ""


@dataclass(frozen=True)
class DemoChat:
    """A chat: who has it with which agent, in the team's workspace or in their own, and what they say."""

    title: str
    who: str
    agent: str
    lines: tuple[str, ...]
    is_shared: bool = field(default=True, kw_only=True)


AGENTS = (
    DemoAgent("Sprout", "I am Sprout. I keep what the garden decided, and I say where I know it from.", "en"),
    DemoAgent("小苗", "我是小苗，丰收社区菜园的助手。我记住大家的约定，回答简短。", "zh-hans"),
)

_PROJECT = "Community garden at Mill Lane, shared by twelve families.\n磨坊巷社区菜园，由十二户人家共同照管。"
_PLAN = f"{_PROJECT}\nPlan for this year: tomatoes, beans and pumpkins.\n今年的计划：番茄、豆角和南瓜。"
_AGREED = "Watering: Mondays and Thursdays, before nine.\n浇水：周一和周四，九点之前。"
_SHED = "The tool shed is locked at night.\n工具棚夜里上锁。"

PROJECT = DemoBlock(
    "project",
    "What the garden is, what is planned, and what we learned. 菜园的情况、计划和经验。",
    Block.Governance.FREE,
    (_PROJECT, _PLAN),
    taken_back=f"{_PLAN}\nPlan for next year: a fountain.",
)
AGREEMENTS = DemoBlock(
    "agreements",
    "What everybody agreed on. Changes wait for a yes. 大家的约定，修改需要同意。",
    Block.Governance.PROPOSE,
    (_AGREED, f"{_AGREED}\n{_SHED}"),
)
GLOSSARY = DemoBlock(
    "glossary",
    "Names of plants and tools in both languages; people keep it. 植物和工具的中英文名称，由人维护。",
    Block.Governance.READ_ONLY,
    (
        "seedling = 幼苗\ncompost = 堆肥\nwatering can = 洒水壶",
        "seedling = 幼苗\ncompost = 堆肥\nwatering can = 洒水壶\nraised bed = 高床",
    ),
)
BLOCKS = (PROJECT, AGREEMENTS, GLOSSARY)

# The colleague is a member, so her edit is a proposal; then the owner's edit of another line moves its base.
PROPOSED = "\n".join(
    (
        "Watering: Mondays, Wednesdays and Fridays, before nine.",
        "浇水：周一、周三和周五，九点之前。",
        _SHED,
    )
)
REASON = "The tomatoes droop by Wednesday. 番茄到周三就蔫了。"
MOVED = f"{AGREEMENTS.texts[-1]}\nHarvest day is the first Saturday of the month.\n每月第一个周六是收获日。"

CHATS = (
    DemoChat(
        "The greenhouse",
        OWNER,
        "Sprout",
        ("Please remember: the greenhouse opens at eight.", "When does the greenhouse open?"),
    ),
    DemoChat(
        "番茄和浇水",
        COLLEAGUE,
        "小苗",
        ("请记住：每周三给番茄搭架子。", "番茄什么时候搭架子？"),
    ),
    DemoChat(
        "A first talk with Sprout",
        OWNER,
        "Sprout",
        ("I like short answers in the morning.", "What is the plan for this year?"),
        is_shared=False,
    ),
    # What is said in a private chat reaches the team as a proposal only.
    DemoChat(
        "备用钥匙",
        COLLEAGUE,
        "小苗",
        ("我喜欢用中文聊天。", "请记住：我们团队的备用钥匙挂在工具棚里。"),
        is_shared=False,
    ),
)
