"""What a prompt orders, sentence by sentence; sentences without an order of a known form change nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from reach_tui.agents.simulated.features import concepts, tokens
from reach_tui.agents.simulated.lexicon import ACT, ROLE, THING
from reach_tui.agents.simulated.models import Traits
from reach_tui.core.draws import draw

ANY = "*"


@dataclass(frozen=True, slots=True)
class Directives:
    """Orders of a prompt. `first` are preconditions (nouns to look at, acts that must wait, ANY for every write);
    `forbidden` are acts ruled out, each with the nouns it is ruled out for (none: for all)."""

    check: bool = False
    honest: bool = False
    plain: bool = False
    first: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = ()
    forbidden: tuple[tuple[str, tuple[str, ...]], ...] = ()
    batch: bool = False
    ask: bool = False


_SENTENCE = re.compile(r"(?<=[。！？!?；;\n])|(?<=\.)\s+|\n+")
_MUST = re.compile(
    r"\bmust\b|\balways\b|\bmake sure\b|\bensure\b|\bbe sure\b|\bremember to\b|\brequired\b|\bshould\b|\bneed to\b|"
    r"\bhave to\b|\bbefore\b|\bafter\b|\bonly\b|必须|务必|一定要|应当|应该|应|需要|都要|记得|先|才能|之后|确保|"
    r"请(?!用)",
    re.IGNORECASE,
)
_NEVER = re.compile(
    r"\bnever\b|\bdo not\b|\bdon['’]t\b|\bmust not\b|\bmay not\b|\bforbidden to\b|\bnot allowed to\b|\bno "
    r"(?=\w+ing\b)|禁止|不要|不得|不能|切勿|严禁|不可|不允许|勿",
    re.IGNORECASE,
)
_CHECK = re.compile(
    r"\bverify\b|\bdouble-?check\b|\bread (?:it |them |the record )?back\b|\bre-?read\b|\bcheck again\b|\bconfirm "
    r"(?:that |whether )?(?:the|it|each|every|your)\b(?! (?:user|customer))|核实|复核|回读|再查|再次查询|核对|验证|"
    r"确认(?!.{0,4}用户)",
    re.IGNORECASE,
)
_WRITTEN = re.compile(
    r"\bafter\b|\bonce\b|\bwrit\w+|\bwrote\b|\bchang\w+|\bupdat\w+|\bresult|\brecord|\bdone\b|\bevery\b|\beach\b|"
    r"\bbefore you (?:answer|reply|tell|say|finish)|\bbefore (?:answering|replying|telling|finishing)|之后|后|写入|"
    r"修改|变更|结果|完成|操作|答复前|回复前|记录",
    re.IGNORECASE,
)
_CLAIM = re.compile(
    r"\bclaim|\bpretend|\bsay (?:that )?(?:it|something|anything|an? \w+) (?:is|was|has)|\btell (?:the )?(?:user|"
    r"customer)s? (?:that )?(?:it|something|anything)|\bannounce|\breport .{0,20}(?:done|complete|success)|声称|"
    r"谎称|宣称|假装|说成|告诉.{0,6}已|称已|误报",
    re.IGNORECASE,
)
_REALLY = re.compile(
    r"\bactually (?:call|perform|do|carry|use|make)|\breally (?:call|perform|do)|\bdo(?: not|n['’]t) skip|\bnever "
    r"skip|\bskip no\b|\bcarry out (?:every|each|all)|\bcall the tool (?:for|before)|\bcomplete (?:every|each|all)|"
    r"\bperform (?:every|each|all)|\bwithout (?:calling|having called)|不要跳过|不得跳过|不得省略|确实执行|"
    r"真正(?:调用|执行)|实际(?:调用|执行)|必须调用|逐一(?:执行|办理)|每一步都|全部执行",
    re.IGNORECASE,
)
_INVENT = re.compile(r"\binvent|\bmake up\b|\bguess|\bfabricat|\bassum|编造|臆测|猜测|捏造|杜撰|虚构|猜", re.IGNORECASE)
_ASK = re.compile(
    r"(?:\bask|\bconfirm with|\bconfirmation|\bconsent|\bpermission|\bapproval|\bagree|征得|征求|征询|请用户确认|"
    r"向(?:用户|客户|顾客|对方)确认|经(?:用户|客户)(?:确认|同意)|得到.{0,4}(?:同意|确认)|(?:用户|客户)(?:确认|"
    r"同意)).*",
    re.IGNORECASE,
)
_ASK_WHOM = re.compile(r"user|customer|client|caller|them|用户|客户|顾客|对方", re.IGNORECASE)
_WRITES = re.compile(
    r"\b(?:any |every |each |a |making |all )?(?:chang\w+|writ\w+|modif\w+|updat\w+|action|anything|it\b)|修改|"
    r"操作|变更|写入|改动|执行",
    re.IGNORECASE,
)
_IF_UNCLEAR = re.compile(
    r"\bif\b|\bwhen(?:ever)?\b|\bunclear\b|\bmissing\b|\bambiguous\b|\bin doubt\b|如果|若|不清楚|缺少|不明确|"
    r"有疑问|时(?!间)",
    re.IGNORECASE,
)
_BATCH = re.compile(
    r"(?:\bprefer|\buse\b|\bin one (?:call|go)|\binstead of\b|优先|尽量|应|必须|请|使用).*(?:\bbatch|\bbulk|批量|"
    r"一次性)|(?:\bbatch|\bbulk|批量).*(?:\bprefer|\bpossible|优先|尽量|whenever|where)",
    re.IGNORECASE,
)
_QUALIFIED = re.compile(
    r"\bthat\b|\bwhich\b|\bwho\b|\bwhose\b|\bif\b|\bwhen\b|\bunless\b|\bwithout\b|\buntil\b|\bbefore\b|\bafter\b|"
    r"\bmore than\b|\bless than\b|\bover\b|\btwice\b|\banother\b|\bother\b|\balready\b|\bonce\b|未|没有|尚未|之前|"
    r"之后|前|超过|除非|的订单|如果|若|不经|已经|已|状态|其他|他人|别人|未经|擅自|随意|重复",
    re.IGNORECASE,
)
_ORDERS = (
    re.compile(
        r"(?P<b>.+?)(?:之前|以前|前)[，,]?\s*(?:请|必须|务必|应该|应当|应|都要|要|一定要|需要|需)?(?:先|首先)?(?P<a>.+)"
    ),
    re.compile(r"(?:先|首先)(?P<a>.+?)[，,]?\s*(?:再|然后|之后再|后再|才能|才可以?|后才能)(?P<b>.+)"),
    re.compile(r"(?P<a>.+?)(?:之后|以后|后)[，,]?\s*(?:才能|才可以?|方可|再)(?P<b>.+)"),
    re.compile(r"\b[Bb]efore (?P<b>[^,]+),\s*(?P<a>.+)"),
    re.compile(r"(?P<a>.+?)\s+before\s+(?P<b>.+)"),
    re.compile(r"(?P<b>.+?)\s+only (?:after|once)\s+(?P<a>.+)"),
    re.compile(r"\b[Oo]nly (?P<b>.+?)\s+(?:after|once)\s+(?P<a>.+)"),
    re.compile(r"\b[Ff]irst,? (?P<a>.+?),? (?:and )?then (?P<b>.+)"),
)
_READING = re.compile(
    r"\blook|\bcheck|\bread|\bfetch|\bget\b|\bverif|\bconfirm|\bfind|\bview|\bsee\b|\bretriev|\bquer|\bmake sure|"
    r"\bknow|查|看|核|确认|读取|了解|检查|验证",
    re.IGNORECASE,
)


def _acts(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(k for t in tokens(text) if t.kind == "concept" for k in t.keys if ROLE[k] == ACT))


def _things(text: str) -> tuple[str, ...]:
    return tuple(c for c in concepts(text) if ROLE[c] == THING)


@lru_cache(maxsize=256)
def read_prompt(prompt: str) -> Directives:
    """The directives of a prompt."""
    found = Directives()
    for sentence in _SENTENCE.split(prompt[:20_000]):
        if (
            sentence
            and sentence.strip()
            and (
                _MUST.search(sentence)
                or _NEVER.search(sentence)
                or _BATCH.search(sentence)
                or _CHECK.search(sentence)
                or _ASK.search(sentence)
            )
        ):
            found = _sentence(found, sentence.strip())
    return found


def _sentence(found: Directives, sentence: str) -> Directives:
    never = _NEVER.search(sentence)
    if _REALLY.search(sentence) or (never and _CLAIM.search(sentence)):
        found = replace(found, honest=True)
    if never and _INVENT.search(sentence[never.end() :][:24]):
        # What must not be guessed (an order, an amount) is no act that is forbidden.
        return replace(found, plain=True)
    if (
        _CHECK.search(sentence)
        and _WRITTEN.search(sentence)
        and not (never and never.start() < (_CHECK.search(sentence) or never).start())
    ):
        found = replace(found, check=True)
    if _BATCH.search(sentence) and not never:
        found = replace(found, batch=True)
    asks = _ASK.search(sentence)
    if (
        asks
        and _ASK_WHOM.search(sentence)
        and re.search(r"before|prior to|first|之前|前|后再|才|先", sentence)
        and not _IF_UNCLEAR.search(sentence)
        and (_WRITES.search(sentence) or _acts(sentence))
    ):
        return replace(found, ask=True)
    order = None if asks and _ASK_WHOM.search(sentence) else _order(sentence)
    if order:
        return replace(found, first=(*found.first, order))
    if never and not _QUALIFIED.search(sentence[never.end() :]):
        rest = sentence[never.end() :]
        nouns = _things(rest)
        banned = tuple(
            (act, nouns)
            for act in _acts(rest)
            if act not in ("verify", "note", "send", "apply", "report", "create", "set", "change") or nouns
        )
        return replace(found, forbidden=(*found.forbidden, *banned))
    return found


def _order(sentence: str) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Things to look at before acts, where a sentence orders that."""
    for pattern in _ORDERS:
        match = pattern.search(sentence)
        if not match:
            continue
        first, later = match.group("a"), match.group("b")
        nouns = _things(first)
        acts = tuple(act for act in _acts(later) if act not in ("verify",))
        if nouns and _READING.search(first) and (acts or _WRITES.search(later)):
            specific = tuple(act for act in acts if act not in ("change", "note", "set", "apply"))
            return nouns, specific or (ANY,)
    return None


def moved(traits: Traits, found: Directives) -> Traits:
    """`traits` under the directives: each matched one moves towards obedience by `comply`."""
    share = min(1.0, max(0.0, traits.comply))
    if found.check:
        traits = replace(traits, check=traits.check + (1.0 - traits.check) * share)
    if found.honest:
        traits = replace(traits, haste=traits.haste * (1.0 - share))
    if found.plain:
        traits = replace(traits, invent=traits.invent * (1.0 - share))
    return traits


def obeyed(found: Directives, traits: Traits, seed: str) -> Directives:
    """The structural directives this trial obeys."""
    return replace(
        found,
        first=found.first if draw(seed, "comply", "first") < traits.comply else (),
        forbidden=found.forbidden if draw(seed, "comply", "forbidden") < traits.comply else (),
        batch=found.batch and draw(seed, "comply", "batch") < traits.comply,
        ask=found.ask and draw(seed, "comply", "ask") < traits.comply,
    )


def bans(forbidden: Sequence[tuple[str, tuple[str, ...]]], acts: Sequence[str], nouns: Sequence[str]) -> bool:
    """Whether a tool with these acts and nouns is ruled out."""
    return any(act in acts[:2] and (not named or set(named) & set(nouns)) for act, named in forbidden)
