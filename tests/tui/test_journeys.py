"""From the list of runs to a labelled failure, by keys alone, and what the screens look like on the way."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from reach_tui.agents.kind import AgentChoice
from reach_tui.cli.main import reach as command_line
from reach_tui.harness.execute import Execution
from reach_tui.harness.start import RunChoice, create, plan_run
from reach_tui.present import reading as queries
from reach_tui.store import labels, runs
from reach_tui.store.store import Store as OpenStore
from reach_tui.store.writer import Writer
from reach_tui.suites.load import load_suite
from reach_tui.tui.external_programs import copy_path
from tests.tui.driving import Drive
from tests.tui.sample_store import SampleStore, sample_store

Store = Callable[[str], Path]
SIZES = [(80, 24), (120, 40), (200, 50)]


@pytest.mark.parametrize(("width", "height"), SIZES)
async def test_runs_are_listed_with_branches_under_their_parent(
    drive: type[Drive], store: Store, width: int, height: int
) -> None:
    async with drive(store("ended"), width, height) as app:
        names = [line[3:23].strip() for line in app.lines[2:7]]
        assert names == ["baseline", "control", "request_refund", "placebo", "monday"]
        app.matches(f"runs-{width}x{height}")


async def test_repeats_in_the_list_are_the_mean_where_tasks_ask_for_different_numbers(
    drive: type[Drive], tmp_path: Path
) -> None:
    made = SampleStore(tmp_path / "runs.db")
    made.run("uneven", "runeven00001", repeats=5, planned=16)
    async with drive(made.path) as app:
        assert " 6x2.7 " in app.lines[2]


@pytest.mark.parametrize(("width", "height"), SIZES)
async def test_a_run_is_summed_up_and_its_trials_are_grouped_by_task(
    drive: type[Drive], store: Store, width: int, height: int
) -> None:
    async with drive(store("plain"), width, height) as app:
        await app.press("enter")
        app.matches(f"overview-{width}x{height}")
        await app.press("2")
        assert re.search(r"AS-001 .* x\.x ", app.text)
        app.matches(f"trials-{width}x{height}")


@pytest.mark.parametrize(("width", "height"), SIZES)
async def test_a_failing_trial_opens_at_its_decisive_step_with_step_and_state_together(
    drive: type[Drive], store: Store, width: int, height: int
) -> None:
    async with drive(store("plain"), width, height) as app:
        await app.press("f", "f")
        assert "step 5/7 decisive" in app.lines[0]
        assert "[2] step 5/7: tool open_ticket" in app.text
        assert "[3] state: differing 3 of" in app.text
        app.matches(f"replay-{width}x{height}")


async def test_app_and_command_line_open_a_trial_where_it_is_decided_not_where_it_parts(
    drive: type[Drive], tmp_path: Path
) -> None:
    made = SampleStore(tmp_path / "runs.db")
    run = made.run("late", "rlate0000001")
    made.fill(run, {"AS-001": "l"})
    made.status(run, "ended")
    async with drive(made.path) as app:
        await app.press("f")
        assert "step 3/4 decisive" in app.lines[0]
        await app.press("}")
        assert "step 4/4 parting" in app.lines[0]
    shown = CliRunner().invoke(command_line, ["show", "rlate0000001/AS-001#1", "--store", str(made.path)])
    assert shown.exit_code == 0
    assert "state at step 3 " in shown.output


async def test_a_passing_trial_opens_at_its_last_step(drive: type[Drive], store: Store) -> None:
    async with drive(store("plain")) as app:
        await app.press("enter", "2", "j", "enter")
        assert "passed  step 4/4 last" in app.lines[0]
        assert "nothing differs" in app.text


async def test_writes_divergences_milestones_and_ends_are_one_key_apart(drive: type[Drive], store: Store) -> None:
    async with drive(store("plain")) as app:
        await app.press("f", "f")
        for key, step in [("0", 1), ("w", 5), ("$", 7), ("W", 5), ("M", 3), ("}", 5), ("]", 6), ("h", 5), ("d", 6)]:
            await app.press(key)
            assert app.screen.n == step, key
            assert f"step {step}/7" in app.lines[0]
        await app.press("w")
        assert "no more writes this way" in app.lines[-1]


async def test_a_key_clears_the_news_and_brings_the_hints_back(drive: type[Drive], store: Store) -> None:
    async with drive(store("plain")) as app:
        await app.press("f", "c")
        await app.press("f")
        assert "failing 2 of 7" in app.lines[-1]
        await app.press("l")
        assert "? help" in app.lines[-1]


async def test_enter_on_a_state_row_goes_to_the_step_that_made_it_so(drive: type[Drive], store: Store) -> None:
    async with drive(store("plain")) as app:
        await app.press("f", "f", "$", "3", "G", "enter")
        assert app.screen.n == 5
        await app.press("g", "enter")
        assert "so from the start" in app.lines[-1]


REFUND_ELSEWHERE = """suite: refunds
sandbox: commerce
agent: {kind: reference}
tasks:
  - id: RF-1
    request: 退掉订单 A100，退到余额
    repeat: 1
    expected_state: {refunds: {$any: {order_id: A100, channel: balance}}}
    reference: [{request_refund: {order_id: A100, reason: changed_mind, channel: original}}]
"""


@pytest.fixture
def refunded_elsewhere(tmp_path: Path) -> tuple[Path, str]:
    """(a store, the name of its trial): the money went back another way than the task expects."""
    (tmp_path / "suite.yaml").write_text(REFUND_ELSEWHERE, encoding="utf-8")
    suite = load_suite(tmp_path / "suite.yaml")
    plan, store = plan_run(suite, suite.tasks, AgentChoice(), RunChoice()), tmp_path / "runs.db"
    run = create(store, plan, name="refunds", suite_digest=suite.digest, suite_source="", choice=RunChoice())
    with Execution(store, [run.uid]) as execution:
        execution.run()
        execution.finish()
    return store, f"{run.uid}/RF-1#1"


async def test_an_opened_state_row_is_explained_above_its_step_by_the_record_that_comes_closest(
    drive: type[Drive], refunded_elsewhere: tuple[Path, str]
) -> None:
    store, trial = refunded_elsewhere
    async with drive(store) as app:
        await app.press(":", f"={trial}", "enter", "$", "3")
        assert "field by field" not in app.text
        await app.press("g", "enter")
        assert "expected -> actual, field by field" in app.text
        assert re.search(r"/refunds/R\d+/channel: balance -> original", app.text)
        await app.press("[")
        assert "field by field" not in app.text


async def test_views_and_orders_of_the_state_table(drive: type[Drive], store: Store) -> None:
    async with drive(store("plain")) as app:
        await app.press("f", "f")
        heads = []
        for _ in range(4):
            heads.append(next(line for line in app.lines if "[3]" in line))
            await app.press("v")
        assert [re.search(r"state: (.*?) \d", head)[1] for head in heads] == [  # type: ignore[index]
            "differing",
            "changed here",
            "expected",
            "all",
        ]
        await app.press("s", "s")
        assert "by sign" in app.text
        await app.press("S")


async def test_the_raw_view_shows_what_the_model_was_sent(drive: type[Drive], store: Store) -> None:
    async with drive(store("plain"), 200, 50) as app:
        await app.press("f", "f", "r")
        assert '"You help customers after a sale.\\nCheck before you write."' in app.text
        assert "proof verified" in app.text
        await app.press("r")
        assert "You help customers" not in app.text


async def test_search_goes_over_all_steps_and_comes_round(drive: type[Drive], store: Store) -> None:
    async with drive(store("plain")) as app:
        await app.press("f", "f", "/", "=A101", "enter")
        assert app.screen.n == 4
        await app.press("n")
        assert "only this step holds 'A101'" in app.lines[-1]
        await app.press("$", "3", "G", "*")
        assert app.screen._search == "created"
        await app.press("/", "ctrl+u", "=nowhere", "enter")
        assert "no step holds 'nowhere'" in app.lines[-1]


async def test_the_twin_stands_beside_with_the_first_divergence_lit(drive: type[Drive], store: Store) -> None:
    async with drive(store("plain")) as app:
        await app.press("f", "f", "=")
        assert "the same for 1 step, then apart" in app.text
        app.matches("twins-80x24")
        await app.press("j", "j", "j")
        assert "unlike 1 of" in app.text
        await app.press("v")
        assert "state: all" in app.text
        await app.press("enter")
        assert "step 5/7" in app.lines[0]
    async with drive(store("plain")) as app:
        await app.press("enter", "2", "j", "j", "enter", "=")
        assert "no passing repeat of this task" in app.lines[-1] or "passing" in app.lines[0]


async def test_next_failing_walks_all_failures_from_every_screen(drive: type[Drive], store: Store) -> None:
    async with drive(store("plain")) as app:
        await app.press("f")
        seen = [app.screen.trial_id]
        for _ in range(6):
            await app.press("f")
            seen.append(app.screen.trial_id)
        assert len(set(seen)) == 7
        await app.press("f")
        assert "last failing trial" in app.lines[-1]
        await app.press("F")
        assert app.screen.trial_id == seen[-2]
        await app.press("escape", "enter", "2", "F")
        assert "FAILED" in app.lines[0]


async def test_from_a_passing_trial_failures_begin_at_either_end_of_their_list(
    drive: type[Drive], store: Store
) -> None:
    path = store("plain")
    with OpenStore(path) as opened:
        failing = queries.failing(opened, runs.find_run(opened, "rbaseline001").id)
    async with drive(path) as app:
        for key, trial, place in [("F", failing[-1], 7), ("f", failing[0], 1)]:
            await app.press(":", "=rbaseline001/AS-001#2", "enter")
            assert "passed" in app.lines[0]
            await app.press(key)
            assert app.screen.trial_id == trial
            assert f"failing {place} of 7" in app.lines[-1]
        await app.press("F")
        assert "that was the first failing trial" in app.lines[-1]


async def test_failures_go_in_the_order_of_the_list_that_the_trial_was_opened_from(
    drive: type[Drive], store: Store
) -> None:
    path = store("plain")
    with OpenStore(path) as opened:
        by_mode = queries.failing(opened, runs.find_run(opened, "rbaseline001").id)
    async with drive(path) as app:
        await app.press("enter", "2", "v", "f")
        seen = [app.screen.trial_id]
        for _ in range(6):
            await app.press("f")
            seen.append(app.screen.trial_id)
        assert seen == list(app.screen.trail)
        assert sorted(seen) == sorted(by_mode)
        assert seen != list(by_mode)
        await app.press("escape", "g", "j")
        while app.screen.by_id[app.screen.trials.cursor].grading.status != "passed":
            await app.press("j")
        await app.press("enter")
        trail, here = list(app.screen.trail), app.screen.trial_id
        before = [id for id in trail[: trail.index(here)] if id in by_mode]
        after = [id for id in trail[trail.index(here) :] if id in by_mode]
        await app.press("f")
        assert app.screen.trial_id == after[0]
        await app.press("F")
        assert app.screen.trial_id == before[-1]


async def test_trials_are_filtered_marked_sorted_and_seen_one_by_one(drive: type[Drive], store: Store) -> None:
    async with drive(store("plain")) as app:
        await app.press("enter", "2", "/", "=mode:tool", "enter")
        assert "3 tasks  filter mode:tool" in app.lines[1]
        await app.press("v")
        assert "6 trials" in app.lines[1]
        await app.press("escape")
        assert "18 trials" in app.lines[1]
        await app.press("v", "s", "s", "space")
        assert "1 marked" in app.lines[1]
        await app.press("1", "G")


async def test_a_line_of_the_overview_leads_to_its_trials(drive: type[Drive], store: Store) -> None:
    async with drive(store("plain")) as app:
        await app.press("enter", "/", "=members", "enter", "enter")
        assert "2 tasks  filter domain:members" in app.lines[1]


async def test_runs_are_filtered_and_sorted_in_the_store(drive: type[Drive], store: Store) -> None:
    async with drive(store("ended")) as app:
        await app.press("/", "=mon", "enter")
        assert "1 of 5 runs" in app.lines[0]
        await app.press("escape", "s")
        assert "by reach" in app.lines[0]
        reaches = [int(percent) for line in app.lines[2:7] for percent in re.findall(r" (\d+)% ", line)]
        assert reaches == sorted(reaches, reverse=True)
        await app.press("S")
        assert "reversed" in app.lines[0]


async def test_the_palette_runs_actions_goes_to_steps_and_opens_names(drive: type[Drive], store: Store) -> None:
    async with drive(store("plain")) as app:
        await app.press(":", "=rbaseline001/AS-001#3@6", "enter")
        assert "AS-001 #3" in app.lines[0]
        assert "step 6/7" in app.lines[0]
        await app.press(":", "=2", "enter")
        assert app.screen.n == 2
        await app.press(":", "=last step", "enter")
        assert app.screen.n == 7
        await app.press(":", "escape", ":", "=rmonday", "enter")
        assert "monday" in app.lines[0]
        await app.press(":", "=rnothing", "enter")
        assert "no run 'rnothing'" in app.lines[-1]


@pytest.mark.parametrize("prompt", ["/", ":", "a"])
async def test_esc_leaves_the_prompt_and_not_the_screen_beneath_it(
    drive: type[Drive], store: Store, prompt: str
) -> None:
    async with drive(store("plain"), 80, 40) as app:
        await app.press("f")
        beneath = app.screen
        await app.press(prompt, "=ab")
        assert app.screen is not beneath
        await app.press("escape")
        assert app.screen is beneath


async def test_help_lists_the_keys_of_the_screen_it_was_called_from(drive: type[Drive], store: Store) -> None:
    async with drive(store("plain"), 80, 40) as app:
        await app.press("f", "?")
        assert "keys of replay" in app.lines[0]
        assert re.search(r"\} +next divergence", app.text)
        app.matches("help-80x40")
        await app.press("/", "=suspend", "enter", "escape")
        assert "FAILED" in app.lines[0]


async def test_labels_and_notes_are_stored_shown_and_taken_back(drive: type[Drive], store: Store) -> None:
    path = store("plain")
    async with drive(path) as app:
        await app.press("f", "f", "t")
        app.matches("label-bar-80x24")
        await app.press("5", "g", "enter")
        assert "labelled hallucination, grader at step 5" in app.lines[-1]
        await app.press("l")
        assert "FAILED hallucination, grader (me)" in app.lines[0]
        await app.press("a", "=看看这里 [/red]", "enter")
        assert "看看这里 [/red]  (me)" in app.text
        with OpenStore(path) as opened:
            uid = app.screen.trial_uid
            standing = {(label.kind, label.value, label.step) for label in labels.labels_of(opened, uid)}
            assert standing == {
                ("mode", "hallucination", 5),
                ("owner", "grader", 5),
                ("decisive_step", "5", 5),
                ("note", "看看这里 [/red]", 6),
            }
            await app.press("u")
            assert "taken back: note" in app.lines[-1]
            await app.press("u")
            assert labels.labels_of(opened, uid) == []
            await app.press("u")
            assert "nothing to undo" in app.lines[-1]
            assert "FAILED tool:wrong_tool (auto)" in app.lines[0]
            await app.press("t", "1", "1", "escape", "t", "0", "a", "enter")
            assert {label.value for label in labels.labels_of(opened, uid)} == {"unclassified", "agent", "6"}


async def test_what_is_copied_also_stands_in_a_file_with_its_escapes_shown(drive: type[Drive], store: Store) -> None:
    async with drive(store("plain")) as app:
        await app.press("f", "f", "L")
        assert copy_path().read_text("utf-8") == "rbaseline001/AS-001#1@5"
        assert "sent to the terminal's clipboard" in app.lines[-1]
        assert app.app.clipboard == "rbaseline001/AS-001#1@5"
        await app.press("Y")
        assert '"tool": "open_ticket"' in copy_path().read_text("utf-8")
        await app.press("3", "y")
        assert copy_path().read_text("utf-8") == "delivered"


async def test_zoom_gives_a_pane_the_screen_and_esc_takes_it_back(drive: type[Drive], store: Store) -> None:
    for width in (80, 130):
        async with drive(store("plain"), width, 30) as app:
            await app.press("f", "3", "z")
            assert "[2] step" not in app.text
            await app.press("escape", "1", "z")
            assert "[3] state" not in app.text
            assert sum("get_order" in line for line in app.lines) == 1
            await app.press("z")
            assert "[2] step" in app.text
            assert "[3] state" in app.text


async def test_two_runs_are_compared_side_by_side(drive: type[Drive], store: Store) -> None:
    async with drive(store("plain")) as app:
        await app.press("space", "c")
        assert "mark two runs or more" in app.lines[-1]
        await app.press("space", "c")
        app.matches("compare-80x24")


async def test_leaving_asks_once_and_the_second_press_leaves(drive: type[Drive], store: Store) -> None:
    async with drive(store("plain")) as app:
        await app.press("ctrl+c")
        assert "ctrl+c again leaves" in app.lines[-1]
        await app.send("ctrl+c")
        await app.until(lambda: app.app.return_code == 0)
    async with drive(store("plain")) as app:
        await app.press("q")
        assert "again leaves" in app.lines[-1]


async def test_an_absent_store_says_so_and_appears_when_it_is_made(drive: type[Drive], tmp_path: Path) -> None:
    path = tmp_path / "later.db"
    async with drive(path) as app:
        assert "there is no store" in app.text
        sample_store(path)
        await app.until(lambda: "baseline" in app.text)


async def test_a_foreign_file_is_refused_in_words(drive: type[Drive], tmp_path: Path) -> None:
    path = tmp_path / "not.db"
    path.write_text("this is no database at all, " * 20)
    async with drive(path) as app:
        assert "this is no SQLite database" in " ".join(app.text.split())


async def test_a_run_of_another_process_is_seen_live_and_the_screen_keeps_its_place(
    drive: type[Drive], tmp_path: Path
) -> None:
    made = sample_store(tmp_path / "runs.db")
    async with drive(made.path) as app, drive(made.path) as other:
        await app.press("j")
        assert app.screen.runs.cursor == 1
        run = made.run("tuesday", "rtuesday0001", age_ms=60_000)
        made.status(run, "running", 50_000)
        made.fill(run, {"AS-001": "x>"}, age_ms=40_000)
        for viewer in (app, other):
            await viewer.until(lambda seen=viewer: "1/18" in seen.text)
        assert app.screen.runs.cursor == 1
        await app.press("k", "k")
        await app.until(lambda: "AS-001#2  step 2 get_order" in app.text)
        app.matches("runs-live-80x24")


async def test_an_open_trial_grows_at_its_end_and_stays_at_its_step(drive: type[Drive], tmp_path: Path) -> None:
    made = SampleStore(tmp_path / "runs.db")
    run = made.run("live", "rlive0000001", age_ms=60_000)
    made.status(run, "running", 50_000)
    made.fill(run, {"AS-001": ">"}, age_ms=40_000)
    async with drive(made.path) as app:
        await app.press(":", "=rlive0000001/AS-001#1", "enter", "0")
        assert "running  step 1/2" in app.lines[0]
        from tests.tui.sample_store import passing

        with Writer(made.path, every_ms=1) as writer:
            for step in passing("x").steps[2:]:
                writer.step(app.screen.trial_uid, step)
        await app.until(lambda: "step 1/4" in app.lines[0])


async def test_a_still_screen_paints_nothing(drive: type[Drive], store: Store) -> None:
    async with drive(store("plain")) as app:
        await app.press("f", "f")
        painted: list[object] = []
        display = app.app._display
        app.app._display = lambda screen, update: (painted.append(update), display(screen, update))[1]  # type: ignore[assignment]
        looks: list[int] = []
        look = app.app.reader._look
        app.app.reader._look = lambda: (looks.append(1), look())[1]  # type: ignore[method-assign]
        while len(looks) < 2:
            await asyncio.sleep(0.05)
        assert [update for update in painted if update is not None] == []


async def test_the_cursor_asks_for_one_card_however_fast_it_moves(
    drive: type[Drive], store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with drive(store("ended")) as app:
        asked: list[int] = []
        card = queries.card
        monkeypatch.setattr(queries, "card", lambda store, id: (asked.append(id), card(store, id))[1])
        for _ in range(4):
            await app.send("j")
        await app.rest()
        assert len(asked) <= 2
        assert asked[-1] == app.screen.runs.cursor


async def test_a_demo_store_is_copied_by_the_first_label_and_read_from_there(
    drive: type[Drive], store: Store, tmp_path: Path
) -> None:
    path = store("plain")
    from reach_tui.store.base import set_meta
    from reach_tui.store.store import Store as OpenStore

    with OpenStore(path, write=True) as opened, opened.transaction():
        set_meta(opened.db, "demo", "1")
    before = path.read_bytes()
    async with drive(path) as app:
        assert "demo" in app.lines[0]
        await app.press("f", "t", "1", "enter")
        await app.until(lambda: "planning (me)" in app.lines[0])
        await app.press("escape")
        await app.until(lambda: "runs-local.db" in app.lines[0])
    assert path.read_bytes() == before
    with OpenStore(tmp_path / "runs-local.db") as opened:
        assert len(runs.run_ids(opened)) == 2


async def test_the_overview_counts_the_tasks_that_reach_is_of(drive: type[Drive], tmp_path: Path) -> None:
    made = SampleStore(tmp_path / "runs.db")
    made.fill(made.run("partly", "rpartly00001"), {"AS-001": "..", "AS-002": "x.", "AS-003": "--"})
    async with drive(made.path) as app:
        await app.press(":", "=partly", "enter")
        assert any("of 2 tasks" in line for line in app.lines), app.lines


async def test_a_sandbox_is_shown_by_name_as_the_command_line_shows_it(drive: type[Drive], store: Store) -> None:
    async with drive(store("plain"), 120, 40) as app:
        await app.press(":", "=sandbox commerce", "enter")
        assert "sandbox commerce" in app.lines[0]
        assert any("orders" in line and "order_items" not in line for line in app.lines)
        await app.press(":", "=sandbox commerce orders A150", "enter")
        assert '"status"' in app.text
        await app.press("escape", "escape")
        assert "runs" in app.lines[0]
        await app.press(":", "=sandbox comerce", "enter")
        assert "did you mean commerce" in app.lines[-1]
