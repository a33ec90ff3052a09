# ruff: noqa: E501 (a concept is one line, however many forms it has)
"""Things an office keeps records of, and the fields those records have. Same lines as `lexicon_acts`.

THINGS may carry ids of their own; FIELDS are properties of them.
"""

THINGS = """
order | order, purchase order | 订单, 单子, 定单, 下的单, 单号
item | item, product, goods, article, merchandise, sku, line item, order line, line | 商品, 产品, 货品, 货物, 物品, 宝贝, 东西, 单品, 明细, 款
stock | stock, inventory, in stock, out of stock, availability, available, on hand, sold out | 库存, 有货, 有没有货, 没有货, 有无货, 还有货, 有库存, 没库存, 没有库存, 有没有库存, 有现货, 没现货, 存货, 现货, 缺货, 无货, 没货, 断货, 余量
member | member, customer, client, user, account, shopper, buyer, membership, profile, person who | 会员, 客户, 顾客, 用户, 账户, 账号, 买家, 我的账户, 客人
shipment | shipment, parcel, package, delivery, consignment, courier, logistics, waybill, shipping, tracking, tracking number, tracking code | 物流, 快递, 包裹, 运单, 配送, 货运, 发货单, 运输, 快递单号, 运单号, 物流单号, 邮件包裹, 丢件, 派送
payment | payment, transaction, billing, billed, charged, paid with, charge, payment method | 支付方式, 付款方式, 支付记录, 付款记录, 支付, 交易, 账单, 流水, 扣款
refund_record | refund, refund request | 退款单, 退款记录, 退款
ticket | ticket, case, complaint, support request, issue, incident, support ticket | 工单, 投诉, 客诉, 投诉单, 服务单, 售后单
invoice_record | invoice | 发票, 票据
coupon | coupon, voucher, discount code, promo | 优惠券, 代金券, 折扣券, 券, 红包
warehouse | warehouse, depot, store | 仓库, 仓, 库房, 门店
supplier | supplier, vendor | 供应商, 厂商
employee | employee, colleague, staff, coworker, worker, person | 员工, 同事, 职员, 人员, 工号
department | department, team, division | 部门, 团队, 科室, 部
region | region, area, territory, district | 大区, 区域, 地区, 片区, 区
budget | budget | 预算, 经费
approval | approval, request form, approval request, sign-off, request | 审批, 审批单, 审批申请, 批复
expense | expense, expenditure, reimbursement claim | 报销, 费用, 开支, 报销单, 花费
leave | annual leave, sick leave, personal leave, holiday, vacation, day off, time off, days off | 请假, 休假, 年假, 假期, 病假, 事假, 调休, 假
room | room, meeting room, conference room | 会议室, 房间, 房
meeting | meeting, conference | 会议, 例会, 开会
message | message, notification, send a message | 消息, 发消息, 发个消息, 发条消息, 发一条消息, 信息, 短信, 通知
report_doc | report, statement, sheet | 报表, 报告, 表格
event | event, audit, log, history, audit log, activity, trail, audit event | 日志, 历史, 记录, 审计, 操作记录, 事件, 变更记录
contract | contract, agreement | 合同, 协议
project | project | 项目
task | task, to-do | 任务, 待办
alert | alert, warning, reminder, alarm | 预警, 提醒, 报警, 告警, 警报
reservation | reservation, booking | 预订, 预约单, 预留单
device | device, equipment, laptop, computer, machine | 设备, 电脑, 机器
booking | booking | 订位
return_record | return request, rma | 退货单, 退货申请
exchange_record | exchange request | 换货单
policy | policy, rule, rules, terms | 政策, 规则, 规定
subscription | subscription, plan | 订阅, 套餐
asset | asset | 资产
document | document, file | 文件, 文档
course | course, training, class | 课程, 培训
visitor | visitor, guest | 访客, 来宾
vehicle | vehicle, car | 车辆, 用车, 车
"""

FIELDS = """
status | status, state, progress, condition, stage, situation, how is, happening with | 状态, 进度, 进展, 情况, 到哪一步, 阶段, 怎么样了, 处理到
address | address, deliver to, delivery address, shipping address, ship to | 地址, 收货地址, 收件地址, 派送地址, 住址, 送货地址, 寄到, 送到
phone | phone, mobile, telephone, phone number, cell, tel | 手机, 电话, 手机号, 电话号码, 手机号码, 联系电话, 联系方式, 号码
email | email, e-mail, mail address | 邮箱, 邮件, 电子邮件, 邮件地址
name | name, called, named | 姓名, 名字, 名称, 叫, 名叫, 名为, 谁
points | points, loyalty points, reward points | 积分, 点数
level | level, tier, grade, rank | 等级, 级别, 会员级别
amount | amount, total, sum, cost, money, paid amount, value, worth, how much, spent | 金额, 总额, 总价, 多少钱, 钱, 合计, 花了, 总金额, 款项
price | price, how much, cost, cheap, expensive, unit price | 价格, 单价, 多少钱, 价钱, 售价, 标价, 便宜, 贵
balance | balance, store credit, wallet, credit balance, remaining | 余额, 剩余, 还剩, 剩, 钱包, 储值
quantity | quantity, units, number of units, qty, how many, pieces, count | 数量, 件数, 多少件, 几件, 多少, 个数
date | date, day, on which day, when | 日期, 时间, 什么时候, 哪天, 何时, 几号, 多久
time | time, hour, o'clock | 时间, 几点, 时刻, 钟点
eta | eta, expected arrival, estimated delivery, arrive, arrival, due, expected | 预计, 到达, 送达时间, 多久到, 预计到达, 什么时候到, 几时到, 何时到, 能到, 到货时间
month | month, monthly | 月份, 月, 每月
year | year, yearly, annual | 年度, 年份
created | created, placed | 创建时间, 下单时间, 提交时间
location | location, place, current location, position, located | 位置, 地点, 当前位置, 所在地, 在什么地方, 地方
carrier | carrier, courier company, shipping company | 承运商, 快递公司, 物流公司, 承运
tracking_no | tracking number, tracking no, tracking code, waybill number | 快递单号, 运单号, 物流单号, 追踪号, 跟踪号
number | number, no, code, id, identifier, reference | 编号, 号, 号码, 代码, 单号
reason | reason, why, cause, because | 原因, 理由, 为什么, 因为, 缘由
comment | comment, note, remark, memo, opinion | 备注, 意见, 说明, 附言, 注释, 留言
subject | subject, title, topic, about | 主题, 标题, 题目, 关于
content | content, body, text, description | 内容, 正文, 描述
priority | priority, urgency, urgent, severity | 优先级, 紧急程度, 加急, 紧急, 优先
category | category, type, kind, sort | 类别, 类型, 分类, 种类, 种
channel | channel, method, way, route, payment method | 渠道, 方式, 支付方式, 付款方式, 途径
percent | percent, percentage, rate, ratio, proportion, threshold | 百分比, 比例, 比率, 阈值, 率, 百分之
sales | sales, revenue, turnover, sold | 销售额, 销售, 营收, 营业额, 业绩, 销量
used | used, consumed, spending | 已用, 使用, 用了, 已使用, 花掉, 用掉, 花了多少
applicant | applicant, requester, submitter, submitted by, owner, assignee | 申请人, 提交人, 负责人, 经办人, 处理人
capacity | capacity, seats, hold people | 容纳, 人数, 容量, 座位, 能坐, 坐
projector | projector, screen | 投影, 投影仪
size | size, dimension | 尺码, 尺寸, 大小, 码
color | color, colour | 颜色, 色
days | days, number of days | 天数, 几天, 天
window | window, period, within | 期限, 有效期, 时限, 期
deadline | deadline, expiry, expire, due date | 截止, 到期, 截止日期
total | total, grand total, overall, altogether | 总共, 一共, 合计, 总计, 共
currency | currency | 币种, 货币
manager | manager, supervisor, boss, lead | 经理, 主管, 上级, 总监, 领导
discount | discount, off, reduction | 折扣, 优惠, 减免
fee | fee, freight, postage, shipping fee, shipping cost | 运费, 手续费, 邮费, 费
target | target, goal, quota | 目标, 指标
growth | growth, compared | 增长, 同比, 环比
"""
