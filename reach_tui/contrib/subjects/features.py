"""What a text speaks of: meanings shared by languages and stemmed words, affirmed or denied, as sparse vectors."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

Vector = Mapping[str, float]


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# A line for each meaning: English before the bar (`_` joins two words), Chinese behind it. What is said of any tool and
# any customer has the empty meaning and does not count. Small on purpose: what
# people say for a tool stands in its purpose; this only lets a text in one language meet a text in the other.
_TABLE = """
where: where location locate position whereabout spot city | 哪里 哪儿 到哪 在哪 位置 地点 何处
where: track trace follow progress journey route transit scan checkpoint | 追踪 跟踪 轨迹 进度 走到 动态 在途 物流
parcel: parcel package shipment delivery deliver consignment box | 包裹 快递 快件 配送 派送
carrier: carrier courier waybill | 承运 承运商 运单 运单号 快递公司 快递单
arrive: arrive arrival reach eta due expect | 到达 送达 送到 预计 能到 到货 抵达 何时到
sign: sign signature | 签收
late: late delay overdue stuck | 延误 延迟 晚到 卡住
lost: lost lose missing vanish | 丢失 丢件 遗失 丢了 不见 弄丢
send: send dispatch ship | 寄 发货 寄送 发出 寄出
money_back: refund reimburse reimbursement money_back repay paid_back pay_back paying_back | 退款 退钱 退费
give_back: return bring_back give_back send_back sent_back | 退货 归还 还回 退回 还书
faulty: faulty fault defective defect damage broken broke | 坏 坏了 破损 损坏 质量 瑕疵 有问题
wish: unwanted unhappy mind dislike | 不想要 不喜欢 反悔 无理由
money: money amount pay payment charge fee fine bill | 金额 付款 支付 费用 罚款 账单 钱 货款
price: price cost total sum | 价格 单价 多少钱 总价 合计
cancel: cancel call_off withdraw revoke abort stop annul | 取消 撤销 撤回 撤单 作废
change: change edit update modify correct amend alter adjust redirect fix | 修改 更改 变更 更新 更正 改 编辑 维护
swap: exchange swap size colour color replace | 换货 更换 调换 换成 尺码 颜色
address: address street postcode recipient destination | 地址 街道 邮编 收件人 收货
member: member account patron reader profile membership | 会员 读者 账户 资料 个人
people: person human people staff colleague agent team escalate | 人工 客服 同事 专员
complaint: complaint complain | 投诉 客诉 抱怨 反映
case: ticket case | 工单 服务单
order: order purchase bought | 订单 订购 购买 买 单号
place: place buy | 下单
state: status state stage condition | 状态 情况 阶段
detail: detail content everything full record | 详情 明细 详细 内容
list: list all every overview history | 列出 列表 清单 全部 所有 历史
seek: find search look_up lookup | 查找 搜索 检索 找
forget: forget forgot forgotten remember | 忘 忘了 不记得 记不得
goods: item article product goods ware | 商品 物品 货品 货号
stock: stock inventory available availability left copy shelf | 库存 有货 没货 缺货 断货 现货 余量 在架 馆藏 可卖 可售
amount: piece quantity many | 数量 件数 几件 多少件
refill: restock replenish replenishment refill | 补货
borrow: borrow loan lend checkout check_out take_out | 借阅 借出 借书 借走 借
extend: renew extend prolong longer extension | 续借 续期 延长 延期 续
reserve: reserve reservation booking queue | 预约 预订 预留 排队
: customer client user buyer guest somebody anyone | 顾客 客户 用户 买家 时用
: input output read write call data information request | 查询 读取 返回 只读 写入 输入 输出 使用 请求 信息 数据 处理
"""
_STOP = _set(
    "a an the of to in on for and or is are be was were it its this that these those with by as at from any some has "
    "have had do does did can may will would should could use used using tool function get show give tell see let "
    "please need want my your our their i you we he she they me us him her them there here what which who whose how "
    "so if then than also just only about into out up more most other one own each both per same while until "
    "unless because before after once but yet already still now very really not no"
)
_STOP_ZH = frozenset(
    "的了是在和与或及把被给我你您请帮那这个用来可以该本将从向对于为吗呢吧啊呀么就都也还又很到去一下里上中"
)
_UNSTEMMED = _set("address status news goods across is was has does less lost") | {"business"}
_DENIALS = _set("not no never without cannot nor neither nothing none except excluding unrelated unable")
_DENYING_PAIRS = {"rather than", "instead of", "other than", "apart from", "anything but", "everything but"}
_HARMLESS_PAIRS = {"not only", "not just", "no matter", "nothing but", "none other"} | {
    f"{denial} {trouble}"
    for denial in ("not", "never")
    for trouble in _set("arrive arrived receive received come came get got work working want wanted know like fit yet")
}
# Behind these a denial tells of the case in which a tool is wanted ("when it has not come"), not of the tool.
_CASES = _set("when if until unless because while once after before")
_CASES_ZH = ("时", "时用", "时使用", "时候", "时候用", "的话")
_QUOTES = '"“”「」'
_PEOPLE = _set("they he she customer buyer client somebody who guest reader")
_INNER_CASES = _set("that which who whose where whether how")  # only inside a sentence; at its start they are its topic
# A clause that begins so speaks for itself; any other goes on with a denial ("no parcels, places or dates").
_FRESH = _set("it this these those but only use for just they you we i please then so instead to see")
_REFERRING = _set("for to if when where")
_DENIALS_ZH = _set("不 没有 无法 无关 并非 请勿 切勿 禁止 除外 除了 而非 勿 未提供")
_HARMLESS_ZH = _set(
    "不想 不要了 不仅 不只 不但 不过 不同 不论 不管 不久 不见 到不了 不了的 不知 不清楚 不确定 不喜欢 不合适 不符 不足 "
    "不对 不满 不动 不良 不够 差不多 不需要了 不再需要 还没有 有没有 没有收到 没有到 是不是 能不能 要不要 不少 不错 "
    "不好 收不到 等不到 送不到 不到货 记不 不记得"
)
_OTHER = "othertool"
_OUTDATED = (
    "deprecated", "obsolete", "legacy", "retired", "superseded", "formerly", "end of life", "old version",
    "no longer supported", "no longer in use", "replaced by " + _OTHER, "废弃", "弃用", "停用", "已下线", "过时",
)  # fmt: skip


def is_cjk(sign: str) -> bool:
    """Whether a sign is a Chinese character."""
    return "\u4e00" <= sign <= "\u9fff"


def stem(word: str) -> str:
    """A lower-case English word without its endings."""
    if word in _UNSTEMMED:
        return word
    for ending, rest in (("ies", "y"), ("ied", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("es", ""), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith(("ss", "us")):
            base = word[: -len(ending)] + rest
            if ending in ("ing", "ed") and base[-1] == base[-2] and base[-1] not in "lsz":
                base = base[:-1]
            return base.rstrip("e") if len(base) > 3 else base
    return word.rstrip("e") if len(word) > 3 else word


_LATIN: dict[str, str] = {}
_CHINESE: dict[str, str] = {}
for _line in _TABLE.strip().splitlines():
    _meaning, _, _words = _line.partition(": ")
    _english, _, _han = _words.partition(" | ")
    _LATIN |= {" ".join(map(stem, _word.split("_"))): "=" + _meaning for _word in _english.split()}
    _CHINESE |= dict.fromkeys(_han.split(), "=" + _meaning)
_LONGEST = max(map(len, _CHINESE))


def _words_of(text: str) -> list[str]:
    """Runs of Latin letters (lower case) and of Chinese characters, and the marks between them."""
    runs: list[str] = []
    kind = ""
    for sign in text.lower().replace("n't", " not").replace("n’t", " not"):
        now = "han" if is_cjk(sign) else "latin" if sign.isalpha() else "" if sign in " _'’\t-/0123456789" else "mark"
        if now and now == kind != "mark":
            runs[-1] += sign
        elif now:
            runs.append(sign)
        kind = now
    return runs


def clauses_of(text: str) -> list[tuple[list[str], bool]]:
    """(words, whether they are denied) of each clause of a text."""
    clauses: list[tuple[list[str], bool]] = []
    words: list[str] = []
    carried = inside = quoted = False

    def close(*, ends: bool) -> None:
        nonlocal words, carried, inside
        if words:
            case = words[0] in _CASES or (inside and words[0] in _INNER_CASES) or words[-1].endswith(_CASES_ZH)
            denied = not quoted and ((carried and words[0] not in _FRESH) or (not case and _denies(words)))
            if _OTHER not in words:
                clauses.append((words, denied))
            elif inside and clauses and clauses[-1][0][0] in _REFERRING:
                clauses.pop()  # "For places, use the other tool."
            carried = denied
        carried, inside = carried and not ends, bool(words or inside) and not ends
        words = []

    for word in _words_of(text):
        if word in _QUOTES:  # what people say
            close(ends=False)
            quoted = word in "“「" or (word == '"' and not quoted)
        elif not word[0].isalnum():
            if word not in "、（）()":
                close(ends=word != ",")
        else:
            if word in _CASES or word in _INNER_CASES or (word in ("but", "and") and len(words) > 3):
                close(ends=word == "but")
            words.append(word)
    close(ends=True)
    return clauses


def _denies(words: Sequence[str]) -> bool:
    for at, (word, following) in enumerate(zip(words, [*words[1:], ""], strict=True)):
        pair = f"{word} {following}"
        if _PEOPLE.intersection(words[max(at - 2, 0) : at]):  # "goods that they do not keep" tells of people
            continue
        if (word in _DENIALS and pair not in _HARMLESS_PAIRS) or pair in _DENYING_PAIRS:
            return True
        for harmless in _HARMLESS_ZH:
            word = word.replace(harmless, "")
        if any(denial in word for denial in _DENIALS_ZH):
            return True
    return False


def _features(words: Sequence[str]) -> Iterator[str]:
    stems = [stem(word) for word in words]
    for at, word in enumerate(words):
        pair = f"{stems[at]} {stems[at + 1]}" if at + 1 < len(words) else ""
        if is_cjk(word[0]):
            yield from _han_features(word)
        elif pair in _LATIN:
            yield _LATIN[pair]
        elif stems[at] in _LATIN and not (word == "returns" and at == 0):  # how programmers begin; gives nothing back
            yield _LATIN[stems[at]]
        elif word not in _STOP and stems[at] not in _STOP and len(word) > 1:
            yield stems[at]


def _han_features(run: str) -> Iterator[str]:
    at = 0
    while at < len(run):
        length = next((n for n in range(_LONGEST, 0, -1) if run[at : at + n] in _CHINESE), 0)
        if length:
            yield _CHINESE[run[at : at + length]]
        elif at + 1 < len(run) and run[at] not in _STOP_ZH and run[at + 1] not in _STOP_ZH:
            yield run[at : at + 2]
        at += length or 1


def _counted(clauses: Iterable[Sequence[str]]) -> Vector:
    counts = Counter(feature for words in clauses for feature in _features(words) if feature != "=")
    return {feature: math.sqrt(n) for feature, n in counts.items()}


@lru_cache(maxsize=4096)
def features_of(text: str) -> Vector:
    """How much a text speaks of each feature. One that begins with `=` is a meaning, any other a word or a pair of
    characters. Denials do not count: who wants a tool tells of his trouble."""
    return _counted(words for words, _ in clauses_of(text))


@lru_cache(maxsize=4096)
def claims_of(text: str, others: frozenset[str]) -> tuple[Vector, Vector]:
    """(what a description affirms, what it denies). A clause that names one of the tools `others` speaks of that tool
    and does not count; a text that says of itself that it is outdated affirms nothing. A denial of mostly what the
    text affirms sets a limit ("Waters a bed. A wet bed is not watered.") and denies nothing."""
    for name in sorted(others, key=len, reverse=True):
        text = text.replace(name, _OTHER)
    clauses = [] if any(word in text.lower() for word in _OUTDATED) else clauses_of(text)
    affirmed = _counted(words for words, no in clauses if not no)
    denials = [words for words, no in clauses if no]
    return affirmed, _counted(words for words in denials if not _is_limit(_counted([words]), affirmed))


def _is_limit(denied: Vector, affirmed: Vector) -> bool:
    return 2 * sum(map(_worth, denied.keys() & affirmed.keys())) > sum(map(_worth, denied))


def _worth(feature: str) -> float:
    """A meaning is worth two words."""
    return 1.0 if feature[0] == "=" else 0.5


def rarity_of(documents: Sequence[Vector]) -> dict[str, float]:
    """log(1 + N / df) of each feature that stands in any of N documents, affirmed or denied."""
    frequency: dict[str, int] = {}
    for feature in (feature for document in documents for feature in document):
        frequency[feature] = frequency.get(feature, 0) + 1
    return {feature: math.log(1 + len(documents) / n) for feature, n in frequency.items()}


def weighted(counts: Vector, rarity: Vector, scant: float = 0.0) -> dict[str, float]:
    """A vector of length one: each count times the worth of its feature and how rare it is.

    With `scant`, a text that says little stays shorter than that: a word alone is no description.
    """
    return unit({f: n * _worth(f) * rarity[f] for f, n in counts.items() if f in rarity}, scant)


def unit(vector: Vector, scant: float = 0.0) -> dict[str, float]:
    """The vector with length one (an empty one stays empty); see `weighted` for `scant`."""
    length = math.sqrt(scant * scant + sum(value * value for value in vector.values())) or 1.0
    return {feature: value / length for feature, value in vector.items()}


def joined(left: Vector, right: Vector, share: float) -> dict[str, float]:
    """Of length one: the left vector and a share of the right one."""
    return unit({f: left.get(f, 0.0) + share * right.get(f, 0.0) for f in {**left, **right}})


def cosine(left: Vector, right: Vector) -> float:
    """Of two vectors of length one."""
    return sum(value * right[feature] for feature, value in left.items() if feature in right)
