# ruff: noqa: E501 (a record, a tool, a request is one line)
"""Requests to the invented office. Those marked held were written before the model first ran; all were worked on since."""

from __future__ import annotations

import re

from tests.agents.simulated.sim_world import Case

CANT = ("不能", "无法", "不可以", "没办法", "未能", "cannot", "can't", "could not", "unable", "not possible")

CASES = (
    Case("f01", "华东大区上个月的销售额是多少？", says=["1350000"]),
    Case("f02", "帮我看看市场部的预算用了多少", says=["410000"]),
    Case("f03", "王芳的邮箱是什么", says=["wangfang@corp.example"], held=True),
    Case("f04", "张伟还剩几天年假？", says=["5"]),
    Case("f05", "现在有哪些待审批的单子", says=["AP-301", "AP-302"], held=True),
    Case("f06", "审批单 AP-303 是谁提交的，多少钱？", says=["王芳", "950"], held=True),
    Case("f07", "市场部这个月预算用到八成的时候提醒我", {"/budgets/市场部/alert_percent": 80}),
    Case("f08", "给研发部设一个 95% 的预算预警", {"/budgets/研发部/alert_percent": 95}, held=True),
    Case("f09", "同意 AP-301", {"/approvals/AP-301/status": "approved", "/approvals/AP-301/note": re.compile("")}, loose=["/approvals/AP-301/note"]),
    Case("f10", "把 AP-302 驳回，理由是预算不够", {"/approvals/AP-302/status": "rejected", "/approvals/AP-302/note": re.compile("预算不够")}, held=True),
    Case("f11", "批准 AP-302", {}, [CANT, "总监"], held=True),
    Case("f12", "帮陈静请 3 月 12 日到 3 月 13 日的年假", {"/leaves/*": {"employee_id": "E003", "start_date": "2026-03-12", "end_date": "2026-03-13", "type": "annual"}}),
    Case("f13", "王芳想请明天一天的病假", {"/leaves/*": {"employee_id": "E002", "start_date": "2026-03-02", "end_date": "2026-03-02", "type": "sick"}}, held=True),
    Case("f14", "给王芳申请 2026-03-05 到 2026-03-06 的年假", {}, [CANT, "余额不足"], held=True),
    Case("f15", "订一间能坐 10 个人以上、有投影的会议室，3 月 4 日下午两点，越小越好", {"/bookings/*": {"room_id": "R3", "date": "2026-03-04"}}, held=True),
    Case("f16", "预订长江厅，日期 2026-03-03", {"/bookings/*": {"room_id": "R1", "date": "2026-03-03"}}),
    Case("f17", "发消息告诉张伟：明天的例会改到下午三点", {"/messages/*": {"employee_id": "E001", "content": re.compile("明天的例会改到下午三点")}}),
    Case("f18", "研发部的预算如果已经用了超过 85 万，就给陈静发消息说“预算快用完了”", {"/messages/*": {"employee_id": "E003", "content": re.compile("预算快用完了")}}, held=True),
    Case("f19", "张伟的年假要是够 3 天，就帮他请 3 月 9 日到 3 月 11 日的年假，否则请事假", {"/leaves/*": {"employee_id": "E001", "start_date": "2026-03-09", "end_date": "2026-03-11", "type": "annual"}}, held=True),
    Case("f20", "请帮我请假", {"/leaves/*": {"employee_id": "E003", "start_date": "2026-03-16", "end_date": "2026-03-17", "type": "annual"}}, turns=[("员工|姓名", "我是陈静，3月16日到3月17日，年假")], held=True, asked="员工|姓名"),
    Case("f21", "What were the sales of 华南 in January 2026?", says=["980000"]),
    Case("f22", "Please approve the oldest pending request that is under 10000 yuan", {"/approvals/AP-301/status": "approved", "/approvals/AP-301/note": re.compile("")}, loose=["/approvals/AP-301/note"], held=True),
    Case("f23", "华东和华南二月份哪个销售额更高？", says=["1350000", "900000", "华东"], held=True),
    Case("f24", "谢谢你，辛苦了"),
    Case("f25", "市场部预算还剩多少？剩得不到 10 万的话，给王芳发个消息提醒她", {"/messages/*": {"employee_id": "E002"}}, held=True),
    Case("f26", "张伟提交的待审批单全部同意", {"/approvals/AP-301/status": "approved"}, loose=["/approvals/AP-301/note"], held=True),
)  # fmt: skip
