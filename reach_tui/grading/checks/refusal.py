"""A refusal is right only with nothing changed (the state checks say that) and the user told why."""

from __future__ import annotations

import re

from reach_tui.core.grading import CheckResult
from reach_tui.core.task import AcceptableState
from reach_tui.grading.checks.make import check
from reach_tui.grading.evidence import Evidence

_REFUSING = re.compile(
    r"无法|不能|不可|不支持|不符合|不允许|不予|不满足|不在|不属于|不存在|没有|未能|没能|抱歉|对不起|遗憾|拒绝|超过|超出|过期|已过"
    r"|只能|仅限|必须|权限|暂不|冻结|找不到"
    r"|\b(?:not|no|cannot|unable|sorry|unfortunately|afraid|declined?|refuse|denied|outside|expired|exceeds?|ineligible"
    r"|longer|against|policy|only|must|require[sd]?|permission|authori[sz]ed|impossible|frozen)\b|n['’]t\b"
)


def refusal_check(outcome: AcceptableState, evidence: Evidence) -> CheckResult:
    """Whether the user was told: by the declared texts (their own checks), else by a message that says no."""
    if not evidence.messages:
        return check("refusal", False, "the user was told nothing")
    if outcome.must_include or outcome.told:
        words = "the user got an answer; the required texts say whether it tells why"
        return check("refusal", True, words, step=evidence.messages[-1].step.n)
    for message in evidence.messages:
        if _REFUSING.search(message.normal):
            return check("refusal", True, "the user was told that it cannot be done", step=message.step.n)
    return check(
        "refusal", False, "no message tells the user that it cannot be done", step=evidence.messages[-1].step.n
    )
