"""Experiments whose answer is known, driven through the shipped rule: `make nulls`.

Edits that say nothing must be no cause, whatever the agent; edits that repair what was planted must be one. Subjects
are the agents, because of them alone it is known what repairs them. A line for each kind of edit: how many experiments,
and what the rule said of them.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from reach_tui.actions.demo import Tour, example_folder
from reach_tui.core.experiment import ExperimentResult
from reach_tui.core.verdicts import PlaceboMode
from reach_tui.counterfactual.conduct import conduct
from reach_tui.counterfactual.edits import Context, Edit, Prompt, ToolDescription
from reach_tui.counterfactual.plan import BranchRequest, plan_branch
from reach_tui.counterfactual.start import start_experiment
from reach_tui.store.rows import RunRow
from reach_tui.store.store import Store
from reach_tui.suites.factors import load_factors
from reach_tui.suites.sham import sham_text

SHAMS = 20
TRACKING, FAILING = "tag.tool=track_shipment", None
NEUTRAL = (
    "Use short paragraphs.", "Amounts are in yuan.", "The shop was founded in 2011.", "Keep a friendly tone.",
    "Do not use emoji.", "The shop sells household goods.", "Write numbers with digits.",
    "The colleagues work in two shifts.", "Customers like short replies.", "回复时使用简体中文或对方的语言。",
    "称呼对方为您。", "不要使用网络流行语。",
)  # fmt: skip
"""Sentences about tone, form and the shop, one prompt each."""


class Bench:
    """A store with a run of each subject, and experiments on them."""

    def __init__(self, folder: Path) -> None:
        self.tour = Tour(folder / "nulls.db")
        self.variants = {variant.name: variant for variant in load_factors(example_folder() / "factors/commerce.yaml")}
        self._runs: dict[str, RunRow] = {}

    def run(self, model: str) -> RunRow:
        """The run of a subject, made at first use."""
        if model not in self._runs:
            self._runs[model] = self.tour.run(model)
        return self._runs[model]

    def shipped(self, tool: str) -> str:
        """A tool's description as the suite's setup has it."""
        return str(self.tour.suite.tools[tool]["description"])

    def text(self, variant: str) -> str:
        """The text of a variant of the library."""
        return str(self.variants[variant].text)

    def branch(self, model: str, edit: Edit, only: str | None, placebo: PlaceboMode = "auto") -> ExperimentResult:
        """One experiment, with fresh seeds, on failing tasks."""
        request = BranchRequest(self.run(model).uid, [edit], failing=True, only=only, placebo=placebo)
        with Store(self.tour.store) as store:
            plan = plan_branch(store, request)
        return conduct(self.tour.store, start_experiment(self.tour.store, plan))


Kind = tuple[str, str, Sequence[Edit], str | None, PlaceboMode]
"""(what it is, subject, edits, tasks, placebo)."""


def kinds(bench: Bench) -> Iterator[Kind]:
    """Every kind of experiment."""
    track, prompt = bench.shipped("track_shipment"), bench.tour.suite.prompt
    shams = [ToolDescription("track_shipment", sham_text(track, str(n))) for n in range(SHAMS)]
    better = bench.text("track-better")
    english, chinese = better.split("\n")
    denying = "Does not track parcels and does not tell where an order is. 不能查询包裹位置，也不能查询物流。"
    yield "sham of a description", "literal-1", shams, TRACKING, "auto"
    yield "sham of a description", "touchy-1", shams, FAILING, "auto"
    yield "sham of a description, placebo on", "touchy-1", shams, FAILING, "on"
    yield "neutral prompt", "hasty-1", [Prompt(f"{prompt}\n{words}") for words in NEUTRAL], FAILING, "auto"
    yield "denying description", "literal-1", [ToolDescription("track_shipment", denying)], TRACKING, "auto"
    texts = (better, english, chinese)
    yield "better description", "literal-1", [ToolDescription("track_shipment", t) for t in texts], TRACKING, "auto"
    for tool, variant in (("request_refund", "refund-better"), ("update_order_address", "address-better")):
        edits = [ToolDescription(tool, bench.text(variant))]
        yield f"better: {tool}", "literal-1", edits, f"tag.tool={tool}", "auto"
    yield "better description", "touchy-1", [ToolDescription("track_shipment", better)], TRACKING, "auto"
    yield "summary as context", "forgetful-1", [Context("summary")], FAILING, "auto"
    yield "prompt that orders checking", "hasty-1", [Prompt(bench.text("prompt-verify"))], FAILING, "auto"


def main(arguments: Sequence[str]) -> None:
    """A line for each kind; with words, only the kinds that hold one of them."""
    print(f"{'edit':36}{'agent':12}{'of':>4}  verdicts")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        for what, model, edits, only, placebo in kinds(bench):
            if arguments and not any(word in f"{what} {model}" for word in arguments):
                continue
            results = [bench.branch(model, edit, only, placebo) for edit in edits]
            words = Counter(result.verdict.word for result in results if result.verdict is not None)
            told = ", ".join(f"{word} {count}" for word, count in words.most_common())
            one = results[0].effect if len(results) == 1 else None
            effect = f"  {one.estimate * 100:+.1f} [{one.low * 100:+.1f}, {one.high * 100:+.1f}]" if one else ""
            print(f"{what:36}{model:12}{len(results):>4}  {told}{effect}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
