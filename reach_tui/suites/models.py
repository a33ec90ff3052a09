"""The two layouts of a suite file as models: every key, its kind of value, what it means.

They validate what `nodes.raw_of` made of a file; the descriptions are also those of the JSON Schema for editors.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from reach_tui.core.faults import DEFAULT_STATUS, FAULT_KINDS
from reach_tui.core.task import Limits
from reach_tui.suites.entries import Asked, Entry
from reach_tui.suites.fields import (
    Address,
    Chance,
    Context,
    Flag,
    Json,
    Labels,
    Mapping,
    Moment,
    Name,
    Ordered,
    PathPattern,
    Positive,
    Said,
    State,
    Text,
    one_of,
    refuse,
    whole,
)
from reach_tui.suites.nodes import Plain
from reach_tui.suites.vocabulary import (
    COMPARISONS,
    DIFFICULTIES,
    KINDS,
    LEVELS,
    ORDERS,
    PERTURBATIONS,
    PRIORITIES,
    RISKS,
)

DEFAULT_REPEAT = 3
HIGH_RISK_REPEAT = 5


class Strict(BaseModel):
    """Takes the keys it names and no others."""

    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=())


def _call(value: Any) -> Any:
    """A tool's name alone is a call with any arguments."""
    return {"tool": value} if isinstance(value, (str, Plain)) else value


def _tool_order(value: Any) -> Any:
    """A plain list of tools is `in_order`."""
    return {"in_order": value} if isinstance(value, list) else value


def _short_call(value: Any) -> Any:
    """`{get_order: {order_id: A100}}` and `get_order` are short for `{tool: get_order, args: {...}}`."""
    if isinstance(value, dict) and not {"tool", "ask"} & set(value) and len(value) == 1:
        [(tool, args)] = value.items()
        return {"tool": tool, "args": {} if args is None else args}
    return _call(value)


class TurnModel(Strict):
    """One further turn of the scripted user."""

    say: Said = Field(description="What the user says.")
    when_asked: Said | None = Field(
        None, description="Said when the agent's message contains this text; without it, said next."
    )


class CallModel(Strict):
    """A pattern of a call."""

    tool: Name = Field(description="The tool's name.")
    args: State | None = Field(None, description="Arguments that must match: values, or operators such as $in.")
    ok: Flag | None = Field(None, description="Whether the call must have succeeded (true) or failed (false).")


class ReferenceCallModel(Strict):
    """One call of the reference trajectory, or words to the user that they answer."""

    tool: Name | None = Field(None, description="The tool's name.")
    args: Mapping | None = Field(None, description="Its arguments.")
    ask: Said | None = Field(None, description="Words to the user, in place of a call.")

    @model_validator(mode="after")
    def _one_of_two(self) -> ReferenceCallModel:
        if (self.tool is None) == (self.ask is None) or (self.ask is not None and self.args is not None):
            raise refuse("an entry of the reference is one call, or `ask` with words", "a call, or ask: TEXT")
        return self


class ToolTextModel(Strict):
    """What the agent is told of a tool, in place of what the sandbox says."""

    description: Text | None = Field(None, description="What the tool does.")
    parameters: dict[Name, Text] | None = Field(None, description="Descriptions of parameters, by name.")


class FaultModel(Strict):
    """A tool that fails on purpose."""

    tool: Name = Field(description="The tool's name.")
    kind: one_of(*FAULT_KINDS) = Field(description="What befalls its calls.")  # type: ignore[valid-type]
    status: whole(400, 599) | None = Field(  # type: ignore[valid-type]
        None, description=f"With kind status: the number; default {DEFAULT_STATUS}."
    )
    seconds: Positive | None = Field(None, description="With kind delay: so late the answer comes.")
    calls: Annotated[list[whole(1, 1_000_000)], Field(min_length=1)] | None = Field(  # type: ignore[valid-type]
        None, description="Which calls of the tool in a trial, from 1; default all."
    )
    chance: Chance | None = Field(None, description="The chance of each of these calls; default 1.")
    tasks: Annotated[list[Name], Field(min_length=1)] | None = Field(
        None, description="Ids of tasks, or patterns such as RF-*; default all."
    )

    @model_validator(mode="after")
    def _fields_of_kind(self) -> FaultModel:
        if self.seconds is not None and self.kind != "delay":
            raise refuse("`seconds` belongs to the kind delay", "kind: delay, or no seconds")
        if self.seconds is None and self.kind == "delay":
            raise refuse("a delay needs `seconds`", "seconds: 2")
        if self.status is not None and self.kind != "status":
            raise refuse("`status` belongs to the kind status", "kind: status, or no status")
        return self


class StubReplyModel(Strict):
    """One answer of a stubbed tool: exactly one of `reply` and `error`."""

    args: Mapping | None = Field(None, description="Arguments that must be given so; default any.")
    reply: Json = Field(None, description="What the tool answers.")
    error: Said | None = Field(None, description="The text of an error in place of an answer.")

    @model_validator(mode="after")
    def _one_of_two(self) -> StubReplyModel:
        if ("reply" in self.model_fields_set) == (self.error is not None):
            raise refuse("a stub answers with one of reply, error", "reply: VALUE, or error: TEXT")
        return self


class ConditionModel(Strict):
    """One condition: exactly one of `called`, `state`, `said`."""

    name: Name | None = Field(None, description="What it is called in lists.")
    called: Annotated[CallModel, BeforeValidator(_call)] | None = Field(
        None, description="A call that matches this pattern was made."
    )
    state: State | None = Field(None, description="The state matches this state expression.")
    said: Entry | None = Field(None, description="The agent said this.")

    @model_validator(mode="after")
    def _one_of_three(self) -> ConditionModel:
        given = [key for key in ("called", "state", "said") if getattr(self, key) is not None]
        if len(given) != 1:
            shown = "none of them" if not given else " and ".join(given)
            raise refuse(
                f"a condition has one of called, state, said; here stand {shown}", "one of called, state, said"
            )
        return self


class MilestoneModel(ConditionModel):
    """A named partial goal; milestones are reached in their order."""

    name: Name = Field(description="What has been reached.")


class ConstraintModel(Strict):
    """What an argument must be wherever it is given: exactly one comparison."""

    arg: Name = Field(description="The argument's name.")
    tool: Name | None = Field(None, description="Only in calls of this tool.")
    equals: Json = Field(None, description="The value it must have.")
    ne: Json = Field(None, description="The value it must not have.")
    within: list[Json] | None = Field(None, alias="in", description="The values it may have.")
    not_in: list[Json] | None = Field(None, description="The values it must not have.")
    gt: Ordered | None = Field(None, description="It must be greater.")
    gte: Ordered | None = Field(None, description="It must be greater or equal.")
    lt: Ordered | None = Field(None, description="It must be less.")
    lte: Ordered | None = Field(None, description="It must be less or equal.")
    regex: Said | None = Field(None, description="A pattern that its text must match.")

    @model_validator(mode="after")
    def _one_comparison(self) -> ConstraintModel:
        given = [key for key in COMPARISONS if ("within" if key == "in" else key) in self.model_fields_set]
        if len(given) != 1:
            shown = "none" if not given else " and ".join(given)
            expected = "one of " + ", ".join(COMPARISONS)
            raise refuse(f"a constraint has one comparison; here stand {shown}", expected)
        return self


ToolInOrder = Annotated[CallModel, BeforeValidator(_short_call)]


class ExpectedToolsModel(Strict):
    """The tools a good trajectory calls: a process check, unless `gate: true` makes it decide."""

    in_order: list[ToolInOrder] | None = Field(None, description="In this order; others may come between.")
    any_order: list[ToolInOrder] | None = Field(None, description="Each as often as it stands here, in any order.")
    set: list[ToolInOrder] | None = Field(None, description="Each at least once.")
    gate: Flag = Field(False, description="true: the check decides the outcome.")

    @model_validator(mode="after")
    def _one_order(self) -> ExpectedToolsModel:
        given = [key for key in ORDERS if getattr(self, key) is not None]
        if len(given) != 1:
            shown = "none" if not given else " and ".join(given)
            raise refuse(f"expected_tools has one list; here stand {shown}", "one of in_order, any_order, set")
        return self


class OutcomeModel(Strict):
    """One acceptable outcome."""

    name: Name | None = Field(None, description="What it is called in lists.")
    state: State | None = Field(None, description="The expected state, as a state expression.")
    must_include: list[Entry] | None = Field(None, description="Texts that the agent's words to the user must hold.")
    told: list[Entry] | None = Field(None, description="Facts the agent must have told the user.")
    asked: list[Asked] | None = Field(None, description="Fields the agent must ask for before any write.")


class QualityModel(Strict):
    """An auxiliary score by a judge model; never decides."""

    rubric: Said = Field(description="What the judge looks for.")
    scale: whole(2, 10) = Field(5, description="The highest mark.")  # type: ignore[valid-type]


class LimitsModel(Strict):
    """Limits of a trial; what is not given is the default."""

    steps: whole(1, 1_000_000) | None = Field(  # type: ignore[valid-type]
        None, description=f"Actions (calls and messages to the user); default {Limits().steps}."
    )
    tool_seconds: Positive | None = Field(None, description=f"Seconds a call; default {Limits().tool_seconds:g}.")
    task_seconds: Positive | None = Field(None, description=f"Seconds a trial; default {Limits().task_seconds:g}.")
    tokens: whole(1, 10**12) | None = Field(None, description="Tokens a trial; default no limit.")  # type: ignore[valid-type]
    cost: Positive | None = Field(None, description="Money a trial; default no limit.")
    loop: whole(1, 1_000_000) | None = Field(  # type: ignore[valid-type]
        None, description=f"Equal calls borne before the loop guard speaks; default {Limits().loop}."
    )


class AgentModel(Strict):
    """The default agent; command line and app override it."""

    kind: Name = Field(description="The kind of agent, by the name under which it is installed.")
    model: Name | None = Field(None, description="The model's id.")
    base_url: Address | None = Field(None, description="A chat endpoint; a suite that names one needs trust.")
    sampling: Mapping | None = Field(None, description="Sampling, such as {temperature: 0}.")
    options: Mapping | None = Field(None, description="Further options that this model requires.")


class DefaultsModel(Strict):
    """What holds for every task that does not say otherwise."""

    repeat: whole(1, 1000) | None = Field(  # type: ignore[valid-type]
        None, description=f"Trials a task; default {DEFAULT_REPEAT}."
    )
    limits: LimitsModel | None = Field(None, description="Limits of a trial.")


class Labelled(Strict):
    """What both layouts' tasks have: the name and place of a case."""

    id: Name = Field(description="The task's name, unique in the suite.")
    domain: Name | None = Field(None, description="First level of the breakdown, such as after-sales.")
    intent: Name | None = Field(None, description="Second level, what the user is after.")
    task_type: Name | None = Field(None, description="Third level, the kind of case.")
    priority: one_of(*PRIORITIES) | None = Field(  # type: ignore[valid-type]
        None, description="P0 (must never fail) to P3; default P2."
    )
    difficulty: one_of(*DIFFICULTIES) | None = Field(None, description="The difficulty tier.")  # type: ignore[valid-type]
    risk: one_of(*RISKS) | None = Field(  # type: ignore[valid-type]
        None, description=f"high makes {HIGH_RISK_REPEAT} the default of repeat; default normal."
    )
    weight: Positive | None = Field(None, description="Business weight, from call frequency; default 1.")
    repeat: whole(1, 1000) | None = Field(None, description="Trials of this task.")  # type: ignore[valid-type]
    tags: Labels | None = Field(None, description="Further labels, selected with tag.NAME=VALUE.")


class TaskModel(Labelled):
    """One case of the full layout."""

    kind: one_of(*KINDS) | None = Field(  # type: ignore[valid-type]
        None, description="query, action or refuse; default action where a state is expected, else query."
    )
    level: one_of(*LEVELS) | None = Field(None, description="The level of evaluation.")  # type: ignore[valid-type]
    request: Said = Field(description="The user's words.")
    turns: list[TurnModel] | None = Field(None, description="What a scripted user says later.")
    now: Moment | None = Field(None, description="The world's clock for this task.")
    initial_state: Mapping | None = Field(None, description="Merged over the sandbox's data.")
    allowed_tools: list[Name] | None = Field(None, description="The tools the agent gets; default all.")
    expected_state: State | None = Field(None, description="The one acceptable state, or what all outcomes share.")
    outcomes: Annotated[list[OutcomeModel], Field(min_length=1)] | None = Field(
        None, description="Several acceptable outcomes."
    )
    allow_changes: list[PathPattern] | None = Field(None, description="Places that may change beside the expected.")
    must_include: list[Entry] | None = Field(None, description="Texts that the agent's words to the user must hold.")
    told: list[Entry] | None = Field(None, description="Facts the agent must have told the user.")
    asked: list[Asked] | None = Field(None, description="Fields the agent must ask for before any write.")
    confirm: Flag | None = Field(None, description="true: a write must be read back.")
    expected_tools: Annotated[ExpectedToolsModel, BeforeValidator(_tool_order)] | None = Field(
        None, description="The tools a good trajectory calls."
    )
    milestones: list[MilestoneModel] | None = Field(None, description="Partial goals in order.")
    forbidden: list[ConditionModel] | None = Field(None, description="What must never hold.")
    constraints: list[ConstraintModel] | None = Field(None, description="What arguments must be.")
    reference: list[Annotated[ReferenceCallModel, BeforeValidator(_short_call)]] | None = Field(
        None, description="Calls that lead to the expected state, and between them what is asked of the user."
    )
    answer: Said | None = Field(None, description="A good last message: what an agent that plays the reference says.")
    perturbations: list[one_of(*PERTURBATIONS)] | None = Field(  # type: ignore[valid-type]
        None, description="Rewritings under which the task should still pass."
    )
    quality: QualityModel | None = Field(None, description="An auxiliary score; never decides.")
    limits: LimitsModel | None = Field(None, description="Limits of a trial of this task.")


class SuiteModel(Strict):
    """A suite in the full layout."""

    suite: Name = Field(description="The suite's name.")
    sandbox: Name | None = Field(None, description="The family of worlds the tasks play in.")
    agent: AgentModel | None = Field(None, description="The default agent.")
    prompt: Text | None = Field(None, description="The agent's prompt: the text, or a file in the suite's folder.")
    tools: dict[Name, ToolTextModel] | None = Field(
        None, description="Descriptions that the agent is shown in place of the sandbox's, by tool."
    )
    context: Context | None = Field(
        None, description="How much of the conversation is sent: full, summary, window:N; default full."
    )
    faults: dict[Name, FaultModel] | None = Field(None, description="Tools that fail on purpose, by the fault's name.")
    stubs: dict[Name, Annotated[list[StubReplyModel], Field(min_length=1)]] | None = Field(
        None, description="Answers in place of the sandbox's, by tool; the first that fits."
    )
    now: Moment | None = Field(None, description="The world's clock.")
    defaults: DefaultsModel | None = Field(None, description="What holds for every task.")
    tasks: Annotated[list[TaskModel], Field(min_length=1)] = Field(description="The tasks.")


class CriteriaModel(Strict):
    """What decides a task of the coverage layout."""

    must_include_slots: list[Entry] | None = Field(None, description="Texts that the answer must hold.")
    expected_tool_sequence: list[Name] | None = Field(None, description="Tools that must have been called, as a set.")


class CoverageTaskModel(Labelled):
    """One case of the coverage layout."""

    prompt: Said = Field(description="The user's words.")
    success_criteria: CriteriaModel | None = Field(None, description="What decides.")


class CoverageModel(Strict):
    """The content of `task_suite` in the coverage layout."""

    name: Name = Field(description="The suite's name.")
    base_url: Address | None = Field(None, description="The agent's endpoint.")
    agent_prompt_version: Text | None = Field(None, description="A label of the agent's prompt.")
    tasks: Annotated[list[CoverageTaskModel], Field(min_length=1)] = Field(description="The tasks.")


class CoverageFileModel(Strict):
    """A suite in the coverage layout."""

    task_suite: CoverageModel = Field(description="The suite.")
