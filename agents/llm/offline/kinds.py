"""Examples of kinds of things, so that a question for the kind finds the thing: which database? PostgreSQL.

`KINDS` names a concept and things of that kind; `SAME` joins the names of one thing in both languages.
"""

from __future__ import annotations

KINDS: dict[str, tuple[str, str]] = {
    "colour": (
        "red blue green yellow black white purple pink orange brown grey gray turquoise violet teal beige",
        (
            "红色 蓝色 绿色 黄色 黑色 白色 紫色 粉色 粉红色 橙色 棕色 灰色 青色 金色 银色 米色 咖啡色 "
            "天蓝色 墨绿色"
        ),
    ),
    "food": (
        "pizza pasta ramen sushi noodles rice bread cheese meat beef pork chicken lamb fish seafood "
        "shrimp tofu "
        "curry soup salad egg eggs burger hotpot dumplings chocolate vegetables vegetarian vegan halal "
        "kosher "
        "gluten sugar salt garlic onion onions mushrooms spicy",
        "火锅 米饭 面条 面包 拉面 牛肉 猪肉 鸡肉 羊肉 鱼 海鲜 虾 豆腐 鸡蛋 饺子 蔬菜 素 素食 素食者 "
        "清真 辣 甜食 甜 巧克力 奶酪 蘑菇 "
        "大蒜 洋葱 葱 姜 蒜 肉 麻辣 川菜 粤菜 湘菜 日料 烧烤 寿司 披萨 面食 糖 盐 内脏 榴莲 麸质",
    ),
    "beverage": (
        "coffee tea beer wine milk juice water cola espresso latte alcohol whisky whiskey",
        "咖啡 茶 啤酒 红酒 白酒 酒 牛奶 果汁 可乐 奶茶 绿茶 红茶 豆浆 美式 拿铁 水",
    ),
    "fruit": (
        "apple apples banana bananas mango mangoes strawberry strawberries orange oranges pear pears "
        "grapes durian",
        "苹果 香蕉 芒果 草莓 橙子 梨 葡萄 西瓜 桃子 榴莲 荔枝 樱桃",
    ),
    "music": (
        "jazz rock classical techno metal hip-hop rap folk bach mozart beethoven opera country_music k-pop",
        "爵士 摇滚 古典 民谣 说唱 流行 电子乐 古典乐 爵士乐 交响乐 摇滚乐 民乐",
    ),
    "sport": (
        "football soccer basketball tennis badminton swimming running cycling climbing skiing yoga "
        "golf chess "
        "volleyball hockey hiking rugby baseball table_tennis ping-pong jogging surfing",
        "足球 篮球 网球 羽毛球 游泳 跑步 骑车 骑行 爬山 滑雪 瑜伽 高尔夫 乒乓球 排球 徒步 攀岩 登山 马拉松",
    ),
    "instrument": (
        "piano guitar violin drums flute cello saxophone ukulele trumpet",
        "钢琴 吉他 小提琴 鼓 长笛 大提琴 二胡 古筝 萨克斯 琵琶",
    ),
    "language": (
        "english french german spanish chinese mandarin japanese korean italian russian portuguese arabic "
        "cantonese dutch swedish hindi",
        (
            "英语 法语 德语 西班牙语 中文 汉语 日语 韩语 意大利语 俄语 葡萄牙语 阿拉伯语 粤语 普通话 英文 "
            "日文 四川话 上海话 文言文 文言 白话文 白话 大白话 口语 书面语 方言 东北话 繁体字 简体字 "
            "繁体 简体"
        ),
    ),
    "code": (
        "python java javascript typescript rust golang go c++ ruby php kotlin swift scala haskell c# elixir",
        "",
    ),
    "database": (
        "postgresql postgres mysql sqlite mariadb oracle mongodb redis cassandra clickhouse dynamodb "
        "valkey neo4j "
        "elasticsearch duckdb tidb oceanbase",
        "达梦",
    ),
    "editor": (
        "vim neovim emacs vscode vs_code visual_studio_code pycharm intellij sublime notepad++ zed cursor",
        "",
    ),
    "system": ("linux windows macos debian ubuntu fedora arch ios android freebsd nixos", "鸿蒙"),
    "framework": (
        "django flask fastapi react vue angular svelte rails spring laravel next.js express nextjs pytorch "
        "tensorflow",
        "",
    ),
    "cloud": ("aws azure gcp aliyun hetzner heroku digitalocean", "阿里云 腾讯云 华为云"),
    "vcs": ("git github gitlab mercurial svn gitee bitbucket", ""),
    "pet": (
        "dog dogs puppy cat cats kitten parrot hamster rabbit goldfish turtle bird horse guinea_pig",
        "狗 小狗 猫 小猫 鹦鹉 仓鼠 兔子 金鱼 乌龟 鸟 猫咪 狗狗 金毛 柯基 橘猫 泰迪 布偶",
    ),
    "family": (
        "wife husband son daughter kid kids child children mother father mom mum dad brother sister parents "
        "grandmother grandfather sons daughters brothers sisters",
        (
            "老婆 妻子 太太 老公 丈夫 儿子 女儿 孩子 妈妈 爸爸 母亲 父亲 哥哥 弟弟 姐姐 妹妹 父母 爸妈 "
            "爷爷 奶奶 外公 外婆"
        ),
    ),
    "child": (
        "son daughter sons daughters kid kids child children baby",
        "儿子 女儿 孩子 宝宝 小孩 娃 闺女 子女",
    ),
    "sibling": ("brother sister brothers sisters", "哥哥 弟弟 姐姐 妹妹 兄弟 姐妹"),
    "parent": (
        "mother father mom mum dad",
        "妈妈 爸爸 母亲 父亲 老爸 老妈 我妈 我爸",
    ),
    "spouse": (
        "wife husband fiancé fiancée fiance girlfriend boyfriend",
        "老婆 妻子 太太 媳妇 老公 丈夫 女朋友 男朋友 未婚妻 未婚夫 女友 男友",
    ),
    "disease": (
        "diabetes asthma hypertension migraine migraines adhd anxiety depression",
        "糖尿病 哮喘 高血压 偏头痛 近视 抑郁症 痛风 心脏病 胃病",
    ),
    "work": (
        "engineer developer programmer teacher nurse doctor lawyer designer accountant student "
        "professor writer "
        "journalist scientist architect chef cook pilot driver artist musician researcher consultant "
        "freelancer "
        "translator photographer manager analyst electrician plumber carpenter dentist pharmacist therapist "
        "psychologist retired unemployed farmer barista librarian editor_in_chief self-employed",
        "工程师 程序员 老师 教师 护士 医生 律师 设计师 会计 教授 作家 记者 科学家 建筑师 厨师 飞行员 "
        "司机 艺术家 研究员 顾问 "
        "自由职业 自由职业者 翻译 摄影师 产品经理 分析师 公务员 退休 运营 销售 创业 牙医 药剂师 研究生 "
        "博士生 警察 开发者 架构师",
    ),
    "dog": (
        "labrador poodle golden_retriever corgi husky beagle dachshund",
        "金毛 柯基 泰迪 哈士奇 拉布拉多 边牧 柴犬",
    ),
    "cat": ("", "橘猫 布偶 英短 美短 狸花猫"),
    "animal": (
        "snake snakes spider spiders wasp wasps bee bees rat rats mouse mice shark sharks",
        "蛇 蜘蛛 蜜蜂 老鼠 蟑螂 虫子 鲨鱼",
    ),
    "film": (
        "horror_movies horror_films horror comedies sci-fi thrillers",
        "恐怖片 喜剧片 科幻片 动作片 爱情片 纪录片 动画片",
    ),
    "season": ("spring summer autumn winter", "春天 夏天 秋天 冬天"),
    "game": ("minecraft zelda tetris", "原神 王者荣耀 塞尔达 麻将 围棋 象棋"),
    "car": (
        "tesla toyota volvo bmw audi honda mercedes volkswagen",
        "特斯拉 比亚迪 丰田 奥迪 宝马 奔驰 本田 大众",
    ),
    "zodiac": (
        "aries taurus gemini cancer leo virgo libra scorpio sagittarius capricorn aquarius pisces",
        "白羊座 金牛座 双子座 巨蟹座 狮子座 处女座 天秤座 天蝎座 射手座 摩羯座 水瓶座 双鱼座",
    ),
    "meeting": (
        "standup stand-up sync retro retrospective",
        "周会 例会 站会 晨会 评审会 演示会 发布会 分享会 研讨会 讨论会 座谈会 答辩会 年会 讲座 推介会",
    ),
    "report": ("weekly_report", "周报 日报 月报"),
}

SAME: tuple[str, ...] = (
    "coriander cilantro 香菜 芫荽",
    "peanut peanuts 花生",
    "seafood 海鲜",
    "shrimp prawns prawn 虾 虾仁",
    "milk 牛奶",
    "beef 牛肉",
    "pork 猪肉",
    "lamb mutton 羊肉",
    "egg eggs 鸡蛋",
    "garlic 大蒜 蒜",
    "onion onions 洋葱",
    "ginger 姜 生姜",
    "spicy 辣 辣椒 辣的 吃辣",
    "coffee 咖啡",
    "tea 茶",
    "beer 啤酒",
    "alcohol 酒 酒精 喝酒",
    "meat 肉",
    "fish 鱼",
    "dog dogs 狗 狗狗 小狗",
    "cat cats 猫 猫咪 小猫",
    "wife 老婆 妻子 太太 媳妇",
    "husband 老公 丈夫",
    "son 儿子",
    "daughter 女儿 闺女",
    "child kid kids children 孩子 小孩",
    "mother mom mum 妈妈 母亲 老妈 我妈",
    "father dad 爸爸 父亲 老爸 我爸",
    "girlfriend 女朋友 女友",
    "boyfriend 男朋友 男友",
    "project 项目 工程",
    "team 团队",
    "lossless 无损",
    "english 英语 英文",
    "french 法语",
    "german 德语",
    "japanese 日语 日文",
    "chinese mandarin 中文 汉语 普通话",
    "beijing 北京",
    "shanghai 上海",
    "berlin 柏林",
    "paris 巴黎",
    "tokyo 东京",
    "london 伦敦",
    "piano 钢琴",
    "guitar 吉他",
    "swimming swim 游泳",
    "football soccer 足球",
    "basketball 篮球",
    "weekly_report 周报",
    "postgresql postgres",
    "doctor 医生",
    "teacher 老师 教师",
    "vegetarian 素食者 素食 吃素",
    "diabetes 糖尿病",
    "blue 蓝色",
    "red 红色",
    "green 绿色",
)
