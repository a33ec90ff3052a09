"""Neutral edits: as long as they should be, and about nothing."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reach_tui.suites import sham
from reach_tui.suites.sham import is_chinese, placebo_for, sham_text

FILLER = (*sham._ENGLISH, *sham._ENGLISH_CLOSERS, *sham._CHINESE, *sham._CHINESE_CLOSERS)
DIRECTIVE = re.compile(
    r"\b(must|never|always|only|first|before|after|then|not|do|don't|should|shall|need|use|call|check|confirm|verify"
    r"|ensure|please|if|when|ask|avoid|stop|make sure)\b"
    r"|必须|务必|禁止|不要|不得|不能|先|再|才能|确认|核实|请|应当|应该|只能|如果|之后|调用"
)
BUSINESS = re.compile(
    r"\b(order|stock|member|ship|parcel|pay|refund|return|ticket|address|price|item|product|account|status|date|find"
    r"|get|list|search|update|cancel|number|record)|订单|库存|会员|物流|包裹|支付|退|工单|地址|价格|商品|账|状态|日期|查|改|取消|单号|记录"
)
WORDS = st.text(alphabet="abc .,\n", max_size=60) | st.text(alphabet="查询订单物流，。 a", max_size=40)


def test_the_filler_tells_nobody_to_do_anything_and_names_nothing_of_business() -> None:
    for sentence in FILLER:
        assert not DIRECTIVE.search(sentence.casefold()), sentence
        assert not BUSINESS.search(sentence.casefold()), sentence
        assert not any(letter.isdigit() for letter in sentence)


def test_the_short_pieces_fill_every_length() -> None:
    english = {len(closer) for closer in sham._ENGLISH_CLOSERS}
    assert english == set(range(4, 15))
    assert {len(closer) for closer in sham._CHINESE_CLOSERS} == {3, 4, 5}


@settings(derandomize=True)
@given(WORDS, st.integers(0, 300), st.integers())
def test_a_placebo_is_as_long_as_the_edit_and_never_the_original(original: str, longer: int, seed: int) -> None:
    edited = "e" * (len(original) + longer)
    placebo = placebo_for(original, edited, str(seed))
    assert placebo != original
    assert placebo == placebo_for(original, edited, str(seed))
    if longer:
        assert len(placebo) == len(edited)
        assert placebo.startswith(original)


@settings(derandomize=True)
@given(WORDS, st.integers(0, 60))
def test_a_placebo_of_a_shortening_keeps_all_that_the_original_says(original: str, length: int) -> None:
    placebo = placebo_for(original, "e" * min(length, len(original)), "s")
    assert placebo != original
    assert re.sub(r"[\s.。]", "", placebo).startswith(re.sub(r"[\s.。]", "", original))


def test_a_placebo_of_a_shorter_edit_is_reworded_without_loss() -> None:
    original = "Track a parcel in order to help.  Then please say where it is, for example the city.\n\n\n\nDone."
    placebo = placebo_for(original, "x" * 10, "s")
    assert placebo == "Track a parcel to help. Then say where it is, e.g. the city.\nDone"
    assert placebo_for("查询包裹的时候，用订单号或者运单号。", "x", "s") == "查询包裹时，用订单号或运单号"
    assert placebo_for("a b c", "x y z", "s") == "a b\nc"


@pytest.mark.parametrize(
    ("text", "chinese"),
    [
        ("Track a parcel.", False),
        ("查物流", True),
        ("Records. 承运商记录。", True),
        ("Track 包裹 of some customer", False),
        ("", False),
    ],
)
def test_filler_is_in_the_script_of_the_text(text: str, chinese: bool) -> None:
    assert is_chinese(text) is chinese
    added = sham_text(text, "1")[len(text) :]
    assert any("\u4e00" <= letter <= "\u9fff" for letter in added) is chinese


def test_twenty_seeds_give_twenty_sham_edits_that_keep_the_original() -> None:
    for original in ("Track a parcel by its number.", "查询包裹现在的位置", "", "no end"):
        edits = [sham_text(original, str(seed)) for seed in range(1, 21)]
        assert len(set(edits)) == 20
        assert all(edit.startswith(original) and edit != original for edit in edits)
        assert edits == [sham_text(original, str(seed)) for seed in range(1, 21)]


def test_sentences_stay_apart_from_the_text_before_them() -> None:
    assert sham_text("Ends.", "1")[5] == " "
    assert sham_text("no end", "1")[6] == "\n"
    assert sham_text("一句话。", "1")[4] not in " \n"
    assert placebo_for("no end", "x" * 40, "1")[6] == "\n"
