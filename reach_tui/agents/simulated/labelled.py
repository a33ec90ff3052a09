"""Values that the user gives under their label: `City: X`, `邮编 315100`, `New recipient: X`, `手机号改成 138…`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reach_tui.agents.simulated.features import spaced
from reach_tui.agents.simulated.parameters import EMAIL, PHONE, Param
from reach_tui.agents.simulated.values import find_values

_LABELS = {
    "city": (r"city|town", r"城市"),
    "postcode": (r"post ?codes?|zip(?: code)?|postal code", r"邮政编码|邮编"),
    "recipient": (r"recipient|receiver|consignee", r"收件人|收货人"),
    "phone": (r"phone(?: number)?|mobile(?: number)?|telephone", r"手机号码?|电话号码|电话|手机"),
    "email": (r"e-?mail(?: address)?", r"电子邮件|电子邮箱|邮箱"),
    "street": (r"street(?: address)?|address(?: line)?|line", r"详细地址|街道地址|地址|街道"),
}
"""Labels as people write them, English and Chinese."""
_SEGMENT = re.compile(r"[,，。；;：:、\n]\s*|\.(?=\s|$)\s*")
_LEAD_EN = r"(?:and |then |the |new |my |correct |right )*"
_SETS = r"(?:改成|改为|换成|换为|变更为|更新为|更正为|应为|应该是|是|为)"
_NO_VALUE = re.compile(r"^(?:的|有|没|写|和|与|不|要|填|错|在|里|也|就|都|还|一起|信息|资料)")


def label_of(param: Param) -> str | None:
    """The label class that a parameter belongs to, by its name, else by how its description begins."""
    for text in (spaced(param.name), re.split(r"[.,。，;；(（]", param.description, maxsplit=1)[0]):
        for name, (english, chinese) in _LABELS.items():
            if re.search(rf"\b(?:{english})\b|{chinese}", text, re.IGNORECASE):
                return name
    return None


def labelled(param: Param, texts: Sequence[str]) -> str | None:
    """What `texts` (nearest first) give for a parameter under its label; None where they do not name it."""
    name = label_of(param)
    if name is None:
        return None
    for text in texts:
        found = _by_form(param, name, text) or _by_segment(name, text)
        if found:
            return found
    return None


def _by_form(param: Param, name: str, text: str) -> str | None:
    """A phone or e-mail is known by its form, where the text speaks of one."""
    if name not in ("phone", "email"):
        return None
    kind = PHONE if name == "phone" else EMAIL
    english, chinese = _LABELS[name]
    if not re.search(rf"\b(?:{english})\b|{chinese}", text, re.IGNORECASE):
        return None
    forms = [value for value in find_values(text) if value.kind == kind]
    return forms[-1].text if forms else None


def _by_segment(name: str, text: str) -> str | None:
    """A piece between stops that begins with the label; after a colon the label is the end of the piece before."""
    english, chinese = _LABELS[name]
    begins = re.compile(
        rf"^(?:{_LEAD_EN}(?:{english})\b(?P<tie>\s+(?:is|should be|to|=))?\s+"
        rf"|(?:新的?|正确的?)?(?:{chinese})\s*(?P<set>{_SETS})?\s*)"
        r"(?P<value>\S.*)$",
        re.IGNORECASE,
    )
    ends = re.compile(rf"(?:\b(?:{english})|{chinese})\s*$", re.IGNORECASE)
    pieces = _pieces(text)
    for number, (piece, colon) in enumerate(pieces):
        if colon and number + 1 < len(pieces) and ends.search(piece) and not begins.match(pieces[number + 1][0]):
            following = pieces[number + 1][0].strip()
            if following and not _labels(following):
                return following
        match = begins.match(piece)
        if match is None:
            continue
        value = match["value"].strip()
        tied = bool(match["tie"] or match["set"])
        if (
            tied
            or (value[0].isdigit() or value[0].isupper())
            or (not value[0].isascii() and not _NO_VALUE.match(value))
        ):
            return value
    return None


def _labels(text: str) -> bool:
    """Whether a piece begins with a label of its own."""
    return any(
        re.match(rf"(?:{_LEAD_EN}(?:{english})\b|(?:{chinese}))", text, re.IGNORECASE)
        for english, chinese in _LABELS.values()
    )


def _pieces(text: str) -> list[tuple[str, bool]]:
    """The text between stops, each with whether a colon ends it."""
    out, at = [], 0
    for match in _SEGMENT.finditer(text):
        out.append((text[at : match.start()].strip(), match.group().strip() in ("：", ":")))
        at = match.end()
    out.append((text[at:].strip(), False))
    return [(piece, colon) for piece, colon in out if piece]
