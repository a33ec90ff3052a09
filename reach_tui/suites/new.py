"""The text of a new suite: three small tasks, one of each kind, that load and run as they stand."""

from __future__ import annotations

import json

from reach_tui.core.errors import UsageError
from reach_tui.suites.nodes import typed

SCHEMA_FILE = "suite.schema.json"
TEMPLATE = """\
# yaml-language-server: $schema={schema}
# What every key means: docs/suites.md. Check with: reach suite lint {file}
suite: {name}
sandbox: commerce
agent: {{kind: simulated, model: hasty-1}}
prompt: |
  You are the after-sales assistant of an online shop. Answer in the language of the customer.
  Goods can come back within 7 days of delivery if the customer changed their mind.
  If a rule forbids it, change nothing and say why.
now: 2026-03-01T10:00:00+08:00
defaults: {{repeat: 3, limits: {{steps: 40, tool_seconds: 20, task_seconds: 600}}}}

# Keys that begin with x- hold anchors. Here: what every write leaves behind.
x-trail: &trail [/audit/*, /orders/*/updated_at]

tasks:
  - id: Q-01
    domain: logistics
    intent: track
    task_type: single
    kind: query
    priority: P1
    difficulty: single
    weight: 5
    request: Where is the parcel of order A101 right now?
    must_include: [[Changsha, 长沙]]
    expected_tools: [track_shipment]
    reference: [{{track_shipment: {{order_id: A101}}}}]

  - id: A-01
    domain: after-sales
    intent: refund
    task_type: chain
    kind: action
    priority: P0
    difficulty: chain
    risk: high
    weight: 8
    request: 我要退掉刚收到的耳机，订单 A100，不想要了，钱原路退回。
    expected_state:
      orders: {{A100: {{status: refund_review}}}}
      order_items: {{A100-1: {{status: refund_review}}}}
      refunds: {{$any: {{order_id: A100, channel: original}}}}
    allow_changes: *trail
    milestones:
      - {{name: order looked up, called: {{tool: get_order, args: {{order_id: A100}}, ok: true}}}}
      - {{name: refund recorded, state: {{refunds: {{$any: {{order_id: A100}}}}}}}}
    forbidden: [{{called: {{tool: cancel_order, ok: true}}}}]
    reference:
      - {{get_order: {{order_id: A100}}}}
      - {{request_refund: {{order_id: A100, reason: changed_mind, channel: original}}}}

  - id: R-01
    domain: after-sales
    intent: refund
    task_type: single
    kind: refuse
    priority: P0
    difficulty: single
    weight: 4
    request: I don't need the USB hub from order A123 any more. I changed my mind, please refund it.
    must_include: [[7 days, seven days]]
    reference: [{{request_refund: {{order_id: A123, reason: changed_mind}}}}]
"""


def new_suite(name: str, schema: str = SCHEMA_FILE) -> str:
    """The text of a suite called `name`; `schema` is where its first line tells editors to find the JSON Schema.

    UsageError for a name that is empty or more than one line.
    """
    if not name.strip() or name != name.strip() or not name.isprintable() or len(name) > 200:
        raise UsageError("a suite's name is one line of text", hint="for example commerce-aftersales")
    if not schema.strip() or not schema.isprintable():
        raise UsageError("the schema is named by a path or an address on one line")
    plain = name.replace("-", "").replace("_", "").isalnum() and isinstance(typed(name), str)
    shown = name if plain else json.dumps(name, ensure_ascii=False)
    return TEMPLATE.format(name=shown, schema=schema, file="FILE")
