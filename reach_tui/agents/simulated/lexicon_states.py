# ruff: noqa: E501 (a concept is one line, however many forms it has)
"""States and qualities that fields hold. Same lines as `lexicon_acts`.

What has been done to a record (cancelled, refunded, closed) is the act's own concept; these are the rest.
"""

STATES = """
delivered | delivered, arrived, received, signed for, signed, deliver, receive, arrive | 签收, 已签收, 送达, 收到, 妥投, 到货, 已到货, 收货, 到手
transit | in transit, on the way, en route, transit, underway, on its way | 运输中, 在途, 路上, 运送中, 派送中, 途中
pending | pending, awaiting, waiting, outstanding, unprocessed, to do, await | 待处理, 待, 等待, 未处理, 待办
processing | processing, in progress, being processed, preparing, packed, process, ongoing | 处理中, 进行中, 备货, 配货, 打包
complete | completed, complete, finished, done, finish | 完成, 已完成, 办完, 结束
lost | lost, missing parcel, went missing, disappeared, lose | 丢失, 丢了, 遗失, 丢件, 弄丢, 报丢, 丢, 不见了
damaged | damaged, broken, cracked, damage, break, scratched, torn, dented, crushed, smashed | 损坏, 坏了, 破损, 破了, 坏, 碎了, 裂了, 划痕, 压坏, 破洞, 摔坏
defective | defective, faulty, defect, malfunction, malfunctioning, not working, does not work, doesn't work, stopped working, quality, poor quality, quality issue, fades, leaks, lost its colour | 质量问题, 质量, 品质, 失灵, 故障, 不工作, 用不了, 瑕疵, 漏水, 有杂音, 杂音, 起球, 掉色, 褪色, 没反应, 不亮
wrong | wrong, incorrect, mistaken, mistake, not what i ordered | 错误, 发错, 不对, 错了, 错, 寄错, 搞错
missing | missing, short, incomplete, left out | 少了, 漏发, 缺少, 少发, 缺件, 漏了
late | late, delayed, overdue, delay, slow | 延误, 延迟, 晚到, 太慢, 超时, 逾期, 迟, 太晚
unwanted | changed my mind, no longer need, no longer want, do not want, don't want, don't need, unwanted, not needed, change of mind, do not need, no reason | 不想要, 不需要, 不要了, 后悔, 不喜欢, 改主意, 七天无理由, 无理由
mismatch | not as described, not what i expected, different from, does not fit, doesn't fit, too small, too big, too large, too tight, fit | 不合适, 不符, 不合身, 太小, 太大, 偏大, 偏小, 与描述不符, 描述不符, 大了, 小了
double | twice, double, duplicate, duplicated | 重复, 两次, 多次
partial | partial, partially, partly, part of, some of | 部分, 一部分
whole | full, fully, whole, entire, complete order, in full | 全额, 全部金额, 整单, 全款
expired | expired, out of date, past, elapsed | 过期, 已过期, 失效, 超过期限
active | active, valid, enabled, live | 有效, 正常使用, 启用中, 生效
inactive | inactive, disabled, invalid | 无效, 停用中
open | open, unresolved, unsolved | 未关闭, 未解决, 开着, 处理中
high | high, urgent, important, critical, asap, top | 高, 调高, 提高, 紧急, 加急, 重要, 最高
normal | normal, medium, standard, ordinary, default | 普通, 正常, 中等, 一般, 标准
low | low, minor, not urgent | 低, 调低, 降低, 不急, 较低
gold | gold | 金牌, 金卡, 黄金, 金
silver | silver | 银牌, 银卡, 白银, 银
platinum | platinum, diamond | 白金, 铂金, 钻石
regular | regular, basic, bronze | 普通会员, 普卡, 铜牌
vip | vip | 贵宾, 大客户
annual | annual leave, annual, vacation, paid leave | 年假, 年休假
sick | sick, sick leave, ill | 病假, 生病
personal | personal, personal leave, private | 事假, 私事
original | original, original payment, payment method, same way i paid, back to my card, bank card, same card, card, original payment method | 原路, 原路退回, 原支付, 原渠道, 原方式, 银行卡, 原卡, 支付账户, 原来的支付方式
credit | store credit, credit, wallet, account balance, gift card | 余额, 账户余额, 钱包, 储值, 店铺余额
express | express, fast, next day, priority shipping | 特快, 快速, 次日达, 加急
economy | economy, cheap shipping, slow shipping | 经济, 平邮
morning | morning, am | 上午, 早上
afternoon | afternoon, pm | 下午
evening | evening, night | 晚上, 傍晚
weekend | weekend, saturday, sunday | 周末, 星期六, 星期日
allowed | allowed, eligible, can be, permitted, possible, eligibility, qualify, refundable, cancellable, returnable | 可以, 允许, 符合, 能否, 资格, 符合条件
fraud | fraud, suspicious, risk, risky | 欺诈, 可疑, 风险
other | other, something else, misc | 其他, 其它
question | question, enquiry, inquiry, query | 咨询, 问题, 疑问
logistic_issue | delivery problem, shipping problem | 物流问题, 配送问题
billing_issue | overcharged, billing problem, charged twice, billed twice | 多扣, 扣错, 重复扣款, 多收
home | home | 家里, 家居
gift | gift, present | 礼物, 赠品
new | new, latest, newest, recent, recently, most recent, last | 新, 最新, 最近, 刚, 刚刚, 近期
old | old, oldest, earliest | 旧, 最早, 最老
"""

NEUTRAL_ZH = (
    "名下 名下所 所有 限制 包括 目前为止 开心 加油 改天 建议 补充 查收 留意 订阅号 不错 一下 一个 一些 一样 再见 并不 并非 发现 发生 发展 加班 开始 开车 开玩笑 打开 离开 公开 "
    "展开 改进 改善 改变主意 关心 关系 关注 有关 相关 报纸 送礼 退休 退出 后退 留学 拜托 麻烦 请问一下 谢谢 多谢 感谢 辛苦 您好 你好 早上好 "
    "晚上好 下午好 天气 今天 明天 昨天 后天 前天 大家 家人 朋友 大概 可能 应该 已经 曾经 现在 目前 当前 立即 马上 尽快 赶紧 直接 然后 另外 "
    "同时 顺便 最后 首先 如果 要是 否则 不然 而且 并且 但是 不过 因为 所以 由于 或者 还是 以及 关于 对于 根据 通过邮件 这个 那个 这些 那些 "
    "这里 那里 我们 你们 他们 自己 别人 什么 怎么 为何 如何 觉得 认为 希望 想要 需要 可否 能不能 能否 可不可以 是不是 的话 就行 就好 就可以 时候 之前 之后 "
    "以前 以后 以上 以下 以内 之内 左右 大约 至少 至多 最多 最少 超过 不超过 不到 不足 大于 小于 高于 低于 等于 事情 一件事 件事 方便 没关系 不好意思 "
    "对了 好的 好吧 行吧 算了 打扰 请教 帮我 帮忙 帮助 给我 替我 为我 让我 我要 我想 真好 真的 非常 特别 比较 有点 一点 一直 一共有 总是 刚才 "
    "明明 系统里 系统 其实 究竟 居然 竟然 确实 果然 显示 哪个 哪家 哪一个 哪一笔 哪种 补充 补丁 弥补 候补 滋补 补贴 换算 交换机 换乘 切换 转换 变换 换句话 款项 货款 罚款 贷款 条款 存款 启发 出发 参加 更加 大约 合约 节约 停留 系列 现金 资金 押金 定金 奖金 特色 宝贵 贵公司 看来 好看 难看 看起来 人员信息 订阅 建筑 内部 外部 全部 全都 总部 部门口 送达不 假的 码头 发起人 请客 请求 "
    "元 块钱 人民币 加上去 起来 出来 过来 下来 上去 回来 出去"
)
"""Chinese words that mean nothing here; listed so that longest match does not find a concept inside them."""

CONTENT_ZH = (
    "研发 开发 设计 建设 设施 批发 沙发 公司 上海 北京 加拿大 建筑 订书机 开关 改装 加湿器 加热器 发卡 发箍 退烧 列车 留学生 寄存 送餐 锁具 查尔斯 找零 "
    "看板 算盘 加油站 改性 报刊 假发 车载 房产 仓储 券商 金属 银行 高跟鞋 低帮 新疆 新风 旧金山 错题 坏账 坐垫 码数 天猫 天津 种子 期刊 贵州 名片 部落"
)
"""Chinese words that are names of things outside the lexicon; listed for the same reason."""

STOP_EN = (
    "a an the of to in on at for from by with and or but so as is are was were be been being am do does did have has had "
    "i me my mine we us our you your he him his she her it its they them their this that these those there here "
    "please kindly could would can will shall should may might must just now then also too very really quite "
    "what which who whom whose how why not no yes if than into out up down over under about again "
    "hello hi hey thanks thank dear sir madam ok okay sure well any some one ones thing things want need like wish help get "
    "let lets got go going gone come came take make made put say said ask asked want wanted looking "
    "instead anymore still already yet soon maybe perhaps actually currently moment true quickly immediately else anything something everything nothing "
    "someone anyone kind lot bit way once ever always ago away along stuff ahead since while during both none such same own due per via "
    "s t d ll re ve m don didn doesn isn wasn hasn haven won wouldn couldn shouldn aren"
)
"""English words that mean nothing here (a form inside a listed phrase still counts)."""

STOP_ZH = "的了吗呢吧啊呀哦请帮把将给让被和与跟及或在从到由就才也都又还再很太这那我你您他她它们是为要想会能得着有没不只些嘛啦嗯说对用谁"
"""Chinese signs that are grammar only, where no longer form is known."""

STAGES = (
    ("pending", "pay", "processing", "ship", "transit", "delivered", "complete"),
    ("pending", "processing", "complete"),
    ("open", "processing", "close"),
)
"""Progress that implies what came before it: what is delivered has been shipped and paid."""
