"""The table of keys: one meaning each, a way back for every motion, no key without a handler."""

from __future__ import annotations

import importlib
import itertools
import pkgutil

import pytest
from textual.screen import Screen

from reach_tui.tui import screens
from reach_tui.tui.keys import ACTIONS, EVERYWHERE, HINTS, MODAL, SCREENS, Action, fullwidth, key_table, table

SCREEN_NAMES = sorted(SCREENS)


def all_keys(action: Action) -> list[str]:
    return [sent for key in action.keys for sent in (key, *fullwidth(key))]


def screen_classes() -> dict[str, type[Screen[object]]]:
    classes = {}
    for module in pkgutil.iter_modules(screens.__path__):
        for value in vars(importlib.import_module(f"{screens.__name__}.{module.name}")).values():
            if isinstance(value, type) and issubclass(value, Screen) and value.__dict__.get("KIND"):
                classes[value.__dict__["KIND"]] = value
    return classes


@pytest.mark.parametrize("screen", SCREEN_NAMES)
def test_no_key_of_a_screen_has_two_meanings(screen: str) -> None:
    owners: dict[str, str] = {}
    for action in table(screen):
        for key in all_keys(action):
            assert key not in owners, f"{key!r} means both {owners.get(key)} and {action.id}"
            owners[key] = action.id


@pytest.mark.parametrize("screen", SCREEN_NAMES)
def test_every_motion_has_its_way_back_on_the_same_screen(screen: str) -> None:
    by_id = {action.id: action for action in table(screen)}
    for action in by_id.values():
        if action.pair:
            assert by_id[action.pair].pair == action.id


def test_no_screen_rebinds_a_key_of_everywhere() -> None:
    keys = {key: action.id for action in ACTIONS if action.where == EVERYWHERE for key in all_keys(action)}
    for action in ACTIONS:
        if action.where != EVERYWHERE and action.where not in MODAL:
            for key in all_keys(action):
                assert key not in keys, f"{action.where} rebinds {key!r} of {keys.get(key)} to {action.id}"


@pytest.mark.parametrize("screen", SCREEN_NAMES)
def test_every_key_of_a_screen_is_handled(screen: str) -> None:
    kind = screen_classes()[screen]
    if screen == "label bar":
        return  # its modes and owners are data: the test of the label bar presses each
    for action in table(screen):
        assert callable(getattr(kind, f"do_{action.id}", None)), f"{screen}: {action.id} has no handler"


@pytest.mark.parametrize("screen", SCREEN_NAMES)
def test_every_key_of_a_screen_is_bound_with_its_fullwidth(screen: str) -> None:
    from textual.keys import _character_to_key

    bound = {key for keys in screen_classes()[screen]._merge_bindings().key_to_bindings.items() for key in keys[:1]}
    for action in table(screen):
        for key in all_keys(action):
            assert (_character_to_key(key) if len(key) == 1 else key) in bound, (screen, key)


def test_the_bindings_of_textual_itself_are_gone() -> None:
    from reach_tui.tui.app import ReachApp
    from reach_tui.tui.widgets.virtual_list import VirtualList

    for kind in (ReachApp, VirtualList):
        assert not kind._merge_bindings().key_to_bindings
    for name, kind in screen_classes().items():
        known = {key for action in table(name) for key in action.keys}
        assert "ctrl+q" not in kind._merge_bindings().key_to_bindings
        assert ("tab" in kind._merge_bindings().key_to_bindings) == ("tab" in known)


def test_keys_that_terminals_cannot_tell_apart_are_never_bound() -> None:
    keys = {key for action in ACTIONS for key in action.keys}
    never = {"ctrl+i", "ctrl+m", "ctrl+h", "ctrl+[", "ctrl+a", "ctrl+b", "ctrl+q", "ctrl+enter"}
    assert not keys & never
    assert not [key for key in keys if "alt+" in key]


SENT = {
    "[": "【",
    "]": "】",
    "/": "、",
    ":": "：",
    "?": "？",
    "$": "￥",
    "{": "｛",
    "}": "｝",
    "*": "×",
    "j": "ｊ",
    "G": "Ｇ",
}


@pytest.mark.parametrize(("key", "sent"), SENT.items())
def test_what_a_chinese_input_method_sends_is_a_full_width_form(key: str, sent: str) -> None:
    assert sent in fullwidth(key)


def test_no_two_keys_share_a_full_width_form() -> None:
    keys = {key for action in ACTIONS for key in action.keys if len(key) == 1}
    for key, other in itertools.combinations(sorted(keys), 2):
        assert not set(fullwidth(key)) & set(fullwidth(other)), (key, other)


def test_hints_name_actions_of_their_own_screen() -> None:
    for screen, ids in HINTS.items():
        known = {action.id for action in table(screen)}
        assert set(ids) <= known, screen


def test_the_key_page_lists_every_bound_action_once() -> None:
    rows = key_table()
    assert len(rows) == len(set(rows))
    assert ("Replay", "] l", "next step") in rows
    assert all(key and text for _, key, text in rows)
