"""What an error says: passing trouble, a wrong argument, a record that is not there, or a plain no."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from reach_tui.agents.simulated.catalogue import Tool

PASSING, ARGUMENT, MISSING, DENIED, POLICY = "passing", "argument", "missing", "denied", "policy"

_PASSING = re.compile(
    r"time[d -]?out|temporar|unavailable(?! for)|try again|retry|rate.?limit|too many requests|\b(?:429|500|502|"
    r"503|504)\b|overloaded|\bbusy\b|connection|internal (?:server )?error|gateway|超时|稍后|繁忙|暂时|重试|网络|"
    r"服务不可用|系统错误",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"permission|forbidden|not authori[sz]ed|unauthori[sz]ed|not permitted|\b40[13]\b|supervisor|no access|access "
    r"denied|权限|无权|未授权|需要.{0,6}(?:主管|经理|总监|审批)",
    re.IGNORECASE,
)
_NOT_FOUND = re.compile(
    r"not found|no such|does(?: not|n['’]t) exist|unknown (?!param|arg|tool)|could not find|cannot find|no (?:\w+ "
    r"){1,3}(?:has|with|found|for)|404|没有找到|不存在|找不到|未找到|查无|无此|没有该|没有此",
    re.IGNORECASE,
)
_ARGUMENT = re.compile(
    r"missing|required|must be|invalid|expected|format|should be|one of|does not match|unexpected|unknown (?:param|"
    r"arg)|not (?:a valid|of type)|is not valid|malformed|additional propert|unrecogni[sz]ed|please (?:give|"
    r"provide|specify)|缺少|必填|必须(?:是|为|提供|填写)|格式|无效|不合法|应为|参数|不支持的|非法|请提供",
    re.IGNORECASE,
)
_NO_TOOL = re.compile(
    r"(?:no|unknown|not a) (?:tool|function)|tool .*(?:not found|does not exist|unknown)|没有.*工具|未知工具",
    re.IGNORECASE,
)


@lru_cache(maxsize=2048)
def kind_of(error: str) -> str:
    """One of PASSING, ARGUMENT, MISSING (no such record), DENIED (no right), POLICY (any other no)."""
    if _NO_TOOL.search(error):
        return POLICY
    if _DENIED.search(error):
        return DENIED
    if _ARGUMENT.search(error) and re.search(
        r"param|argument|field|propert|required|must be|参数|字段|必填|缺少|'\w+'|`\w+`|\"\w+\"", error, re.IGNORECASE
    ):
        return ARGUMENT
    if _NOT_FOUND.search(error):
        return MISSING
    if _PASSING.search(error):
        return PASSING
    if _ARGUMENT.search(error):
        return ARGUMENT
    return POLICY


def blamed(error: str, tool: Tool, args: Mapping[str, Any]) -> tuple[str, ...]:
    """Parameters that an error speaks of: by name, else by a value it repeats."""
    named = [p.name for p in tool.params if re.search(rf"(?<![A-Za-z0-9_]){re.escape(p.name)}(?![A-Za-z0-9_])", error)]
    if named:
        return tuple(named)
    quoted = [
        name
        for name, value in args.items()
        if isinstance(value, (str, int, float))
        and not isinstance(value, bool)
        and len(str(value)) > 1
        and str(value) in error
    ]
    if quoted:
        return tuple(quoted)
    return tuple(args) if len(args) == 1 else ()


def is_missing(error: str, name: str) -> bool:
    """Whether a parameter is said to be missing, not wrong."""
    return bool(re.search(r"missing|required|缺少|必填|请提供|provide", error, re.IGNORECASE))
