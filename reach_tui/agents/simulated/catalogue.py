"""The visible tools, understood once per catalogue: verbs, nouns, parameters, and whether a tool reads or writes."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from reach_tui.agents.simulated.features import concepts, spaced, tokens, vector
from reach_tui.agents.simulated.lexicon import ACT, FIELD, READ, ROLE, THING
from reach_tui.agents.simulated.parameters import ENUM, ID, IDS, MONEY, OBJECTS, Param, read_param
from reach_tui.agents.simulated.values import shape
from reach_tui.core.canonical import canonical

Vector = tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as the model understands it. `name_acts` and `desc_acts` are acts named there, `nouns` things, first the
    one it is about; `reads` says that it only looks things up; `batch` that it takes several records at once; `spoken`
    are all concepts of its texts, `enum_acts` acts that an option of a parameter names (status: closed), `demands`
    states that its description asks of the record (each with whether it is denied)."""

    name: str
    description: str
    params: tuple[Param, ...]
    name_vec: Vector
    desc_vec: Vector
    param_vec: Vector
    name_acts: tuple[str, ...]
    desc_acts: tuple[str, ...]
    nouns: tuple[str, ...]
    reads: bool
    batch: bool
    spoken: frozenset[str]
    enum_acts: frozenset[str]
    demands: tuple[tuple[str, bool], ...]

    @property
    def required(self) -> tuple[Param, ...]:
        """Parameters that must be given."""
        return tuple(param for param in self.params if param.required)

    def param(self, name: str) -> Param | None:
        """The parameter of that name."""
        return next((param for param in self.params if param.name == name), None)

    @property
    def acts(self) -> tuple[str, ...]:
        """Acts of name and description, each once."""
        return tuple(dict.fromkeys((*self.name_acts, *self.desc_acts)))


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All visible tools. `idf` weighs features by rarity; `main_noun` is what most of
    them need the id of; `shapes` maps example shapes of ids to the nouns they name."""

    tools: tuple[Tool, ...]
    idf: Mapping[str, float]
    mean_norm: tuple[float, float, float]
    shapes: Mapping[str, tuple[str, ...]]
    acts: frozenset[str]
    minor: bool
    main_noun: tuple[str, ...]

    def tool(self, name: str) -> Tool | None:
        """The tool of that name."""
        return next((tool for tool in self.tools if tool.name == name), None)


_AWAY = re.compile(
    r"\b(?:instead|rather than|not for|do not|don['’]t|never|use \w+_\w+|see \w+_\w+|unlike|cannot|only after "
    r"calling)\b|不要|请勿|勿|不能用|不用于|请用|而不是|不适用",
    re.IGNORECASE,
)
_PIECES = re.compile(
    r"(?<=[.;。；！!])\s*|\n+|\s*[（(](?=not|不|use|instead)|,\s*(?=not\b|use\b|but\b)|，(?=不|而不是|请用)"
)
_RETURNS = re.compile(
    r"\b(?:and |then |it |this tool |which )?returns?\s+(?=(?:the|a|an|all|its|list|updated|record|details?|"
    r"information|matching|current|one|only|each|whether|status|json|full|what|how|new|their|created|resulting|"
    r"confirmation|up|every|basic)\b)|返回",
    re.IGNORECASE,
)
_READ_HEAD = re.compile(
    r"^\W*(?:get|look|find|list|search|check|track|trace|view|show|fetch|read|retrieve|query|count|display|lookup|"
    r"returns?|gives?|tells?|reports? (?:the|on|where|how)|calculate|compute|compare|see|inspect|browse|quote|"
    r"estimate|details?|information|history|locate|verify|export|download|where|what|who|how)\b|^\W*(?:按[^，]{1,"
    r"12})?(?:查|看|列|搜|检索|获取|统计|显示|返回|计算|追踪|跟踪|对比|比较|浏览|汇总|核对|核实|了解)",
    re.IGNORECASE,
)
_READ_NAME = frozenset({
    "get", "look", "lookup", "find", "list", "search", "check", "track", "trace", "view", "show", "fetch", "read",
    "query", "retrieve", "count", "describe", "inspect", "compare", "calculate", "calc", "quote", "estimate",
    "verify", "history", "export", "browse", "locate", "report",
})  # fmt: skip
_BATCH = re.compile(r"\bbatch|\bbulk|several|multiple|at once|many\b|批量|一次性|多个|多张|多笔", re.IGNORECASE)
_MINOR = re.compile(r"minor unit|\bin cents\b|\bcents\b|单位[：:为是]?\s*分|以分为单位|（分）|分为单位", re.IGNORECASE)
_CODA = re.compile(r"，?(?:返回|得到|显示)")


_PREPOSITION = re.compile(r"\b(?:by|for|of|from|with|in|to|on|at|per)\b")


def _useful(description: str) -> str:
    """A description without the parts that say what the tool is *not* for, and without `returns the ...`."""
    kept = [piece for piece in _PIECES.split(description) if piece and not _AWAY.search(piece)]
    return _RETURNS.sub(" get ", " ".join(kept or [description]))


def _acts(text: str) -> tuple[str, ...]:
    return tuple(
        dict.fromkeys(
            key for token in tokens(text) if token.kind == "concept" for key in token.keys if ROLE[key] == ACT
        )
    )


def _reads(name: str, description: str, weights: tuple[float, float]) -> bool:
    """Whether a tool only looks things up: by the first word of its name and the head of its description, weighed."""
    words = spaced(name).lower().split()
    first = words[0] if words else ""
    if first in _READ_NAME and not (first == "report" and len(words) > 1):
        by_name = 1
    else:
        by_name = -1 if _acts(first) else 0
    by_text = 1 if _READ_HEAD.search(description) else _verb_of(re.split(r"[.;。；]", description, maxsplit=1)[0])
    leaning = weights[0] * by_name + weights[1] * by_text
    return leaning > 0 or (leaning == 0 and not _acts(spaced(name)) and not _acts(description))


def _verb_of(sentence: str) -> int:
    """1 where the first verb of a sentence reads, -1 where it acts, 0 where it has none (Payments of an order)."""
    found = tokens(sentence)
    for place, token in enumerate(found):
        if token.kind != "concept":
            continue
        roles = {ROLE[key] for key in token.keys}
        if THING in roles or (place and sentence.isascii() and ACT in roles):
            continue
        if ACT in roles:
            return -1
        if READ in roles:
            return 1
    return 0


def _demands(sentence: str, label: str) -> tuple[tuple[str, bool], ...]:
    """States that a description asks of the record, as adjective or denied: a *delivered* order, *not shipped*,
    尚未发货的订单. What the tool itself does is none."""
    own = {*concepts(label), *_acts(sentence)[:1]}
    found = tokens(sentence)
    out: list[tuple[str, bool]] = []
    for place, token in enumerate(found):
        following = found[place + 1] if place + 1 < len(found) else None
        adjective = following is not None and any(ROLE.get(k) == THING for k in following.keys)
        if token.kind == "concept" and (token.negated or adjective or sentence[token.end : token.end + 1] == "的"):
            out.extend((key, token.negated) for key in token.keys if key in _STAGES and key not in own)
    return tuple(dict.fromkeys(out))


_STAGES = frozenset({"pay", "ship", "delivered", "lost", "close", "cancel"})


def _label_nouns(label: str) -> list[str]:
    """Things a name speaks of, the head of the compound first: order items are items, a member by phone is a member."""
    main = _PREPOSITION.split(label, maxsplit=1)
    groups = []
    for n, part in enumerate(main):
        found = [t for t in tokens(part) if t.kind == "concept"]
        if n == 0 and len(found) > 1 and any(ROLE[k] in (ACT, READ) for k in found[0].keys):
            found = found[1:]
        groups.append([k for t in reversed(found) for k in t.keys if ROLE[k] == THING])
    return [key for group in groups for key in group]


def _read_tool(entry: Any, weights: tuple[float, float]) -> Tool | None:
    function = entry.get("function", entry) if isinstance(entry, Mapping) else None
    if not isinstance(function, Mapping) or not isinstance(function.get("name"), str):
        return None
    name, description = function["name"], str(function.get("description") or "")
    schema = function.get("parameters")
    schema = schema if isinstance(schema, Mapping) else {}
    properties = schema.get("properties")
    properties = properties if isinstance(properties, Mapping) else {}
    required = schema.get("required")
    needed = {str(one) for one in required} if isinstance(required, (list, tuple)) else set()
    params = tuple(read_param(str(key), value, str(key) in needed) for key, value in properties.items())
    label, useful = spaced(name), _useful(description)
    first = re.split(r"[.;。；]", useful, maxsplit=1)[0]
    named = [*_label_nouns(label.lower()), *(c for c in concepts(label.lower()) if ROLE[c] == THING)]
    told = [c for text in (first, useful) for c in concepts(text) if ROLE[c] == THING]
    things = [*named, *told] if weights[0] >= 0.5 else [*told, *named]
    fields = [c for c in concepts(label) if ROLE[c] == FIELD]
    about = " ".join(f"{spaced(param.name)} {param.description}" for param in params)
    vectors = (vector(label), vector(useful), vector(about))
    listed = any(param.kind in (IDS, OBJECTS) for param in params)
    return Tool(
        name=name,
        description=description,
        params=params,
        name_vec=vectors[0],
        desc_vec=vectors[1],
        param_vec=vectors[2],
        enum_acts=frozenset(
            act
            for param in params
            if param.kind == ENUM
            for option in param.enum
            for act in _acts(spaced(str(option)).lower())
        ),
        demands=_demands(first, label),
        spoken=frozenset(key[2:] for vec in vectors for key, _ in vec if key[:2] == "c:"),
        name_acts=_acts(label),
        desc_acts=_acts(_CODA.split(first)[0]),
        nouns=tuple(dict.fromkeys([*things, *fields])),
        reads=_reads(name, useful, weights),
        batch=listed
        and bool(_BATCH.search(label + " " + description) or any(p.kind == IDS and p.required for p in params)),
    )


@lru_cache(maxsize=64)
def _understand(text: str, weights: tuple[float, float]) -> Catalogue:
    tools: list[Tool] = []
    for entry in json.loads(text):
        tool = _read_tool(entry, weights)
        if tool and all(other.name != tool.name for other in tools):
            tools.append(tool)
    frequency: dict[str, int] = {}
    for tool in tools:
        for feature in dict.fromkeys(key for vec in (tool.name_vec, tool.desc_vec, tool.param_vec) for key, _ in vec):
            frequency[feature] = frequency.get(feature, 0) + 1
    idf = {key: math.log(1 + len(tools) / count) for key, count in frequency.items()}
    means = (
        tuple(
            _mean([_norm(vec, idf) for vec in vectors])
            for vectors in zip(*[(t.name_vec, t.desc_vec, t.param_vec) for t in tools], strict=True)
        )
        if tools
        else (1.0, 1.0, 1.0)
    )
    shapes: dict[str, list[str]] = {}
    for tool in tools:
        for param in tool.params:
            if param.kind in (ID, IDS):
                for example in param.examples:
                    known = shapes.setdefault(shape(example), [])
                    known.extend(noun for noun in param.noun if noun not in known)
    needs: dict[str, int] = {}
    for tool in tools:
        for param in tool.required:
            if param.kind == ID and param.noun:
                needs[param.noun[0]] = needs.get(param.noun[0], 0) + 1
    return Catalogue(
        main_noun=(max(sorted(needs), key=lambda noun: needs[noun]),) if needs else (),
        tools=tuple(tools),
        idf=idf,
        mean_norm=(means[0], means[1], means[2]),
        shapes={key: tuple(nouns) for key, nouns in shapes.items()},
        acts=frozenset(act for tool in tools if not tool.reads for act in (*tool.acts, *sorted(tool.enum_acts))),
        minor=any(_MINOR.search(t.description) or any(p.minor and p.kind == MONEY for p in t.params) for t in tools),
    )


def _norm(vec: Vector, idf: Mapping[str, float]) -> float:
    return math.sqrt(sum((weight * idf.get(key, 0.0)) ** 2 for key, weight in vec))


def _mean(norms: Sequence[float]) -> float:
    return sum(norms) / len(norms) or 1.0


def understand(tools: Sequence[Any], name_weight: float, desc_weight: float) -> Catalogue:
    """The catalogue of `tools` (OpenAI function dicts; what is none is passed over), cached by its content."""
    shown = [tool for tool in tools if isinstance(tool, Mapping)]
    try:
        text = canonical(shown)
    except (TypeError, ValueError, RecursionError):
        text = canonical([{"name": str(tool.get("name", ""))} for tool in shown])
    return _understand(text, (name_weight, desc_weight))
