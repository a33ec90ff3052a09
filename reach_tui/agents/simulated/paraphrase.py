"""Ways of saying a thing whose words stand apart, so that no form in the lexicon could catch them."""

from __future__ import annotations

import re
from functools import lru_cache

_TABLE = (
    ("item", r"\bwhat\b.{0,40}\b(?:buy|bought|order(?:ed)?\b(?!\s+\w*\d)|purchased?|in (?:it|the order|my order|this "
        r"order))|\bwhat(?:'s| is) in\b|买(?:了|的|过)?(?:些|的)?(?:都)?(?:是)?(?:什么|哪些|啥)|"
        r"里(?:面)?(?:都)?有(?:什么|哪些|啥)|包含(?:什么|哪些)"),
    ("refund",
        r"钱.{0,6}(?:退|还)(?:给|回|我|一下)|(?:退|还).{0,4}(?:的)?钱|\b(?:get|have|want|give me|give|return)\b.{0,"
        r"12}\bmoney back\b|\bput (?:the|my) money\b"),
    ("payment",
        r"\b(?:paid|charged|billed|deducted|debited)\b.{0,24}\b(?:twice|two times|double)|\b(?:double|twice)\b.{0,"
        r"12}\b(?:charged|billed|paid)|(?:重复|多次|两次|双重|二次).{0,4}(?:扣|付|支付|收)|(?:扣|付|"
        r"收)了?(?:我)?(?:两|2|二|多)[次遍笔]|怎么(?:付|支付)的"),
    ("shipment",
        r"\bwhere(?:'s|’s)\b|\bwhere\b.{0,30}\b(?:is|are)\b|走到|运到|寄到(?:了)?哪|送到(?:了)?哪|到(?:了)?(?:哪|"
        r"什么地方)|在哪"),
    ("track",
        r"\bwhere\b.{0,30}\b(?:parcel|package|order|shipment|delivery|it)\b|走到|运到|寄到(?:了)?哪|送到(?:了)?哪|"
        r"到(?:了)?(?:哪|什么地方)"),
    ("stock",
        r"\bhow many\b.{0,30}\b(?:left|remain|available|in stock)\b|还(?:有|剩)(?:多少|几)(?:个|件|台|双|只|盒|货|"
        r"现货)"),
    ("reship", r"\b(?:send|ship|mail|post)\b.{0,24}\b(?:again|another|new one|replacement)\b|(?:再|重新|另外)(?:给我|"
        r"帮我)?(?:寄|发|送)(?:一)"),
    ("address", r"\b(?:change|update|switch|alter|wrong)\b.{0,20}\bwhere\b.{0,30}\b(?:go(?:es|ing)?|deliver\w*|sent|"
        r"ship\w*|arrive\w*)|(?:寄|送|发)到(?:别|另|其他|新)的?(?:地方|地址)"),
    ("leave",
        r"\bleave (?:days?|balance|request|record|type|quota|application)s?\b|\b(?:days? of|submit|request|take|on|"
        r"for|get|book|paid|list|cancel|approve|my|their|remaining|unpaid|maternity) leave\b(?! (?:a|the|it|him|"
        r"her|them))"),
    ("eta", r"\bwhen\b.{0,40}\b(?:arriv\w*|deliver\w*|come|get here|reach\w*)\b|\bhow (?:long|soon)\b.{0,"
        r"40}\b(?:arriv\w*|deliver\w*|come|get here)|(?:什么时候|啥时候|何时|几时|多久|哪天|几号|几天).{0,8}(?:到|"
        r"送达|收到|送到)|(?:能|会|将)?(?:到|送达|送到|收到).{0,4}(?:什么时候|几时|何时|哪天)"),
    ("shipment", r"\bwhen\b.{0,40}\b(?:arriv\w*|deliver\w*|get here)\b|(?:什么时候|啥时候|何时|几时|多久|哪天|几号).{0,"
        r"8}(?:到(?!账)|送达|送到)"),
    ("shipment", r"\bwho signed\b|\bsigned (?:for|by)\b|\b(?:holding|held) (?:it |the \w+ )?up\b|\bstuck\b|\bdelayed\b|"
        r"谁签收|签收人|卡在|滞留|没动静|异常"),
    ("track", r"\bwho signed\b|\bsigned (?:for|by)\b|\b(?:holding|held) (?:it |the \w+ )?up\b|\bstuck\b|谁签收|签收人|"
        r"卡在|滞留|没动静"),
    ("shipment", r"预计(?:到达|送达|到货)|\b(?:expected|estimated) (?:arrival|delivery)|\beta\b"),
    ("reserve", r"\b(?:put|set|keep|lay)\b.{1,30}\b(?:aside|to one side|by for|back for)\b"),
    ("intercept", r"\bstop\b.{0,12}\b(?:parcel|package|shipment|delivery)\b"),
    ("exchange",
        r"换(?:一)?(?:个|件|台|双|只|条|成|大|小|别|新)|\b(?:get|want|have|send me)\b.{0,20}\b(?:different|another|"
        r"other) (?:size|colour|color|one|model)"),
    ("amount", r"\bhow much\b.{0,30}\b(?:cost|pay|paid|spend|spent|worth|owe)\b"),
)  # fmt: skip
_PATTERNS = tuple((concept, re.compile(pattern, re.IGNORECASE)) for concept, pattern in _TABLE)


@lru_cache(maxsize=8192)
def paraphrased(text: str) -> tuple[str, ...]:
    """Concepts that a text speaks of without naming them in one piece."""
    return tuple(concept for concept, pattern in _PATTERNS if pattern.search(text))
