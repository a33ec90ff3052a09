"""The decision rule, case by case, and its error rates on a small scale."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reach_tui.core.experiment import Rules
from reach_tui.counterfactual.pairs import TaskResult, effect, flips, milestone_effect, shared
from reach_tui.counterfactual.subset import failing_tasks
from reach_tui.counterfactual.verdict import Facts, judge
from reach_tui.metrics.intervals import tango
from reach_tui.present.experiment_text import flips_json
from reach_tui.present.reasons import sentence, sentences

near = pytest.approx


def arm(passes, repeats=3, **more):
    return {f"t{i:02d}": TaskResult(k, repeats, repeats, **more) for i, k in enumerate(passes)}


def words(judgement):
    return [(verdict.word, verdict.scope) for verdict in judgement.verdicts]


def test_a_control_that_improves_by_itself_takes_the_credit_away():
    control = {f"f{i:02d}": TaskResult(int(i in (1, 2, 3, 4, 5)), 1, 1) for i in range(1, 13)}
    branch = {f"f{i:02d}": TaskResult(int(i in (1, 2, 3, 4, 6, 7)), 1, 1) for i in range(1, 13)}
    judgement = judge(control, branch)
    assert judgement.branch_rate == near(6 / 12)
    assert judgement.control_rate == near(5 / 12)
    assert judgement.effect.estimate == near(1 / 12)
    assert judgement.effect.p == 1.0
    assert judgement.flips.fixed == ("f06", "f07")
    assert judgement.flips.broken == ("f05",)
    assert words(judgement) == [("inconclusive", "tasks_like_these")]
    assert sentences(judgement.headline.reasons) == "3 tasks moved, at least 6 must"


def test_a_clear_effect_over_a_noisy_control_is_a_cause_without_a_placebo():
    judgement = judge(arm([1, 0, 0, 1, 0, 0, 1, 0]), arm([3, 3, 2, 3, 3, 3, 3, 0]))
    assert words(judgement)[0] == ("cause", "tasks_like_these")
    assert not judgement.placebo_needed
    assert judgement.flips.fixed == ("t00", "t01", "t02", "t03", "t04", "t05", "t06")


def test_a_control_without_noise_needs_a_placebo_before_cause_is_said():
    control, branch = arm([0] * 12), arm([3] * 9 + [0] * 3)
    alone = judge(control, branch)
    assert words(alone)[0] == ("inconclusive", "tasks_like_these")
    assert alone.placebo_needed
    assert alone.wants_placebo
    beaten = judge(control, branch, arm([0] * 12))
    assert words(beaten) == [("cause", "tasks_like_these"), ("cause", "these_tasks")]
    equalled = judge(control, branch, arm([3] * 8 + [0] * 4))
    assert words(equalled)[0] == ("inconclusive", "tasks_like_these")
    assert "not than the placebo" in sentences(equalled.headline.reasons)


def test_a_text_for_a_real_model_on_failing_tasks_needs_a_placebo_by_design():
    control, branch = arm([1, 0, 0, 1, 0, 0, 1, 0]), arm([3] * 8)
    judgement = judge(control, branch, facts=Facts(placebo_by_design=True))
    assert judgement.headline.word == "inconclusive"
    assert judgement.wants_placebo


def test_harm_on_tasks_like_these_needs_no_placebo():
    judgement = judge(arm([3] * 8), arm([0] * 8))
    assert words(judgement)[0] == ("harmful", "tasks_like_these")


def test_few_tasks_and_many_repeats_speak_of_these_tasks_only():
    control, branch = arm([0, 1, 0], 10), arm([9, 8, 10], 10)
    assert judge(control, branch).wants_placebo
    judgement = judge(control, branch, arm([1, 0, 0], 10))
    assert words(judgement) == [("cause", "these_tasks")]
    assert judgement.p < 0.001
    assert "no verdict on tasks like these: 3 of 3 tasks moved, and at least 6 must" in map(sentence, judgement.reasons)


def test_a_sham_on_few_tasks_is_not_a_cause():
    judgement = judge(arm([0, 1, 0], 10), arm([1, 0, 0], 10), arm([0, 0, 1], 10))
    assert words(judgement) == [("inconclusive", "these_tasks")]


def test_five_moved_tasks_of_many_leave_the_word_to_these_tasks():
    control, branch = arm([0] * 12, 10), arm([10] * 5 + [0] * 7, 10)
    judgement = judge(control, branch, arm([0] * 12, 10))
    assert judgement.effect.p == 0.0625
    assert words(judgement) == [("cause", "these_tasks")]


def test_a_narrow_cause_never_overrules_a_wide_inconclusive_with_enough_tasks():
    control, branch = arm([0] * 20, 3), arm([3, 3, 3, 3, 3, 3, 0, 0] + [0] * 12, 3)
    placebo = arm([0, 0, 0, 3, 0, 0, 3, 3] + [0] * 12, 3)
    judgement = judge(control, branch, placebo)
    assert words(judgement)[0] == ("inconclusive", "tasks_like_these")


def test_two_repeats_say_nothing_of_these_tasks():
    assert words(judge(arm([0, 0, 1], 2), arm([2, 2, 2], 2))) == [("inconclusive", "tasks_like_these")]


def test_copies_count_once_and_a_flip_is_reproduced_without_p():
    control, branch = arm([0] * 8), arm([3] * 7 + [0])
    judgement = judge(control, branch, arm([0] * 8), facts=Facts(copies=frozenset({"control", "branch", "placebo"})))
    assert words(judgement) == [("cause", "tasks_like_these")]
    assert judgement.reproduced == tuple(f"t{i:02d}" for i in range(7))
    assert judgement.effect.low == near(judge(arm([0] * 8, 1), arm([1] * 7 + [0], 1)).effect.low)
    few = judge(arm([0] * 3, 10), arm([10] * 3, 10), facts=Facts(copies=frozenset({"control", "branch"})))
    assert few.headline.word == "inconclusive"
    assert few.reproduced == ("t00", "t01", "t02")


def test_not_a_cause_needs_the_interval_inside_the_margin():
    still = [3, 0] * 50
    assert words(judge(arm(still), arm(still)))[0] == ("not_a_cause", "tasks_like_these")
    assert words(judge(arm(still[:12]), arm(still[:12])))[0] == ("inconclusive", "tasks_like_these")
    assert words(judge(arm(still), arm(still), futile=True))[0] == ("inconclusive", "tasks_like_these")


def test_more_milestones_without_completion_are_partial():
    control = {f"t{i}": TaskResult(i % 8 == 0, 3, 3, (1, 1, 0), 4) for i in range(10)}
    branch = {f"t{i}": TaskResult(i % 8 == 0, 3, 3, (3, 3, 2), 4) for i in range(10)}
    judgement = judge(control, branch)
    assert words(judgement)[0] == ("partial", "tasks_like_these")
    assert judgement.milestones.estimate == near(0.5)


@pytest.mark.parametrize(
    ("facts", "says"),
    [
        (Facts(extra_parts=("/model",)), "differ in more than the factor: /model"),
        (Facts(manipulation="failed"), "manipulation check failed"),
    ],
)
def test_a_spoiled_experiment_is_inconclusive_whatever_it_shows(facts, says):
    judgement = judge(arm([1, 0] * 6), arm([3, 3] * 6), facts=facts)
    assert {word for word, _ in words(judgement)} == {"inconclusive"}
    assert says in sentence(judgement.reasons[0])
    assert judgement.tasks_to_show is None


def test_too_much_uncounted_in_any_arm_is_inconclusive():
    control = arm([1, 0] * 6)
    branch = {key: TaskResult(2, 2, 3) for key in control}
    judgement = judge(control, branch)
    assert judgement.headline.word == "inconclusive"
    assert "33% of the trials in branch" in sentence(judgement.reasons[0])
    assert judge(control, branch, rules=Rules(max_uncounted=0.4)).headline.word == "cause"


def test_no_shared_task_is_said_and_not_shown_as_zero():
    judgement = judge(arm([1, 1]), {"other": TaskResult(1, 3, 3)})
    assert judgement.effect is None
    assert sentence(judgement.reasons[0]) == "no task has a counted trial in both arms"


def test_an_inconclusive_result_says_how_many_tasks_it_would_take():
    judgement = judge(arm([1, 0, 1, 0, 0, 0, 0, 1]), arm([1, 1, 1, 0, 1, 0, 0, 1]))
    assert judgement.tasks_to_show > 8
    assert judgement.tasks_to_exclude > 8


def test_holm_over_factors_asks_for_more():
    control, branch = arm([1, 0, 0, 0, 0, 0]), arm([3, 2, 2, 2, 2, 2])
    assert judge(control, branch).headline.word == "cause"
    assert judge(control, branch, rules=Rules(factors=2)).headline.word == "inconclusive"


def test_an_effect_below_the_margin_is_no_cause_however_sure():
    control, branch = arm([0] * 30 + [1], 30), arm([2] * 30 + [1], 30)
    judgement = judge(control, branch, arm([0] * 30 + [1], 30))
    assert judgement.effect.p < 1e-6
    assert judgement.headline.word == "not_a_cause"


def test_tasks_fail_without_a_majority_and_are_neither_without_a_counted_trial():
    results = {"no": TaskResult(1, 2, 2), "yes": TaskResult(2, 3, 3), "unknown": TaskResult(0, 0, 3)}
    assert failing_tasks(results) == ("no",)


def test_pairing_is_by_task_and_says_both_directions():
    control = {"a": TaskResult(0, 3, 3), "b": TaskResult(3, 3, 3), "c": TaskResult(0, 3, 3), "d": TaskResult(1, 3, 3),
               "e": TaskResult(3, 3, 3), "gone": TaskResult(3, 3, 3), "lost": TaskResult(0, 0, 3)}  # fmt: skip
    branch = {"new": TaskResult(0, 3, 3), "e": TaskResult(2, 3, 3), "d": TaskResult(1, 3, 3),
              "c": TaskResult(1, 3, 3), "b": TaskResult(0, 3, 3), "a": TaskResult(3, 3, 3),
              "lost": TaskResult(3, 3, 3)}  # fmt: skip
    assert shared(control, branch) == ("a", "b", "c", "d", "e")
    assert flips_json(flips(control, branch)) == {
        "fixed": ["a"],
        "broken": ["b"],
        "rose": ["c"],
        "fell": ["e"],
        "unchanged": ["d"],
    }


def test_unequal_repeats_keep_exact_differences():
    difference = effect(
        {"a": TaskResult(1, 3, 3), "b": TaskResult(1, 2, 3)}, {"a": TaskResult(1, 2, 3), "b": TaskResult(2, 3, 3)}
    )
    assert difference.estimate == near(1 / 6)
    assert difference.informative == 2
    assert difference.p == 0.5


def test_single_trials_get_the_interval_of_tango():
    difference = effect(arm([0] * 10, 1), arm([1] * 9 + [0], 1))
    assert (difference.low, difference.high) == near(tango(9, 0, 10))
    assert difference.inner == near(tango(9, 0, 10, 0.90))
    assert (difference.estimate, difference.p) == (near(0.9), near(2 / 2**9))


cells = st.integers(1, 4).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=12))
def test_an_effect_lies_in_its_intervals_and_swapping_the_arms_mirrors_it(pairs):
    control = {str(i): TaskResult(k, n, n) for i, ((k, n), _) in enumerate(pairs)}
    branch = {str(i): TaskResult(k, n, n) for i, (_, (k, n)) in enumerate(pairs)}
    difference, mirrored = effect(control, branch), effect(branch, control)
    assert difference.low - 1e-9 <= difference.inner[0] < difference.inner[1] <= difference.high + 1e-9
    assert difference.inner[0] - 1e-9 <= difference.estimate <= difference.inner[1] + 1e-9
    assert (mirrored.low, mirrored.high) == near((-difference.high, -difference.low), abs=1e-9)
    assert mirrored.p == difference.p
    judgement, other = judge(control, branch), judge(branch, control)
    assert judgement.flips.fixed == other.flips.broken
    assert {judgement.headline.word, other.headline.word} != {"cause"}


def test_milestones_of_different_depth_add_up_as_shares():
    control = {"a": TaskResult(0, 2, 2, (0, 1), 2), "b": TaskResult(0, 2, 2, (0, 0), 5), "c": TaskResult(0, 2, 2)}
    branch = {"a": TaskResult(0, 2, 2, (1, 1), 2), "b": TaskResult(0, 2, 2, (5, 0), 5), "c": TaskResult(0, 2, 2)}
    difference = milestone_effect(control, branch)
    assert (difference.n, difference.estimate) == (2, near((0.25 + 0.5) / 2))
    assert milestone_effect({"c": control["c"]}, {"c": branch["c"]}) is None


def simulate(n, repeats, experiments, seed, *, gain=0.0, redraw=False):
    """Words of experiments on tasks that failed once, their chances Beta(0.58, 0.42), with fresh noise in all arms."""
    chance = random.Random(seed)
    word_counts = Counter()

    def trials(chances):
        return arm([sum(chance.random() < p for _ in range(repeats)) for p in chances], repeats)

    def beta():
        return chance.betavariate(0.58, 0.42)

    for _ in range(experiments):
        chances = []
        while len(chances) < n:
            p = beta()
            if chance.random() >= p:
                chances.append(p)
        if redraw:
            control, branch, placebo = (
                trials(chances),
                trials([beta() for _ in chances]),
                trials([beta() for _ in chances]),
            )
        else:
            control, branch, placebo = trials(chances), trials([min(1, p + gain) for p in chances]), None
        word_counts[judge(control, branch, placebo, facts=Facts(placebo_by_design=redraw)).headline.word] += 1
    return word_counts


@pytest.mark.parametrize(("n", "repeats"), [(10, 3), (20, 3), (20, 1)])
def test_without_an_effect_cause_is_hardly_ever_said(n, repeats):
    word_counts = simulate(n, repeats, 200, seed=n)
    assert word_counts["cause"] <= 4
    assert word_counts["harmful"] <= 6


def test_where_any_edit_redraws_which_tasks_are_hard_the_placebo_keeps_shams_out():
    assert simulate(20, 3, 150, seed=3, redraw=True)["cause"] <= 6


def test_a_large_effect_is_found():
    assert simulate(20, 3, 100, seed=4, gain=0.4)["cause"] >= 95
