"""With a Chinese input method on, keys arrive as their full-width twins: they do the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.tui.driving import Drive

Store = Callable[[str], Path]


async def test_full_width_punctuation_and_letters_act_like_their_keys(drive: type[Drive], store: Store) -> None:
    async with drive(store("plain")) as app:
        await app.press("ｆ", "ｆ")
        assert "step 5/7" in app.lines[0]
        for key, step in [("【", 4), ("】", 5), ("￥", 7), ("｛", 5), ("０", 1), ("｝", 5), ("Ｗ", 5)]:
            await app.press(key)
            assert app.screen.n == step, key
        await app.press("？")
        assert "keys of replay" in app.lines[0]
        await app.press("ｑ", "：", "=3", "enter")
        assert app.screen.n == 3
        await app.press("、", "=A101", "enter")
        assert app.screen.n == 4


async def test_chinese_typed_into_a_field_stays_text(drive: type[Drive], store: Store) -> None:
    async with drive(store("plain")) as app:
        await app.press("f", "a", "=退款【】？：", "enter")
        assert "退款【】？：" in app.text
