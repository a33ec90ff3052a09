# ruff: noqa: E501 (a concept is one line, however many forms it has)
"""What one asks an office to do, in Chinese and English. One concept a line: name | English forms | Chinese forms.

The first form of each language is the one used when the model speaks. A form may stand under several concepts.
"""

ACTS = """
cancel | cancel, call off, void, revoke, withdraw, abort, cancellation, scrap, drop, not go ahead with | 取消, 撤销, 撤单, 作废, 撤回, 不买了, 撤掉, 退订, 废除, 取消掉
refund | refund, reimburse, money back, my money, return the money, repay, give back the money, give back my money, pay back, reimbursement | 退款, 退钱, 退费, 退还, 返还, 钱退, 退我钱, 退给, 退全款, 退部分, 退运费, 退差价, 把钱还, 钱退回, 退回来的钱, 退
return | return, send back, bring back, give back | 退货, 退掉, 退回, 寄回, 退了, 退换货, 退
exchange | exchange, swap | 换货, 调换, 更换, 换一个, 换一件, 换一双, 换个, 换新, 换成, 替换, 换, 退换货
change | change, update, modify, edit, correct, amend, alter, revise, rename, adjust, adjustment, fix | 修改, 更改, 变更, 更新, 调高, 调低, 提高, 降低, 调为, 调成, 调到, 改成, 改为, 改到, 改一下, 换成, 换到, 更正, 编辑, 改, 调整
set | set, configure, set up | 设置, 设定, 设为, 设成, 设一个, 设个, 配置, 设
create | create, open, file, raise, register, make, lodge, start, place, submit, set up, log | 创建, 新建, 开个, 开一个, 开一张, 开张, 开, 建立, 建个, 建一个, 提交, 登记, 发起, 提个, 提一个, 建, 录入, 新增, 生成, 立一个
apply | apply, request, application, ask for | 申请, 请求, 办理, 申办
close | close, resolve, shut, resolution, wrap up | 关闭, 关掉, 关了, 关单, 结单, 结案, 完结, 解决, 关一下, 办结, 结掉, 结了, 了结
approve | approve, accept, authorise, authorize, sign off, agree, endorse, approval | 批准, 同意, 通过, 核准, 批了, 批一下, 准了, 批掉
reject | reject, decline, deny, refuse, turn down, rejection | 驳回, 拒绝, 否决, 打回, 不同意, 不批, 拒掉
notify | notify, inform, message, send a message, text, drop a line, tell, write to, let know | 通知, 告知, 发消息, 发个消息, 发条消息, 发一条消息, 发信息, 发短信, 发邮件, 提醒, 转告
send | send, deliver, mail, post | 发送, 发出, 寄送, 寄, 发
reship | reship, resend, send again, replacement, ship again, redeliver, dispatch again, another one sent, send another | 补发, 重发, 重新发货, 重新发, 再发一次, 再寄, 补寄, 重新寄, 再发
reserve | reserve, hold, set aside, put aside, book, keep, reservation, booking | 预留, 预订, 预定, 留一, 留出, 留, 锁定, 占用, 订, 保留, 锁库存, 锁
release | release, unlock, free up | 释放, 解锁, 放开
restock | restock, replenish, top up stock | 补货, 进货, 入库, 补库存
add | add, increase, grant, award, credit, top up, give, append, attach | 添加, 增加, 加上, 加, 补发, 补上, 补给, 补, 发放, 赠送, 充值, 追加, 送, 补偿, 附上, 附加
remove | remove, delete, deduct, subtract, take off, take out, decrease, reduce | 删除, 移除, 去掉, 扣除, 扣减, 扣, 减去, 减少, 删掉, 删
assign | assign, allocate, hand over, pass to, route, assignee | 分配, 指派, 分派, 转交, 转给, 派给, 处理人, 负责人
escalate | escalate, escalation | 升级, 上报, 升级处理
transfer | transfer, move, relocate | 转移, 调拨, 转账, 转入, 转到, 调到, 移到
merge | merge, combine | 合并, 并单
split | split, divide | 拆分, 拆单, 分开发
freeze | freeze, suspend, block, disable, deactivate, pause, lock | 冻结, 停用, 禁用, 暂停, 封禁, 封号, 拉黑, 挂起
activate | activate, enable, reactivate, restore, unfreeze, unblock, lift the block, unsuspend, resume, reinstate | 启用, 恢复, 激活, 解冻, 解封, 解禁, 开通, 解除
reopen | reopen, open again | 重新打开, 重开, 再打开
intercept | intercept, recall, stop the parcel, pull back | 拦截, 截回, 拦下, 召回, 拦住
expedite | expedite, urge, hurry, rush, speed up, chase | 催, 加急, 催促, 加快, 催一下, 尽快处理, 催一催
report | report, flag | 上报, 报告, 反馈, 报失, 报丢, 挂失, 报备, 申报, 举报
pay | pay, paid, settle, charge, payment | 付款, 支付, 已付款, 已支付, 付过款, 缴费, 付清, 扣款, 付
buy | buy, purchase, place an order, order for me | 下单, 购买, 买, 采购
export | export, download | 导出, 下载
schedule | schedule, arrange, plan, reschedule, appointment | 安排, 排期, 预约, 约, 改期, 改约
compensate | compensate, compensation, make good | 赔偿, 补偿, 赔付, 赔
issue | issue, hand out | 发放, 开具, 签发, 发券
note | note, annotate, remark, comment, jot down, memo | 备注, 注明, 标注, 记一下, 备注一下, 留言, 批注
submit | submit, hand in, put in | 提交, 上交, 递交, 报送
apply_coupon | redeem, apply a coupon | 兑换, 核销, 使用优惠券
subscribe | subscribe, sign up, enrol | 订阅, 报名, 注册
rate | rate, review | 评价, 打分
complain | complain, complaint | 投诉, 客诉
invoice | invoice, bill | 开票, 开发票, 发票
ship | ship, dispatch, send out, shipped, dispatched | 发货, 寄出, 出库, 发走
sign | sign | 签署, 签字
upgrade | upgrade, promote | 升级, 升为, 升到, 升成, 提升, 晋级
downgrade | downgrade, demote | 降级
verify | verify, double check, validate, confirm, reconfirm | 核实, 核对, 验证, 确认, 复核, 核验
"""

READS = """
look | get, look up, lookup, view, see, fetch, retrieve, display, read, inspect, look at, look into, look, pull up, give me, show me, show, detail, details, info, information, find out, tell me, let me know, know, returns, remind me, get me | 查看, 查询, 查, 看, 看看, 看下, 看一下, 了解, 显示, 获取, 告诉我, 告诉, 知道, 查查, 查一查, 发我, 发给我, 告诉一声, 说一下, 问一下, 想问, 请问, 详情, 信息, 资料, 瞧瞧, 报一下
list | list, show all, enumerate, browse | 列出, 列表, 罗列, 列一下, 哪些, 清单, 都有什么, 列
search | search, find, locate, look for, seek, match | 搜索, 查找, 检索, 搜, 找, 找一下, 找到, 搜一下, 哪位
check | check, test, check on, check if, check whether, look whether | 检查, 是否, 有没有, 查验, 看有没有
count | count, how many, number of | 统计, 多少个, 几个, 几笔, 几单, 数量统计, 多少笔
track | track, trace, where, whereabouts, follow, tracking, who signed, is holding, are holding, held up, stuck | 谁签收, 签收人, 卡在, 卡住, 追踪, 跟踪, 到哪, 在哪, 走到哪, 到哪里, 哪儿, 哪里, 到什么地方, 物流信息, 行踪
compare | compare, comparison, versus | 比较, 对比, 相比, 比一比
calculate | calculate, compute, work out, estimate, quote, sum | 计算, 算, 算一下, 估算, 合计, 汇总, 总共, 一共
"""
