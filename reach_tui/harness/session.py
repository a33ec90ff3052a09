"""One trial as its agent sees it: every word and call is recorded, limited and answered here."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from reach_tui.core import trajectory as kinds
from reach_tui.core.brief import Brief
from reach_tui.core.changes import StateDigest
from reach_tui.core.context import FULL
from reach_tui.core.faults import NO_STUB, Fault
from reach_tui.core.protocols import StopTrial, ToolPort, ToolResult
from reach_tui.core.task import Limits
from reach_tui.core.tools import ToolSpec, ToolView
from reach_tui.core.trajectory import CANCELLED_REQUEST, EndReason, Exchange, Step, StepKind
from reach_tui.harness.clock import Clock
from reach_tui.harness.guard import LoopGuard
from reach_tui.harness.user import ScriptedUser
from reach_tui.sandbox.faults import Interposed, malformed, no_answer


class Sink(Protocol):
    """Where steps and exchanges go as they happen."""

    def step(self, trial_uid: str, step: Step) -> None:
        """Take a finished step."""

    def exchange(self, trial_uid: str, exchange: Exchange) -> None:
        """Take a finished exchange."""


class TrialSession:
    """Implements `core.protocols.Session`. Also keeps the steps and counts, from which the trial is graded."""

    def __init__(
        self,
        *,
        trial_uid: str,
        request: str,
        prompt: str,
        tools: Sequence[ToolView],
        seed: str,
        port: ToolPort,
        specs: Mapping[str, ToolSpec],
        limits: Limits,
        user: ScriptedUser,
        sink: Sink,
        clock: Clock,
        digest: StateDigest | None = None,
        blocking: bool = False,
        brief: Brief | None = None,
        context: Mapping[str, Any] | None = None,
        interposed: Interposed | None = None,
    ) -> None:
        self.trial_uid = trial_uid
        self.request = request
        self.prompt = prompt
        self.tools = tools
        self.seed = seed
        self.brief = brief
        self.context = context or FULL
        self.steps: list[Step] = []
        self.turn = 0
        self.calls = 0
        self.tokens_in: int | None = 0
        self.tokens_out: int | None = 0
        self.model_ms = 0
        self.failed_requests = 0
        self.endpoint_trouble = ""
        self._port = port
        self._interposed = interposed
        self._specs = specs
        self._known = {tool.name for tool in tools}
        self._limits = limits
        self._user = user
        self._sink = sink
        self._clock = clock
        self._blocking = blocking
        self._guard = LoopGuard(limits.loop)
        self._digest = StateDigest(port.state) if digest is None else digest
        self._begun = clock.elapsed_ms()
        self._actions = 0
        self._notice: str | None = None
        self._record("user", {"text": request})

    @property
    def state_digest(self) -> bytes:
        """The digest of the world's state as it stands."""
        return self._digest.digest

    @property
    def wall_ms(self) -> int | None:
        """Milliseconds since the session began; None where time is not measured."""
        now = self._clock.elapsed_ms()
        return None if now is None or self._begun is None else now - self._begun

    @property
    def faults(self) -> dict[str, int]:
        """How many calls each fault befell, by name; those that befell none are not named."""
        return dict(Counter(step.body["fault"]["name"] for step in self.steps if "fault" in step.body))

    def next_turn(self) -> int:
        """A new decision of the agent begins."""
        self.turn += 1
        return self.turn

    def exchange(self, exchange: Exchange) -> None:
        """Record a request to the model; ends the trial over its token limit."""
        self._sink.exchange(self.trial_uid, exchange)
        self.model_ms += exchange.took_ms
        if exchange.error is not None:
            self.failed_requests += 1
            # Cut off while asking again: what it was asking again for still says why.
            if exchange.error != CANCELLED_REQUEST or not self.endpoint_trouble:
                self.endpoint_trouble = exchange.error
            return
        self.endpoint_trouble = ""
        self.tokens_in = _add(self.tokens_in, exchange.tokens_in)
        self.tokens_out = _add(self.tokens_out, exchange.tokens_out)
        if self._limits.tokens is not None and (self.tokens_in or 0) + (self.tokens_out or 0) > self._limits.tokens:
            raise StopTrial("token_limit", f"more than {self._limits.tokens} tokens")

    def remark(self, text: str, reasoning: str = "", parts: Sequence[str] = ()) -> None:
        """Record words that come beside calls."""
        self._record("agent", _words(text, reasoning, parts))

    async def say(self, text: str, reasoning: str = "", parts: Sequence[str] = ()) -> str | None:
        """Say something to the user and hear what they answer."""
        self._act()
        self._record("agent", _words(text, reasoning, parts))
        answer = self._user.answer(text)
        if answer is not None:
            self._record("user", {"text": answer})
        return answer

    async def call(self, name: str, arguments: Any, call_id: str) -> str:
        """Run one call in a transaction of its own and give back what the agent is told."""
        self._act()
        self.calls += 1
        parsed, problem = read_arguments(arguments)
        if name not in self._known:
            problem = f"there is no tool {name!r}; the tools are: {', '.join(sorted(self._known))}"
        begun = self._clock.elapsed_ms()
        if problem is not None or parsed is None:
            return self._refuse(name, arguments, parsed, call_id, problem or "the arguments are unreadable")
        befallen = self._interposed.strike(name, parsed) if self._interposed else None
        body: dict[str, Any] = {"args": parsed, "raw": arguments}
        if befallen:
            body["fault"] = {"name": befallen.name, "kind": befallen.fault.kind}
        try:
            outcome = await self._answer(name, parsed, befallen.fault if befallen else None)
        except asyncio.CancelledError:
            if befallen:
                # The trial ended while the call was held up: without a step nobody would know by what.
                self._record(
                    "call",
                    {**body, "error": "the trial ended before an answer came"},
                    tool=name,
                    call_id=call_id,
                    ok=False,
                    flags=kinds.FAILED | kinds.FAULT | kinds.LATE,
                    state_digest=self._digest.digest,
                )
            raise
        took = self._since(begun)
        changed = bool(outcome.changes)
        digest = self._digest.update(self._port.state, outcome.changes) if changed else self._digest.digest
        if self._interposed and self._interposed.has_stub(name):
            body["stub"] = True
            if getattr(outcome, "fault", False):
                body["fault"] = {"name": f"{NO_STUB} for {name}"}
        if outcome.ok:
            body["result"] = outcome.text
        else:
            body["error"] = outcome.text
        flags = (kinds.CHANGED if changed else 0) | (0 if outcome.ok else kinds.FAILED)
        if befallen or getattr(outcome, "fault", False):
            flags |= kinds.FAULT
        self._record(
            "call",
            body,
            tool=name,
            call_id=call_id,
            ok=outcome.ok,
            flags=flags,
            took_ms=took,
            changes=outcome.changes,
            state_digest=digest,
        )
        spec = self._specs.get(name)
        if spec is None or not spec.polling:
            self._watch(name, parsed, outcome.text, changed=changed)
        return outcome.text

    def take_notice(self) -> str | None:
        """What the guard has to say, once."""
        notice, self._notice = self._notice, None
        if notice is not None:
            self._record("notice", {"text": notice, "reason": "loop"})
        return notice

    def fail(self, text: str, reason: EndReason) -> None:
        """Record that something outside the agent broke."""
        self._record("error", {"text": text, "reason": reason})

    def _act(self) -> None:
        if self._actions >= self._limits.steps:
            raise StopTrial("step_limit", f"more than {self._limits.steps} actions")
        self._actions += 1

    def _refuse(self, name: str, raw: Any, parsed: Any, call_id: str, problem: str) -> str:
        text = json.dumps({"error": problem}, ensure_ascii=False)
        body = {"args": parsed, "raw": str(raw)[:LONGEST_RAW] if problem == _TOO_DEEP else raw, "error": text}
        self._record(
            "call", body, tool=name, call_id=call_id, ok=False, flags=kinds.FAILED, state_digest=self._digest.digest
        )
        self._watch(name, raw, text, changed=False)
        return text

    async def _answer(self, name: str, arguments: Mapping[str, Any], fault: Fault | None) -> ToolResult:
        """What a call comes to: the world's answer, or a stub's, as far as a fault lets it through."""
        if fault is not None:
            instead = no_answer(fault, name, self._limits.tool_seconds)
            if instead is not None:
                return instead
            if fault.kind == "delay":
                await asyncio.sleep(fault.seconds)
        result: ToolResult | None = self._interposed.stubbed(name, arguments) if self._interposed else None
        if result is None:
            result = await self._perform(name, arguments)
        return malformed(result) if fault is not None and fault.kind == "malformed" else result

    async def _perform(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        if not self._blocking:
            try:
                return self._port.call(name, arguments)
            except SystemExit as error:
                raise StopTrial("infra_error", f"tool {name} tried to end the process ({error})") from None
        # A tool that may hang runs in a thread of its own. Its world is abandoned with the trial if it does: what a
        # hanging tool did or will still do to it is nobody's business any more.
        try:
            async with asyncio.timeout(self._limits.tool_seconds):
                return await in_own_thread(lambda: self._port.call(name, arguments))
        except TimeoutError:
            raise StopTrial("infra_error", f"tool {name} took more than {self._limits.tool_seconds:g} s") from None

    def _watch(self, name: str, arguments: Any, result: str, *, changed: bool) -> None:
        verdict = self._guard.after_call(name, arguments, result, changed=changed)
        if verdict == "stop":
            raise StopTrial("loop", f"{name} was called again with equal arguments after the notice")
        if verdict == "notice":
            self._notice = (
                f"{name} has been called {self._limits.loop + 1} times with equal arguments and equal results, and "
                "nothing has changed in between; do something else, or tell the user that it cannot be done"
            )

    def _since(self, begun: int | None) -> int | None:
        now = self._clock.elapsed_ms()
        return None if now is None or begun is None else now - begun

    def _record(self, kind: StepKind, body: Mapping[str, Any], **more: Any) -> None:
        step = Step(n=len(self.steps) + 1, turn=self.turn, kind=kind, body=body, at_ms=self.wall_ms, **more)
        self.steps.append(step)
        self._sink.step(self.trial_uid, step)


async def in_own_thread(function: Callable[[], ToolResult]) -> ToolResult:
    """Run a function in a daemon thread made for it: a pool would make calls wait for hanging ones."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[ToolResult] = loop.create_future()

    def settle(outcome: ToolResult | None, error: BaseException | None) -> None:
        if future.done():
            return
        if outcome is not None:
            future.set_result(outcome)
        else:
            ended = RuntimeError(f"the tool ended with {error!r}")
            future.set_exception(error if isinstance(error, Exception) else ended)

    def work() -> None:
        outcome, failure = None, None
        try:
            outcome = function()
        except BaseException as error:
            failure = error
        # The trial may be over, and its loop with it: then nobody waits for this any more.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, outcome, failure)

    threading.Thread(target=work, name="tool-call", daemon=True).start()
    return await future


LONGEST_RAW = 4000
DEEPEST = 100
"""Levels of nesting in arguments that a model may send."""


def read_arguments(raw: Any) -> tuple[dict[str, Any] | None, str | None]:
    """(the arguments as an object, None) or (None, what is wrong), from what a model sent: text, object or nothing."""
    if raw is None or (isinstance(raw, str) and not raw.strip()):
        return {}, None
    if isinstance(raw, Mapping):
        return (None, _TOO_DEEP) if too_deep(raw) else (dict(raw), None)
    if not isinstance(raw, str):
        return None, f"the arguments must be a JSON object, not a {_json_kind(raw)}"
    try:
        value = json.loads(raw, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        return None, f"the arguments are not valid JSON ({error}); send one JSON object"
    if not isinstance(value, dict):
        return None, f"the arguments must be a JSON object, not a {_json_kind(value)}"
    return (None, _TOO_DEEP) if too_deep(value) else (value, None)


_TOO_DEEP = f"the arguments are nested more than {DEEPEST} levels deep"


def too_deep(value: Any) -> bool:
    """Whether a JSON value is nested deeper than anything that reads it can bear. Does not recurse itself."""
    level = [value]
    for _ in range(DEEPEST):
        level = [
            item
            for node in level
            if isinstance(node, (Mapping, list, tuple))
            for item in (node.values() if isinstance(node, Mapping) else node)
        ]
        if not level:
            return False
    return True


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON value")


def _json_kind(value: Any) -> str:
    names: list[tuple[Callable[[Any], bool], str]] = [
        (lambda v: isinstance(v, (list, tuple)), "list"),
        (lambda v: isinstance(v, bool), "boolean"),
        (lambda v: isinstance(v, (int, float)), "number"),
        (lambda v: isinstance(v, str), "text"),
    ]
    return next((name for fits, name in names if fits(value)), "null")


def _words(text: str, reasoning: str, parts: Sequence[str]) -> dict[str, Any]:
    body: dict[str, Any] = {"text": text}
    if reasoning:
        body["reasoning"] = reasoning
    if parts:
        body["parts"] = list(parts)
    return body


def _add(total: int | None, more: int | None) -> int | None:
    """A sum that is unknown as soon as one of its terms is."""
    return None if total is None or more is None else total + more
