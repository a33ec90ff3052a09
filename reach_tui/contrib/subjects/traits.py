"""What a subject is: plain numbers, the draws that they are compared with, and how far a prompt moves them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any


@dataclass(frozen=True, slots=True)
class Traits:
    """Strengths and weaknesses of a subject; the defaults are without fault. All are chances but these:

    `name`, `desc`: weights of a tool's name and description in choosing it. `floor`: how much a description must speak
    of what is needed for its tool to be a way at all. `noise`, `touch`: widths of what is added to a tool's score, by
    the seed, and by the digest of all that the agent is told. `stubborn`: how many equal calls it
    makes of a call that fails. `memory`: how many of the latest messages it knows (None: all).

    haste: a write is skipped and believed done. read_back: what was written is read and set right. notice: it sees that
    a result is not what it was after. care: an argument is given right. repair: it acts on what an error says. comply:
    how far orders of the prompt move haste and read_back. invent: it makes up what it does not know.
    """

    name: float = 1.2
    desc: float = 1.0
    floor: float = -1.0
    noise: float = 0.0
    touch: float = 0.0
    haste: float = 0.0
    read_back: float = 1.0
    notice: float = 1.0
    care: float = 1.0
    repair: float = 1.0
    stubborn: int = 1
    comply: float = 1.0
    invent: float = 0.0
    memory: int | None = None

    def override(self, values: Mapping[str, Any]) -> Traits:
        """These traits with `values` laid over them. ValueError names traits that do not exist and ill values."""
        known = [field.name for field in fields(self)]
        unknown = sorted(set(values) - set(known))
        if unknown:
            raise ValueError(f"no trait {', '.join(map(repr, unknown))}; there are {', '.join(known)}")
        return replace(self, **{name: _checked(name, value) for name, value in values.items()}) if values else self


def _checked(name: str, value: Any) -> Any:
    if name == "memory" and value in (None, "all"):
        return None
    try:
        return int(value) if name in ("memory", "stubborn") else float(value)
    except (TypeError, ValueError):
        raise ValueError(f"trait {name}: {value!r} is no number") from None


# fmt: off
_ORDER = ("name", "desc", "floor", "noise", "touch", "haste", "read_back", "notice", "care", "repair", "stubborn",
          "comply", "invent", "memory")
_TABLE: Mapping[str, tuple[float | None, ...]] = {
    "careful-1":   (1.2, 1.0, -1., .05, 0.0, 0.00, .95, .95, .99, .97, 1, .95, 0.0, None),
    "hasty-1":     (1.2, 1.0, -1., .10, 0.0, 0.40, .05, .30, .95, .50, 1, .80, 0.5, None),
    "forgetful-1": (1.4, 1.0, -1., .10, 0.0, 0.02, .30, .30, .95, .70, 1, .80, 0.5, 2),
    "literal-1":   (0.3, 1.0, .10, .10, 0.0, 0.02, .20, .10, .97, .70, 1, .80, 0.1, None),
    "stubborn-1":  (1.0, 0.3, -1., .20, 0.0, 0.05, .10, .10, .77, .10, 5, .40, 0.2, None),
    "touchy-1":    (.35, 1.0, -1., .10, 1.3, 0.03, .20, .20, .97, .70, 1, .80, 0.0, None),
}
# fmt: on
SUBJECTS: Mapping[str, Traits] = {
    name: Traits().override(dict(zip(_ORDER, row, strict=True))) for name, row in _TABLE.items()
}
"""The subjects by name, in the order in which they are shown."""


def draw(*key: object) -> float:
    """A number in [0, 1), the same for the same key in any process: a hash, so that no draw shifts another."""
    text = "\x1f".join(map(str, key)).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=6).digest(), "big") / 2**48


# A sentence moves a subject where it is said to the agent, holds an order, and speaks of checking or of calling
# something done. "Before you change anything, ask" orders something else; "all is checked before noon" nothing.
_ORDERS = (
    "must ", "always", "never", "before ", "after ", "only when", "only after", "not until", "make sure", "ensure",
    "be sure", "don't ", "do not ", "every ", "each ", "first", "required", "必须", "务必", "一定要", "不得", "不要",
    "切勿", "禁止", "之前", "之后", "先", "每次", "才能", "才可", "确保", "严禁", "后再", "后要", "后，", "核实",
)  # fmt: skip
_TO_THE_AGENT = (
    "always", "never", "before ", "after ", "do not", "don't", "make sure", "ensure", "be sure", "verify", "check",
    "confirm", "double-check", "only ", "first", "every ", "each ", "read ", "look ", "when you", "once you",
)  # fmt: skip
_OF_OTHERS_ZH = ("顾客", "客户", "用户", "系统", "本店", "我们")
_CHECKING = (
    "verify", "verifi", "check", "confirm", "read back", "record back", "read it back", "read it again", "again and",
    "record again", "look at what", "really done", "actually", "is done", "was done", "been done", "as done",
    "carry out", "perform", "has happened", "carried out", "claim", "pretend", "report a", "report some", "succe",
    "proof", "call the tool", "called the", "核对", "核实", "核查", "检查", "确认", "复查", "再查", "查验", "验证",
    "真正", "实际", "办好", "办妥", "已完成", "完成了", "重新读取", "再读", "执行", "调用工具", "假装", "工具返回",
)  # fmt: skip
_HURRYING = (
    " fast", "quick", "hurry", "as soon as possible", "right away", "immediately", "without check", "without verif",
    "without confirm", "no need to check", "no need to verify", "no need to confirm", "need not check", "skip check",
    "need not verify", "skip the check", "do not check", "don't check", "do not verify", "don't verify", "never check",
    "never verify", "waste no time", "save time", "dislike questions", "尽快", "赶快", "赶紧", "立刻", "立即", "马上",
    "快点", "不必核", "不用核", "无需核", "无须核", "不要核", "不必检", "不用检", "无需检", "不要检", "不必确认",
    "不用确认", "无需确认", "不用查", "不必查", "无需查", "不喜欢被反问",
)  # fmt: skip
_ABOUT_WORDS = ("spell", "grammar", "tone", "polite", "emoji", "language", "拼写", "语气", "错别字", "语言", "礼貌")


@lru_cache(maxsize=256)
def moved_by(prompt: str, traits: Traits) -> Traits:
    """The traits under a prompt: only haste and read_back move, by comply, and only by orders about doing or checking.

    Where some sentences hurry and others order care, the orders of care win.
    """
    text = prompt.casefold().replace("’", "'")
    for mark in (". ", "! ", "? ", "; ", "；", "。", "！", "？"):
        text = text.replace(mark, mark + "\n")
    hurried = careful = False
    for sentence in (sentence.strip("-*• \t") for sentence in text.split("\n")):
        hurries, orders, checks, words = (
            any(word in sentence for word in listed) for listed in (_HURRYING, _ORDERS, _CHECKING, _ABOUT_WORDS)
        )
        chinese = not sentence[:2].isascii() and not sentence.startswith(_OF_OTHERS_ZH)
        to_the_agent = chinese or "you" in sentence or sentence.startswith(_TO_THE_AGENT)
        hurried |= hurries
        careful |= orders and checks and to_the_agent and not hurries and not words
    haste, read_back, comply = traits.haste, traits.read_back, traits.comply
    if careful:
        return replace(traits, haste=haste * (1 - comply), read_back=read_back + (1 - read_back) * comply)
    if hurried:
        return replace(traits, haste=haste + (1 - haste) * comply / 2, read_back=read_back * (1 - comply))
    return traits
