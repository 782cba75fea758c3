"""What words are about, in English and Chinese at once: concepts, which both a fact and a question name.

A concept has its words in both languages, so that 我不吃香菜 answers "what don't I eat?". Underscores join
the words of one English term.
"""

from __future__ import annotations

from agents.llm.offline.kinds import KINDS, SAME
from agents.llm.offline.wording import listed

# Verbs and relations: what is said about something.
RELATIONS: dict[str, tuple[str, str]] = {
    "eat": ("eat eats eating ate eaten", "吃 进食 吃饭 忌口 忌 食用 戒口"),
    "drink": ("drink drinks drinking drank", "喝 饮用 喝酒"),
    "smoke": ("smoke smokes smoking smoker cigarette cigarettes", "抽烟 吸烟 烟 抽"),
    "allergy": ("allergic allergy allergies intolerant intolerance", "过敏 不过敏 不耐受 过敏源 过敏原"),
    "like": (
        "like likes liked liking love loves enjoy enjoys prefer prefers preferred preference preferences "
        "favourite favorite favourites favorites fond hobby hobbies fan hate hates dislike dislikes adore "
        "passion passionate interest interests interested can't_stand cannot_stand",
        "喜欢 爱 最爱 喜爱 热爱 酷爱 偏好 偏爱 爱好 兴趣 感兴趣 讨厌 反感 厌恶 受不了 钟爱 中意 喜好 "
        "嗜好 爱吃 爱喝 "
        "痴迷 迷上 恨 倾向 粉丝 不喜",
    ),
    "fear": ("afraid fear fears scared phobia", "怕 害怕 恐惧 恐高 恐"),
    "live": (
        "live lives living lived reside resides residence based my_home home_city home_town settle settled",
        "住 居住 住在 定居 搬到 搬去 搬来 搬家 搬 住址 家在 常驻 居住地 住处 我家在 家住",
    ),
    "origin": (
        "hometown native originally grew grow born raised come_from comes_from am_from i'm_from "
        "is_from am_i_from "
        "birthplace nationality",
        "老家 家乡 来自 出生 生于 籍贯 长大 出生地 国籍 哪里人 哪儿人 祖籍 故乡",
    ),
    "work": (
        "work works working worked job jobs profession occupation career "
        "for_a_living for_work join joined position role",
        (
            "工作 上班 职业 任职 就职 供职 入职 跳槽 职位 岗位 从事 做什么的 干什么的 干嘛的 当 "
            "担任 行业 上班族 谋生 实习 职务"
        ),
    ),
    "study": (
        "study studies studying studied learn learns learning major majoring degree university college "
        "school "
        "graduate graduated graduation student",
        "学 学习 学校 大学 专业 主修 读书 上学 毕业 念书 就读 攻读 在读 学生 学的 母校 读研 读博 上大学 自学",
    ),
    "use": (
        "use uses using used utilise utilize adopt built_with written_in run_on runs_on",
        "用 使用 采用 在用 改用 用的 常用 选用",
    ),
    "speak": ("speak speaks speaking spoken fluent", "说 讲 会说 会讲 母语"),
    "play": ("play plays playing played", "玩 打 弹 演奏 弹奏 拉"),
    "read": ("read reads reading", "读 阅读 看书"),
    "watch": ("watch watches watching", "看 观看 追"),
    "listen": ("listen listens listening hear", "听"),
    "drive": ("drive drives driving drove", "开车 驾驶 开的 驾照"),
    "travel": (
        "travel travels travelling traveling trip trips vacation holiday visit visits",
        "旅行 旅游 出差 度假 去过",
    ),
    "sleep": ("sleep sleeps sleeping bed bedtime", "睡 睡觉 入睡 熬夜"),
    "wake": ("wake wakes waking get_up gets_up", "起床 早起"),
    "exercise": ("exercise exercises gym workout jog jogging", "跑 锻炼 健身 运动 跑步 晨跑 夜跑"),
    "must": (
        "must required require requires requirement requirements constraint constraints mandatory rule rules",
        "必须 要求 不得 不允许 禁止 务必 约束 限制 规定 规则 硬性要求 一定要 硬性规定",
    ),
    "responsible": (
        "responsible in_charge owner lead leads manage manages leader",
        "负责 负责人 主管 管理 牵头 带队 组长",
    ),
    "pay": ("pay pays paying", "付 交钱"),
    "own": ("own owns", "拥有"),
    "marry": (
        "married marry marriage single divorced engaged wedding",
        "结婚 已婚 未婚 单身 离婚 婚礼 订婚 结了婚",
    ),
    "goal": (
        "goal goals aim plan plans planning dream dreams want wants ambition",
        "目标 计划 打算 梦想 想学 想当 愿望 准备",
    ),
    "learned": ("skill skills good_at expert", "擅长 精通 特长 拿手"),
}
# Attributes: things which are said to be something.
ATTRIBUTES: dict[str, tuple[str, str]] = {
    "name": (
        "name names named called call nickname surname who_am_i go_by goes_by known_as",
        (
            "名字 姓名 叫 名叫 叫做 称呼 姓 昵称 外号 小名 大名 全名 我是谁 名 叫作 改名 英文名 中文名 "
            "叫什么名字 喊"
        ),
    ),
    "age": ("age old years_old year_old turned", "岁 年龄 多大 年纪 几岁 周岁 岁数 虚岁 多少岁"),
    "birthday": (
        "birthday birthdate birth_date date_of_birth born born_on birth",
        "生日 出生日期 生于 出生 出生于 生辰 几号生 诞辰",
    ),
    "deadline": (
        "deadline deadlines due due_date cutoff submission hand_in finish finish_by ddl time_limit "
        "delivery_date",
        (
            "截止 截止日期 截止时间 截止日 期限 最后期限 交付日期 交付时间 ddl 死线 到期 交稿 截稿 交付 "
            "要交 得交 提交 工期 交期"
        ),
    ),
    "launch": (
        "launch launches release releases go_live ship ships rollout goes_live",
        "上线 发布 发版 上市 投产 发行 开服",
    ),
    "meeting": (
        "meeting meetings standup stand-up sync retro retrospective",
        "会议 例会 周会 站会 晨会 开会 评审会",
    ),
    "budget": ("budget budgets funding cost costs", "预算 经费 资金 费用 成本"),
    "phone": (
        "phone telephone mobile phone_number cell cellphone",
        "电话 手机 手机号 电话号码 联系电话 号码 联系方式",
    ),
    "email": ("email e-mail mail mailbox email_address", "邮箱 邮件 电子邮件 邮件地址 邮箱地址 email"),
    "address": ("address street", "地址 住址 门牌"),
    "blood": ("blood_type blood_group blood", "血型"),
    "height": ("height tall cm", "身高 多高 个子"),
    "weight": ("weight weigh weighs kg", "体重 多重"),
    "zodiac": ("zodiac star_sign horoscope", "星座 属相 生肖 属"),
    "link": ("url link website_address", "网址 链接"),
    "animal": ("animal animals", "动物"),
    "timezone": ("timezone time_zone time_zones", "时区"),
    "colour": ("colour color colours colors", "颜色 色"),
    "food": (
        "food foods dish dishes meal meals cuisine snack snacks diet dietary breakfast lunch dinner",
        "的菜 什么菜 啥菜 哪些菜 哪道菜 拿手菜 家常菜 "
        "食物 饮食 美食 口味 东西 零食 早餐 午饭 晚饭 早饭 早点 菜系",
    ),
    "beverage": ("beverage beverages drinks", "饮料 饮品"),
    "fruit": ("fruit fruits", "水果"),
    "music": ("music song songs band bands singer genre", "音乐 歌 歌曲 乐队 歌手"),
    "sport": ("sport sports", "运动 体育 球类"),
    "film": ("film films movie movies", "电影 片子"),
    "series": ("series tv_show show shows", "电视剧 剧 剧集"),
    "book": ("book books novel novels author", "书 小说 书籍 作者"),
    "game": ("game games", "游戏"),
    "season": ("season", "季节"),
    "instrument": ("instrument instruments", "乐器"),
    "language": ("language languages mother_tongue native_language", "语言 母语 外语"),
    "code": ("programming_language programming_languages coding_language", "编程语言 开发语言 程序语言"),
    "database": ("database databases db datastore", "数据库"),
    "editor": ("editor ide editors", "编辑器 开发工具"),
    "system": ("operating_system os platform", "操作系统 平台"),
    "framework": ("framework frameworks library", "框架"),
    "cloud": ("cloud hosting provider", "云服务 云 云厂商 云平台"),
    "vcs": ("version_control", "版本控制 代码托管"),
    "indent": ("indentation indent tabs spaces tab", "缩进 制表符 空格"),
    "theme": ("theme dark_mode light_mode", "主题 深色 浅色 深色模式 浅色模式 夜间模式"),
    "format": (
        "format bullet bullets bullet_points points list lists table tables markdown style layout "
        "short brief "
        "concise detailed paragraph paragraphs",
        "格式 要点 列表 要点列表 表格 样式 风格 简短 简洁 详细 段落 形式 排版",
    ),
    "report": ("report reports", "周报 日报 月报 报告 汇报 年报"),
    "answer": ("answer answers reply replies respond response responses", "回答 回复 答复"),
    "pet": ("pet pets", "宠物"),
    "family": ("family relatives", "家人 家庭 家里人 亲人"),
    "spouse": ("spouse partner significant_other", "配偶 伴侣 对象 爱人 另一半"),
    "parent": ("parent parents", "父母 爸妈"),
    "sibling": ("sibling siblings", "兄弟姐妹"),
    "neighbour": ("neighbour neighbor neighbours neighbors", "邻居"),
    "roommate": ("roommate flatmate roommates", "室友 舍友"),
    "friend": ("friend friends", "朋友 好友 闺蜜 哥们"),
    "boss": ("boss manager supervisor", "老板 领导 经理 上司 上级"),
    "colleague": ("colleague colleagues coworker coworkers teammate teammates", "同事 队友"),
    "client": ("client clients customer customers", "客户 甲方 顾客 用户"),
    "car": ("car cars vehicle", "车 汽车 车子"),
    "disease": ("disease illness condition health", "病 疾病 健康 身体"),
    "password": ("password passcode pin", "密码"),
    "codename": ("codename code_name", "代号"),
    "employer": ("employer company workplace firm", "公司 单位 雇主"),
    "version": ("version", "版本"),
    "city": ("city town", "城市"),
    "country": ("country nation", "国家"),
    "members": ("members people headcount size", "人数 成员 几个人 多少人 多少个人"),
}

# Words that say nothing about what a line is about. 的 and the like; question words too.
STOP_ENGLISH = listed(
    """
    a an the and or but so i i'm i've i'd i'll me my mine myself we we're we've us our ours you your
    yours you're he she it its it's they them their his her this that that's these those there here is
    am are was were be been being do does did done doing don't doesn't didn't isn't aren't wasn't
    weren't not no never n't have has had having 've can could can't cannot couldn't will would won't
    wouldn't shall may might of to in on at for with by about as into onto what what's which who who's
    whom whose when when's where where's why how how's if then than too very really actually please now
    currently anymore any more some just also still again ever already know knew tell told remember
    recall remind forget forgot say said says mention mentioned talk talked ask asked think thought last
    first time earlier before after ago previously back let lets let's got get gets give gave show find
    found look looking search up out kind sort type thing things something anything stuff information
    info much many lot lots well ok okay yes yeah hey hi hello thanks there's nowadays days usually
    often always mostly called-for go going gone one ones exactly need needs from should avoid avoids
    restriction restrictions longer come turns date dates day
    """
)
STOP_CHINESE = listed(
    """
    我 你 您 他 她 它 我们 咱们 咱 俺 你们 他们 她们 我的 你的 的 了 吗 呢 吧 啊 呀 嘛 么 哦 是 在 有 和
    跟 与 也 都 还 就 很 最 太 真 记得 还记得 记不记得 知道 知不知道 告诉 请 一下 现在 目前 今年 什么 啥
    哪 哪个 哪些 哪种 哪一 哪里 哪儿 哪位 谁 几 几个 几只 多少 怎么 怎样 怎么样 如何 为什么 为何
    什么时候 何时 哪天 几时 几号 几月 几点 多久 来着 到底 究竟 之前 以前 曾经 说过 提过 讲过 提到 提到过
    告诉过 跟你 和你 对你 你说 说说 这 那 这个 那个 这些 那些 个 只 条 位 种 次 会 能 能不能 可以
    可不可以 是不是 有没有 要不要 会不会 不 没 没有 不是 别 对 把 被 给 让 从 到 以 为 吃不吃 一 两 本
    过 着 得 地 里 上 下 来 去 要 想 想要 不过 不错 关于 平时 一般 通常 经常 常 总是 一直 已经 已 再 又
    更 比较 特别 非常 其实 应该是 大概 自己 本人 有些 有什么 一些 东西 事 事情 情况 信息 日期 时间 时候
    地方 地点 人 年 月 日 号 点 不再 以后 今后 每 每次 请用 每天 每周 每月 每年 做 帮 帮我 查 找 找找
    看看 想知道 想问 问 请问 那么 呃 嗯 需不需要 该 应 咱家 我家 家里 家 找出 是否 属于 之一 起
    """
)
PLAIN_CHINESE = listed(
    """
    早上 晚上 中午 下午 上午 早晨 夜里 公里 小时 分钟 小学 中学 上海 里面 一样 上个月 下个月 上周 下周
    上网 下棋 本科 本子 日本 一楼 用户 费用 信用 应用 作用 有用 没用 用处 爱情 说明 看法 打算 打扮 当然
    当时 学生 读者 听说 会议室 住院 病人 开会 无损 有损 无线 不锈钢 不同 重要 周末 星期 礼拜 无糖 不甜
    生菜 打印 打车 打包 玩具 读音 属于 当地 说话 拉面 拉肚子 听众 看病 追求 公司的 无麸质
    弃用 放弃 停用 抛弃 废弃 告别 淘汰
    """
)

__all__ = ["ATTRIBUTES", "KINDS", "PLAIN_CHINESE", "RELATIONS", "SAME", "STOP_CHINESE", "STOP_ENGLISH"]
