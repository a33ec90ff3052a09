# ruff: noqa: E501 (a record, a tool, a request is one line)
"""An invented office with tools described in Chinese; errors come as JSON."""

from __future__ import annotations

from typing import Any

from tests.agents.simulated.sim_world import Refused, Tool, World

DATA: dict[str, Any] = {
    "employees": {
        "E001": {"employee_id": "E001", "name": "张伟", "department": "市场部", "email": "zhangwei@corp.example", "leave_days": 5},
        "E002": {"employee_id": "E002", "name": "王芳", "department": "财务部", "email": "wangfang@corp.example", "leave_days": 0},
        "E003": {"employee_id": "E003", "name": "陈静", "department": "研发部", "email": "chenjing@corp.example", "leave_days": 12},
    },
    "sales": {
        "华东": {"2026-01": 1200000, "2026-02": 1350000},
        "华南": {"2026-01": 980000, "2026-02": 900000},
        "华北": {"2026-01": 760000, "2026-02": 810000},
    },
    "budgets": {
        "市场部": {"department": "市场部", "total": 500000, "used": 410000, "alert_percent": None},
        "财务部": {"department": "财务部", "total": 120000, "used": 30000, "alert_percent": 90},
        "研发部": {"department": "研发部", "total": 900000, "used": 880000, "alert_percent": None},
    },
    "approvals": {
        "AP-301": {"approval_id": "AP-301", "type": "差旅报销", "applicant": "张伟", "amount": 3200, "status": "pending", "submitted_on": "2026-02-27"},
        "AP-302": {"approval_id": "AP-302", "type": "采购申请", "applicant": "陈静", "amount": 18800, "status": "pending", "submitted_on": "2026-02-25"},
        "AP-303": {"approval_id": "AP-303", "type": "差旅报销", "applicant": "王芳", "amount": 950, "status": "approved", "submitted_on": "2026-02-20"},
    },
    "leaves": {"L-1": {"id": "L-1", "employee_id": "E003", "start_date": "2026-03-09", "end_date": "2026-03-10", "type": "annual", "status": "submitted"}},
    "rooms": {
        "R1": {"room_id": "R1", "name": "长江厅", "capacity": 20, "has_projector": True},
        "R2": {"room_id": "R2", "name": "黄河厅", "capacity": 8, "has_projector": False},
        "R3": {"room_id": "R3", "name": "泰山厅", "capacity": 10, "has_projector": True},
    },
    "bookings": {},
    "messages": {},
}  # fmt: skip


def _get(state: dict[str, Any], table: str, key: str, noun: str) -> Any:
    if key not in state[table]:
        raise Refused(f"没有找到{noun}：{key}")
    return state[table][key]


def _decide(state: dict[str, Any], key: str, status: str, note: str) -> Any:
    one = _get(state, "approvals", key, "审批单")
    if one["status"] != "pending":
        raise Refused(f"审批单 {key} 已经处理过，当前状态为 {one['status']}")
    if status == "approved" and one["amount"] > 10000:
        raise Refused("金额超过 10000 元的审批需要总监权限，您没有权限")
    one["status"] = status
    one["note"] = note
    return one


def _new(state: dict[str, Any], table: str, prefix: str, record: dict[str, Any]) -> dict[str, Any]:
    key = f"{prefix}-{len(state[table]) + 1}"
    state[table][key] = {"id": key, **record}
    return state[table][key]


def _leave(state: dict[str, Any], args: dict[str, Any]) -> Any:
    person = _get(state, "employees", args["employee_id"], "员工")
    if args.get("type", "annual") == "annual" and person["leave_days"] < 1:
        raise Refused("年假余额不足，无法申请")
    return _new(state, "leaves", "L", {"type": "annual", "status": "submitted", **args})


def _book(state: dict[str, Any], args: dict[str, Any]) -> Any:
    _get(state, "rooms", args["room_id"], "会议室")
    return _new(state, "bookings", "B", args)


def _alert(state: dict[str, Any], args: dict[str, Any]) -> Any:
    budget = _get(state, "budgets", args["department"], "部门预算")
    budget["alert_percent"] = args["percent"]
    return budget


EMPLOYEE = {"type": "string", "description": "员工编号"}
DEPARTMENT = {"type": "string", "description": "部门名称，例如 市场部"}
DATE = "日期，格式 YYYY-MM-DD"

TOOLS = (
    Tool("query_sales", "查询某个大区某个月的销售额（元）", {"region": {"type": "string", "description": "大区名称，例如 华东"}, "month": {"type": "string", "description": "月份，格式 YYYY-MM", "pattern": r"^\d{4}-\d{2}$"}}, ["region", "month"],
         lambda s, a: {"region": a["region"], "month": a["month"], "sales_amount": _get(s, "sales", a["region"], "大区").get(a["month"])}),
    Tool("get_budget", "查看部门预算的总额和已使用金额（元）", {"department": DEPARTMENT}, ["department"], lambda s, a: _get(s, "budgets", a["department"], "部门预算")),
    Tool("set_budget_alert", "设置部门预算的提醒：使用比例达到多少时发出预警", {"department": DEPARTMENT, "percent": {"type": "integer", "description": "百分比，1 到 100 的整数"}}, ["department", "percent"], _alert),
    Tool("list_approvals", "列出审批单，可按状态或申请人筛选", {"status": {"type": "string", "enum": ["pending", "approved", "rejected"], "description": "状态"}, "applicant": {"type": "string", "description": "申请人姓名"}}, [],
         lambda s, a: {"approvals": [p for p in s["approvals"].values() if all(p[k] == v for k, v in a.items())]}),
    Tool("get_approval", "查看一张审批单的详情", {"approval_id": {"type": "string", "description": "审批单号，例如 AP-301"}}, ["approval_id"], lambda s, a: _get(s, "approvals", a["approval_id"], "审批单")),
    Tool("approve_request", "同意（批准）一张审批单", {"approval_id": {"type": "string", "description": "审批单号"}, "comment": {"type": "string", "description": "审批意见"}}, ["approval_id"], lambda s, a: _decide(s, a["approval_id"], "approved", a.get("comment", ""))),
    Tool("reject_request", "驳回（拒绝）一张审批单，必须写明理由", {"approval_id": {"type": "string", "description": "审批单号"}, "reason": {"type": "string", "description": "驳回理由"}}, ["approval_id", "reason"], lambda s, a: _decide(s, a["approval_id"], "rejected", a["reason"])),
    Tool("find_employee", "按姓名查找员工，返回员工编号、部门和邮箱", {"name": {"type": "string", "description": "员工姓名"}}, ["name"], lambda s, a: [e for e in s["employees"].values() if e["name"] == a["name"]]),
    Tool("get_leave_balance", "查询员工剩余的年假天数", {"employee_id": EMPLOYEE}, ["employee_id"], lambda s, a: {k: _get(s, "employees", a["employee_id"], "员工")[k] for k in ("employee_id", "name", "leave_days")}),
    Tool("submit_leave", "为员工提交请假申请", {"employee_id": EMPLOYEE, "start_date": {"type": "string", "description": "开始" + DATE}, "end_date": {"type": "string", "description": "结束" + DATE}, "type": {"type": "string", "enum": ["annual", "sick", "personal"], "description": "假期类型：annual 年假，sick 病假，personal 事假"}}, ["employee_id", "start_date", "end_date", "type"], _leave),
    Tool("list_rooms", "列出会议室及其容纳人数和投影设备", {}, [], lambda s, a: list(s["rooms"].values())),
    Tool("book_room", "预订会议室", {"room_id": {"type": "string", "description": "会议室编号"}, "date": {"type": "string", "description": DATE}, "start_time": {"type": "string", "description": "开始时间，格式 HH:MM"}}, ["room_id", "date"], _book),
    Tool("send_message", "给员工发送一条站内消息", {"employee_id": EMPLOYEE, "content": {"type": "string", "description": "消息内容"}}, ["employee_id", "content"], lambda s, a: (_get(s, "employees", a["employee_id"], "员工"), _new(s, "messages", "MSG", a))[1]),
)  # fmt: skip

OFFICE = World(
    prompt="你是公司的行政助理，通过工具为同事办事。现在是 2026-03-01T10:00:00+08:00（星期日）。请用对方的语言回答。",
    data=DATA,
    tools=TOOLS,
    error_style="json",
)
