"""Neutral edits: what a placebo arm changes, and sham variants by which the verdict is tested.

The filler speaks of letters, fonts and paper only. It tells nobody to do anything and names nothing that a business
tool could be about, so an agent has no reason to act on it.
"""

from __future__ import annotations

import re
from itertools import count

from reach_tui.core.draws import pick

_ENGLISH = (
    "The font is ordinary.",
    "The typeface is plain.",
    "The margins are narrow.",
    "The spacing looks even.",
    "The lettering is upright.",
    "The font is a common one.",
    "It has common punctuation.",
    "The letters are mostly small.",
    "The ink is of an ordinary black.",
    "The wording is in plain English.",
    "The paragraph has a plain layout.",
    "The commas look like commas elsewhere.",
    "The capitals are a little taller here.",
    "Most of the syllables are rather short.",
    "The vowels are about as usual in English.",
    "The sentences are of a moderate length.",
    "The alphabet here is the usual Latin one.",
    "This paragraph is typeset in a usual style.",
    "The letterforms have a familiar appearance.",
    "The prose has an even and unhurried rhythm.",
    "The page has a white and unmarked background.",
    "This wording is printed in an ordinary typeface.",
    "The lowercase letters outnumber the capitals here.",
    "The paragraph is neither very long nor very short.",
    "The punctuation is that of ordinary English prose.",
    "The spaces between the words are of a common width.",
)
_ENGLISH_CLOSERS = (
    "Ink.", "Text.", "Prose.", "A page.", "Letters.", "A phrase.", "Plain ink.", "Plain text.", "Plain prose.",
    "A plain line.", "Plain letters.",
)  # fmt: skip
_CHINESE = (
    "字体平常。",
    "字距很匀称。",
    "纸面是白色的。",
    "墨色深浅一般。",
    "标点是常见的样式。",
    "段落的长短适中。",
    "笔画粗细比较均匀。",
    "这里的字体不大不小。",
    "这段文字的字体很常见。",
    "句子的节奏比较平缓。",
    "文字是从左到右排的。",
    "逗号和句号都是全角的。",
    "行距与一般的书页相近。",
    "这里用的是现代的书面语。",
    "汉字的结构大多左右相当。",
    "这段话的排版十分普通。",
    "文字的墨色是普通的黑色。",
    "这一段的用字都比较平常。",
    "字与字之间的空隙差不多宽。",
    "这段文字读起来不快也不慢。",
    "标点符号的样子与平时一样。",
    "这里的笔画有的长有的短。",
    "这段话里的句子大多不长。",
    "页边的空白与普通书本相近。",
    "这里的汉字都是印刷体。",
    "段落之间的空白比较均匀。",
)
_CHINESE_CLOSERS = ("短文。", "短句子。", "平常的字。")
_CJK = re.compile("[\u3400-\u9fff\uf900-\ufaff]")
_LATIN = re.compile("[A-Za-z]")
_ENDED = re.compile(r"[.!?:;。！？：；…)）\"”」]\s*\Z")
_SOFT = (
    (re.compile(r"[ \t]+(?=\n|\Z)"), ""),
    (re.compile(r"\n{3,}"), "\n\n"),
    (re.compile(r"(?<=\S) {2,}(?=\S)"), " "),
    (re.compile(r"\n\n"), "\n"),
    (re.compile(r"(?<=[a-z,]) (?:please|kindly) (?=[a-z])"), " "),
    (re.compile(r"\b([Ii])n order to\b"), lambda match: "To" if match.group(1) == "I" else "to"),
    (re.compile(r"\bthat is to say\b"), "i.e."),
    (re.compile(r"\bfor example\b"), "e.g."),
    (re.compile(r"的时候"), "时"),
    (re.compile(r"或者"), "或"),
    (re.compile(r"以及"), "及"),
    (re.compile(r"[.。]\Z"), ""),
)
"""Rewordings that shorten a text and leave its meaning alone."""


def is_chinese(text: str) -> bool:
    """Whether filler for `text` is Chinese: a fifth or more of its letters are Chinese characters."""
    chinese = len(_CJK.findall(text))
    return chinese > 0 and chinese * 4 >= len(_LATIN.findall(text))


def sham_text(original: str, seed: str) -> str:
    """`original` with three neutral sentences at its end: an edit that should change nothing, another for each seed."""
    chinese = is_chinese(original)
    left = list(_CHINESE if chinese else _ENGLISH)
    chosen = []
    for number in range(3):
        chosen.append(pick(left, seed, "sham", number))
        left.remove(chosen[-1])
    return original + _joint(original, chinese) + ("" if chinese else " ").join(chosen)


def placebo_for(original: str, edited: str, seed: str) -> str:
    """A neutral edit of `original` that is as long as `edited`, in characters, and never equal to `original`.

    Where `edited` is the longer one, the original stands whole and neutral sentences follow. Where it is not, the
    original is reworded without loss and filled up; what cannot be shortened without loss stays longer than `edited`.
    """
    target = len(edited)
    if target > len(original):
        return original + _filler(original, target - len(original), seed)
    shorter = _shortened(original, target)
    if len(shorter) < target:
        shorter += _filler(shorter, target - len(shorter), seed)
    return shorter if shorter != original else _respaced(original)


def _joint(text: str, chinese: bool) -> str:
    """What stands between a text and a sentence after it."""
    if not text or text[-1].isspace():
        return ""
    if _ENDED.search(text):
        return "" if chinese else " "
    return "\n"


def _filler(text: str, length: int, seed: str) -> str:
    """Exactly `length` characters to stand after `text`."""
    chinese = is_chinese(text)
    sentences, closers = (_CHINESE, _CHINESE_CLOSERS) if chinese else (_ENGLISH, _ENGLISH_CLOSERS)
    least = min(map(len, closers))
    filler = _joint(text, chinese)
    if length < len(filler) + least:
        return "\n" * length
    before = ""
    for index in count():
        gap = "" if chinese or not index else " "
        room = length - len(filler) - len(gap)
        if room <= 0:
            break
        # What is left must be nothing, or enough for one more.
        rest = least + (0 if chinese else 1)
        fits = [
            sentence
            for sentence in sentences
            if sentence != before and (len(sentence) == room or len(sentence) + rest <= room)
        ]
        fits = fits or [closer for closer in closers if len(closer) == room or len(closer) + rest <= room]
        before = pick(fits, seed, "filler", index)
        filler += gap + before
    return filler


def _shortened(text: str, target: int) -> str:
    """`text` after as many of the soft rewordings, in order, as it takes to be at most `target` long."""
    for pattern, replacement in _SOFT:
        if len(text) <= target:
            break
        text = pattern.sub(replacement, text)
    return text


def _respaced(text: str) -> str:
    """`text` with one break moved: the last space between words becomes a line break, or one is added at the end."""
    place = text.rfind(" ")
    if 0 < place < len(text) - 1:
        return text[:place] + "\n" + text[place + 1 :]
    return text + "\n"
