"""What a tool's parameter wants, read from its name, its description and its schema."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reach_tui.agents.simulated.features import concepts, spaced, stems
from reach_tui.agents.simulated.lexicon import FIELD, ROLE, THING
from reach_tui.agents.simulated.values import find_values

ID, IDS, PHONE, EMAIL, DATE, MONTH, TIME, MONEY, NUMBER, PERCENT = (
    "id", "ids", "phone", "email", "date", "month", "time", "money", "number", "percent",
)  # fmt: skip
ENUM, FLAG, ADDRESS, NAME, WORDS, TEXT, OBJECTS, LIST, OTHER = (
    "enum", "flag", "address", "name", "words", "text", "objects", "list", "other",
)  # fmt: skip

ID_ENDS = frozenset({
    "id", "ids", "no", "nos", "num", "number", "code", "codes", "key", "ref", "reference", "uid", "sku", "skus",
    "sn", "identifier",
})  # fmt: skip
_ID_WORDS = re.compile(
    r"编号|单号|\bid\b|\bids\b|号码?$|identifier|代码|工号|会员号|\bsku\b|number of the (?:order|member|ticket)",
    re.IGNORECASE,
)
_COUNT = re.compile(
    r"quantity|qty|count|units?$|points?$|days?$|hours?$|limit|size$|pieces|minutes|copies|stars|score|delta|数量|"
    r"天数|多少|个数|件数|积分|小时|页数"
)
_MINOR = re.compile(
    r"minor unit|\bcents?\b|\bpence\b|单位[：:为是]?\s*分|以分为单位|（分）|\(分\)|最小货币单位|分为单位", re.IGNORECASE
)
_EXAMPLE = re.compile(
    r"(?:for example|for instance|e\.g\.?|such as|like|example:?|examples:?|例如|比如|如|形如|例：|例:)[，,"
    r"：:\s]*([^。；;)）]+)",
    re.IGNORECASE,
)
_HINT = re.compile(r"for example|e\.g\.|such as|example|例如|比如|形如|format|格式|YYYY|HH:MM|digits", re.IGNORECASE)
_REASONY = frozenset(
    {"reason", "comment", "subject", "content", "note", "message", "question", "report_doc", "complain"}
)
_TEXT_WORDS = frozenset({
    "reason", "note", "notes", "comment", "comments", "remark", "remarks", "subject", "title", "message", "content",
    "body", "text", "description", "desc", "detail", "details", "summary", "resolution", "memo", "explanation",
    "justification", "topic", "question", "issue", "problem", "feedback", "statement", "reply", "instructions",
    "instruction", "purpose", "complaint",
})  # fmt: skip
_WORD_WORDS = frozenset({"keyword", "keywords", "query", "q", "search", "term", "terms", "words", "phrase"})
_DATE_WORDS = frozenset(
    {"date", "day", "deadline", "since", "until", "on", "from", "to", "start", "end", "after", "before", "begin", "due"}
)
_MONEY_WORDS = frozenset(
    {"amount", "price", "total", "fee", "money", "cost", "cents", "sum", "refund", "compensation", "balance", "value"}
)


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter. `noun` are the things it names (for ids), `concepts` what its name and description speak of.

    `examples` are values given in the description or schema; `hinted` says that form or examples are documented;
    `minor` that money goes in minor units; `item` is the schema of a list's items.
    """

    name: str
    kind: str
    required: bool
    type: str
    description: str
    noun: tuple[str, ...]
    concepts: tuple[str, ...]
    words: frozenset[str]
    enum: tuple[Any, ...]
    default: Any
    has_default: bool
    pattern: str | None
    examples: tuple[str, ...]
    hinted: bool
    minor: bool
    item: Mapping[str, Any] | None


def read_param(name: str, schema: Any, required: bool) -> Param:
    """The parameter `name` with its JSON Schema; anything odd in the schema is read as plain text."""
    schema = schema if isinstance(schema, Mapping) else {}
    kind_name = schema.get("type", "string")
    if isinstance(kind_name, list):
        kind_name = next((k for k in kind_name if k != "null"), "string")
    options = schema.get("enum")
    if not isinstance(options, list):
        branches = [b for key in ("anyOf", "oneOf") for b in (schema.get(key) or ()) if isinstance(b, Mapping)]
        options = next((b["enum"] for b in branches if isinstance(b.get("enum"), list)), None)
        if "type" not in schema and branches:
            kind_name = next(
                (b["type"] for b in branches if isinstance(b.get("type"), str) and b["type"] != "null"), "string"
            )
    description = str(schema.get("description") or schema.get("title") or "")
    pattern = schema.get("pattern") if isinstance(schema.get("pattern"), str) else None
    item = schema.get("items") if isinstance(schema.get("items"), Mapping) else None
    if options is None and item and isinstance(item.get("enum"), list):
        options = item["enum"]
    label = spaced(name).lower()
    enum = tuple(options) if options else ()
    kind = _kind(label, str(kind_name), description, enum, item, schema)
    examples = _examples(description, schema)
    named = concepts(label)
    return Param(
        name=name,
        kind=kind,
        required=required,
        type=str(kind_name),
        description=description,
        noun=_noun(label, description) if kind in (ID, IDS) else (),
        concepts=tuple(dict.fromkeys([*named, *concepts(description)])),
        words=stems(label),
        enum=enum,
        default=schema.get("default"),
        has_default="default" in schema,
        pattern=pattern,
        examples=examples,
        hinted=bool(pattern or enum or examples or schema.get("format") or _HINT.search(description)),
        minor=bool(_MINOR.search(description) or "cents" in label or "minor" in label),
        item=item,
    )


def _kind(
    label: str,
    kind: str,
    description: str,
    enum: tuple[Any, ...],
    item: Mapping[str, Any] | None,
    schema: Mapping[str, Any],
) -> str:
    parts = label.split()
    last = parts[-1] if parts else ""
    about = set(concepts(label)) or set(concepts(description[:40]))
    if kind == "boolean":
        return FLAG
    if kind == "array":
        if item and item.get("type") == "object":
            return OBJECTS
        return (
            IDS
            if not enum and (last in ID_ENDS or _ID_WORDS.search(description) or any(ROLE[c] == THING for c in about))
            else LIST
        )
    if enum:
        return ENUM
    if "phone" in about and kind == "string":
        return PHONE
    if "email" in about and kind == "string":
        return EMAIL
    if kind in ("integer", "number"):
        if "percent" in label or "ratio" in label or re.search("百分比|percent", description, re.IGNORECASE):
            return PERCENT
        if (
            "cents" in label
            or (set(parts) & _MONEY_WORDS and not _COUNT.search(label))
            or (about & {"amount", "price", "fee"} and not _COUNT.search(label))
        ):
            return MONEY
        return ID if last in ID_ENDS and last not in ("number", "num", "no") else NUMBER
    if set(parts) & _TEXT_WORDS:
        return TEXT
    if last in ID_ENDS and "name" not in parts:
        return ID
    return _text_kind(parts, label, about, description, schema)


def _text_kind(parts: list[str], label: str, about: set[str], description: str, schema: Mapping[str, Any]) -> str:
    form = str(schema.get("format") or "")
    if "month" in about and "YYYY-MM-DD" not in description:
        return MONTH
    if (
        ("time" in parts or "HH:MM" in description)
        and "date" not in parts
        and "YYYY" not in description
        and form != "date-time"
    ):
        return TIME
    if (
        form in ("date", "date-time")
        or "date" in parts
        or "YYYY-MM-DD" in description
        or (set(parts) & _DATE_WORDS and "date" in concepts(description))
    ):
        return DATE
    if "address" in parts or ("address" in about and not _ID_WORDS.search(description)):
        return ADDRESS
    if set(parts) & _WORD_WORDS:
        return WORDS
    if set(parts) & _TEXT_WORDS:
        return TEXT
    if _ID_WORDS.search(description) and "name" not in parts and not re.search(r"name|姓名|名称", description):
        return ID
    if any(ROLE[c] == THING for c in concepts(label)) and re.search(r"\bid\b|编号|号", description):
        return ID
    if (
        "name" in about
        or re.search(r"\bname\b|姓名|名称", description)
        or any(ROLE[c] in (THING, FIELD) for c in concepts(label))
    ):
        return NAME if not (about & _REASONY) else TEXT
    if about & _REASONY:
        return TEXT
    return OTHER


def _noun(label: str, description: str) -> tuple[str, ...]:
    parts = [part for part in label.split() if part not in ID_ENDS or part in ("sku", "skus")]
    found = [c for c in concepts(" ".join(parts)) if ROLE[c] in (THING, FIELD)]
    if "tracking" in parts:
        found = ["tracking_no", *found]
    if not found:
        found = [c for c in concepts(description) if ROLE[c] == THING]
    return tuple(dict.fromkeys(c for c in found if c not in ("number", "created"))) or tuple(parts[:1])


def _examples(description: str, schema: Mapping[str, Any]) -> tuple[str, ...]:
    listed = schema.get("examples")
    given: list[Any] = listed if isinstance(listed, list) else []
    if "example" in schema:
        given = [*given, schema["example"]]
    out = [str(one) for one in given if isinstance(one, (str, int))]
    for match in _EXAMPLE.finditer(description):
        out.extend(
            value.text for value in find_values(match.group(1)) if value.kind in ("id", "quoted", "phone", "date")
        )
    return tuple(dict.fromkeys(out))
