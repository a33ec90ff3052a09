"""The course of a conversation: the reference, step by step, with a subject's weaknesses, run over what was heard."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from reach_tui import Brief
from reach_tui.contrib.subjects import slips, telling
from reach_tui.contrib.subjects.choose import Chooser, Tool
from reach_tui.contrib.subjects.heard import Called, Conversation, Event, Spoken, leaves
from reach_tui.contrib.subjects.telling import Speech, StepEnd
from reach_tui.contrib.subjects.traits import draw

MOST_TRIES = 6
"""Calls for one step by one tool, whatever a subject's traits."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call to make."""

    tool: str
    args: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Say:
    """Words to say to the user."""

    text: str


@dataclass(frozen=True, slots=True)
class Step:
    """A call of the reference: `args` as it has them, `known` as far as the subject remembers them."""

    number: int
    tool: str
    args: Mapping[str, Any]
    known: Mapping[str, Any]


class Course:
    """One conversation from its beginning. `run` yields what the subject does next and is sent what came of it.

    What came may be of another act than the one it would have chosen (the beginning was another agent's, or was played
    under another setup): then that is what it has done, and it goes on from there.
    """

    def __init__(self, conversation: Conversation, chooser: Chooser, brief: Brief) -> None:
        self.conversation = conversation
        self.chooser = chooser
        self.traits = chooser.traits
        self.brief = brief
        self.now = conversation.begin
        self.calls: list[Called] = []
        self.ends: list[StepEnd] = []
        self.ahead: dict[int, Called] = {}
        self.speech = Speech(brief.request, "\n".join(words for _, words in conversation.lines), self._chance)

    def run(self) -> Generator[Call | Say, Event, None]:
        """All acts to the end and beyond: whoever goes on talking gets a friendly word."""
        for step, entry in enumerate(self.brief.reference):
            if "ask" in entry:
                yield from self._say(str(entry["ask"]))
                self.ends.append(StepEnd("asked", {}))
            else:
                ((tool, args),) = entry.items()
                self.ends.append((yield from self._pursue(step, tool, args or {})))
        if not self._lines(visible=True) and self._chance("invent", "request") >= self.traits.invent:
            yield from self._say(self.speech.say("again"))
        text = yield from self._last_word()
        yield from self._say(text)
        while True:
            yield from self._say(self.speech.say("bye"))

    # ---- acts, and what is known

    def _chance(self, *key: object) -> float:
        return draw(self.chooser.seed, *key)

    def _writes(self, tool: str) -> bool:
        return self.brief.effects.get(tool) == "write"

    def _call(self, tool: str, args: Mapping[str, Any]) -> Generator[Call | Say, Event, Called]:
        while True:
            event = yield Call(tool, args)
            self.now = event.end
            if isinstance(event, Called):
                self.calls.append(event)
                if _is(event, tool, args) or not self._is_ahead(event):
                    return event

    def _say(self, text: str) -> Generator[Call | Say, Event, None]:
        while True:
            event = yield Say(text)
            self.now = event.end
            if isinstance(event, Spoken):
                return
            self.calls.append(event)
            self._is_ahead(event)

    def _is_ahead(self, event: Called) -> bool:
        """Whether a call that happened out of turn is one of a later step; it is then kept for that step."""
        for step in range(len(self.ends) + 1, len(self.brief.reference)):
            if step not in self.ahead and self.brief.reference[step] == {event.tool: event.args}:
                self.ahead[step] = event
                return True
        return False

    def _visible(self, place: int) -> bool:
        return self.traits.memory is None or place >= self.now - self.traits.memory

    def _results(self) -> list[Called]:
        """The calls whose results it still sees."""
        return [call for call in self.calls if self._visible(call.end - 1)]

    def _lines(self, *, visible: bool) -> list[str]:
        """What the user has said up to now."""
        lines = [(place, words) for place, words in self.conversation.lines if place < self.now]
        return [words for place, words in lines if not visible or self._visible(place)]

    def _records_seen(self) -> list[str]:
        """Texts that may name a record: words of the user and values of results, as far as memory goes."""
        lines = self._lines(visible=True)
        words = [word.strip(",.;:!?()，。；：！？、（）") for line in lines for word in line.split()]
        return words + [leaf for call in self._results() for leaf in leaves(call.result) if isinstance(leaf, str)]

    def _heard(self, value: Any) -> bool:
        """Whether a value could be known by now: it names no record, or the user or a result has named it."""
        heard = "\n".join([*self._lines(visible=False), *(str(leaf) for c in self.calls for leaf in leaves(c.result))])
        return all(not slips.shape(str(leaf)) or str(leaf) in heard for leaf in leaves(value))

    # ---- a step

    def _pursue(self, number: int, needed: str, args: Mapping[str, Any]) -> Generator[Call | Say, Event, StepEnd]:
        writes = self._writes(needed)
        if number in self.ahead:
            call = self.ahead[number]
            return StepEnd("refused" if not call.ok else "done" if writes else "known", args, call)
        known = yield from self._remembered(number, args)
        step = Step(number, needed, args, known)
        knows = all(map(self._heard, args.values()))
        if (writes or not knows) and not all(end.settled for end in self.ends):
            return StepEnd("left", args)
        fitting = [tool for tool in self.chooser.tools if self._writes(tool.name) == writes and tool.fillable(known)]
        if writes and self._chance("haste", needed) < self.traits.haste:
            end = StepEnd("believed", args)
        else:
            end = yield from self._try(step, self.chooser.ranked(number, needed, self.brief.request, fitting))
        # Nothing is mended behind a write that never ran: the look would find the record as that one left it.
        looks = writes and not any(former.state == "believed" for former in self.ends)
        if looks and end.state in ("done", "believed") and self._chance("read back", number) < self.traits.read_back:
            end = yield from self._read_back(step, end)
        return end

    def _try(self, step: Step, ranked: Sequence[Tool]) -> Generator[Call | Say, Event, StepEnd]:
        """The tools in their order until the subject is content; of writes at most one besides the one needed."""
        end = StepEnd("unfit", step.args)
        others = 0
        for tool in ranked:
            others += tool.name != step.tool
            if tool.name != step.tool and others > 1 and self._writes(tool.name):
                continue
            end = yield from self._attempt(step, tool)
            over = end.settled or (tool.name == step.tool and end.state == "failed")
            if over or self._chance("notice", step.number, tool.name) >= self.traits.notice:
                break
        # Whoever wrote with another tool and saw nothing wrong in it believes that it is done.
        return replace(end, state="believed") if end.state == "elsewhere" and self._writes(step.tool) else end

    def _attempt(self, step: Step, tool: Tool) -> Generator[Call | Say, Event, StepEnd]:
        """Calls of one tool: slips, errors, and what is made of them."""
        meant = {name: value for name, value in step.known.items() if name in tool.parameters}
        right = {name: value for name, value in step.args.items() if name in tool.parameters}
        key = (self.chooser.seed, step.number, tool.name)
        given = slips.slipped(tool, meant, self.traits.care, self._records_seen, *key)
        for tries in range(1, MOST_TRIES + 1):
            call = yield from self._call(tool.name, given)
            slip = not _is(call, tool.name, meant)
            exact = _is(call, step.tool, right)
            if call.ok:
                if self._writes(call.tool):
                    return StepEnd("done" if call.tool == step.tool else "elsewhere", step.args, call)
                if exact or not slip or self._chance("notice", step.number, tries) >= self.traits.notice:
                    return StepEnd("known" if exact else "elsewhere", step.args, call)
                given = meant
                continue
            trouble = slips.passes(call.message)
            if exact and not trouble:
                return StepEnd("refused", step.args, call)
            mendable = (trouble or slip) and tries < 3
            if mendable and self._chance("repair", step.number, tool.name, tries) < self.traits.repair:
                given = meant
            elif tries >= self.traits.stubborn:
                break
        return StepEnd("failed", step.args, call)

    def _read_back(self, step: Step, end: StepEnd) -> Generator[Call | Say, Event, StepEnd]:
        """Read what was written; where that is not what was meant, the write once more as it was meant."""
        needed, args = step.tool, step.known
        entity = self.brief.entities.get(needed)
        looks: list[tuple[str, dict[str, Any]]] = []
        for tool in self.chooser.tools:
            same = entity is not None and self.brief.entities.get(tool.name) == entity
            if same and not self._writes(tool.name) and tool.fillable(args):
                optional = [name for name in args if name in tool.parameters][:1]
                names = [name for name in args if name in tool.required] or optional
                looks.append((tool.name, {name: args[name] for name in names}))
        if not looks:
            return end
        yield from self._call(*min(looks, key=lambda look: len(look[1])))
        if end.call is not None and _is(end.call, needed, args):
            return end
        call = yield from self._call(needed, args)
        if call.ok or end.state == "done":
            return replace(end, state="done", call=call if call.ok else end.call)
        return StepEnd("failed" if slips.passes(call.message) else "refused", args, call)

    def _remembered(self, step: int, args: Mapping[str, Any]) -> Generator[Call | Say, Event, Mapping[str, Any]]:
        """The arguments as far as they are remembered; what has scrolled out is made up, read again or asked for."""
        if self.traits.memory is None:
            return args
        known = dict(args)
        for name, value in args.items():
            text = str(value)
            told = any(text in line for line in self._lines(visible=False))
            source = next((call for call in reversed(self.calls) if _holds(call.result, text)), None)
            own = any(self._visible(call.end - 2) and _holds(call.args, text) for call in self.calls)
            seen = any(text in line for line in self._lines(visible=True))
            if own or seen or not (told or source) or any(_holds(call.result, text) for call in self._results()):
                continue
            other = slips.made_up(text, self.chooser.seed, step, name)
            if isinstance(value, str) and other != text and self._chance("invent", step, name) < self.traits.invent:
                known[name] = other
            elif source is not None and not self._writes(source.tool):
                yield from self._call(source.tool, source.args)
            elif told:
                yield from self._say(self.speech.say("again"))
        return known

    # ---- the end

    def _last_word(self) -> Generator[Call | Say, Event, str]:
        answer = self.brief.answer
        if not all(end.settled for end in self.ends):
            calm = self._chance("invent", "end") < self.traits.invent
            return self.speech.say("calm") if calm else self.speech.sentences(self.ends, telling.FEW)
        believed = [end for end in self.ends if end.state == "believed"]
        if answer is None:
            return self.speech.sentences(self.ends, telling.MANY)
        if believed and telling.tells_of_refusal(answer):
            return self.speech.sentences(believed, telling.FEW)
        needed = telling.facts_of(answer)
        made: set[str] = set()
        dropped: set[str] = set()
        for call in [end.call for end in self.ends if end.call is not None and self.traits.memory is not None]:
            lost = needed & telling.facts_in(call.result) - self._facts_seen() - made - dropped
            if lost and self._chance("invent", "fact", call.tool, call.end) < self.traits.invent:
                if not all(map(slips.shape, lost)):
                    return self.speech.say("calm")
                made |= lost
            elif lost and not self._writes(call.tool):
                yield from self._call(call.tool, call.args)
            else:
                dropped |= lost
        if believed:
            # A write that never ran has told nothing: what the answer takes from its result was heard nowhere.
            results = [end.call.result for end in self.ends if end.call is not None]
            heard = telling.facts_in([self._lines(visible=False), results, self.brief.reference])
            invents = self._chance("invent", "numbers") < self.traits.invent
            (made if invents else dropped).update(fact for fact in needed - heard if slips.shape(fact))
        text = telling.before(answer, dropped) if dropped else answer
        if not any(map(slips.shape, telling.facts_of(text))) and dropped:
            text = f"{text} {self.speech.sentences(believed or self.ends, telling.FEW)}".strip()
        return telling.with_other_numbers(text, made, self.chooser.seed) if made else text

    def _facts_seen(self) -> set[str]:
        return telling.facts_in([self._lines(visible=True), [call.result for call in self._results()]])


def _is(call: Called, tool: str, args: Mapping[str, Any]) -> bool:
    return call.tool == tool and dict(call.args) == dict(args)


def _holds(value: Any, text: str) -> bool:
    return any(str(leaf) == text for leaf in leaves(value))
