"""Words of a shell script, without running it: quotes, continuations, arrays, plain variables.

What only running the script could tell (`$(…)`, a variable set outside or under a condition) is
left as a mark in the word; a value that holds one is never taken for a number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from workings.planning.job import JobError

UNKNOWN = "\0"  # files with this character are refused before
_MOST = 200_000  # characters of a word, and of everything together
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\+?)=")
_OPENS = {"if", "for", "while", "until", "case"}
_CLOSES = {"fi", "done", "esac"}
_LEADS = {
    "then",
    "else",
    "elif",
    "do",
    "export",
    "local",
    "readonly",
    "declare",
    "set",
    "eval",
    "exec",
    "{",
}
_REDIRECTION = re.compile(r"(?:[0-9]*(?:>>|>\||<<<|<>|>|<)|&>>?)(?:&[0-9-]+)?")
_PIECE = re.compile(r"(?:\0[^\0]*\0|[^\s\0])+")
_BRACED = re.compile(r"\$\{([A-Za-z0-9_]+)(?:\[[@*]\])?(?::?-([\"']?)([^{}$`\"']*)\2)?\}")


@dataclass
class _State:
    """Variables so far, and how deep in conditions the text is."""

    file: str
    variables: dict[str, list[str]] = field(default_factory=dict)
    depth: int = 0
    written: int = 0
    conditional: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Script:
    """Commands as their words, the variables that are set, and words that a condition may add."""

    commands: list[list[str]]
    variables: dict[str, list[str]]
    conditional: list[str]


def script(file: str, text: str) -> Script:
    """The commands of a script. Raises JobError."""
    state, found = _State(file), list[list[str]]()
    position, words = 0, list[str]()
    while position < len(text):
        position, new, ended = _next_word(state, text, position, not words)
        words += new
        if ended or position >= len(text):
            if words:
                found.append(words)
            words = []
    return Script(found, state.variables, state.conditional)


def _next_word(state: _State, text: str, start: int, first: bool) -> tuple[int, list[str], bool]:
    """Where the next word ends, what it expands to, and whether it ends its command."""
    at = start
    while at < len(text) and text[at] in " \t\r":
        at += 1
    if text.startswith("\\\r\n", at) or text.startswith("\\\n", at):
        return text.index("\n", at) + 1, [], False
    if at >= len(text):
        return at, [], True
    if text[at] == "#":
        end = text.find("\n", at)
        return (len(text) if end < 0 else end), [], False
    if redirected := _REDIRECTION.match(text, at):
        return _redirected(state, text, redirected.end(), "&" in redirected[0][1:]), [], False
    if text[at] in "\n;&|()":
        return at + 1, [], True
    match = _ASSIGNMENT.match(text, at) if first else None
    if match is not None:
        return _assign(state, text, match)
    at, words = _word(state, text, at)
    if first and words and words[0] in _OPENS | _CLOSES | _LEADS:
        state.depth += (words[0] in _OPENS) - (words[0] in _CLOSES)
        return at, [], False
    return at, words, False


def _redirected(state: _State, text: str, at: int, complete: bool) -> int:
    """Where a redirection ends, which is the shell's own: `> log` has a file, `2>&1` has none."""
    while not complete and text[at : at + 1] in (" ", "\t"):
        at += 1
    return at if complete or text[at : at + 1] in ("", "\n", "(") else _word(state, text, at)[0]


def _assign(state: _State, text: str, match: re.Match[str]) -> tuple[int, list[str], bool]:
    """Set a variable, to a word or an array of words."""
    name, at, words = match[1], match.end(), []
    if text.startswith("(", at):
        at += 1
        while not text.startswith(")", at):
            if at >= len(text):
                raise JobError(f"{state.file}: {name[:40]}: found an array without an end, expected a )")
            if text[at] in " \t\r\n;&|(<>":
                at += 1
                continue
            at, new, _ = _next_word(state, text, at, first=False)
            words += new
        at += 1
    elif at < len(text) and text[at] not in " \t\r\n;&|()<>":
        at, words = _word(state, text, at, split=False)
    before = state.variables.get(name)
    if match[2] and state.depth:
        state.conditional += words
        words = before or []
    elif match[2]:
        words = (before or []) + words
    elif state.depth and before != words and not any(before and " ".join(before) in w for w in words):
        words = [f"{UNKNOWN}{name}, set under a condition{UNKNOWN}"]
    state.variables[name] = words
    return at, [], False


def _word(state: _State, text: str, at: int, split: bool = True) -> tuple[int, list[str]]:
    """A word from its first character on; expansions outside quotes are split at blanks."""
    done: list[str] = []
    word = ""
    quote = empty = ""
    size = 0
    while at < len(text):
        char = text[at]
        if char == "\\" and quote != "'":
            word += "" if text[at + 1 : at + 2] == "\n" else text[at + 1 : at + 2]
            at += 2
        elif char == quote:
            quote, at, empty = "", at + 1, "yes"
        elif not quote and char in "'\"":
            quote, at = char, at + 1
        elif not quote and char in " \t\r\n;&|()<>":
            break
        elif char in "$`" and quote != "'":
            at, pieces = _expanded(state, text, at, split and not quote)
            word, more = _joined(word, pieces)
            done += more
            size += sum(map(len, more))
        else:
            word, at = word + char, at + 1
        _limit(state, len(word) + size)
    if quote:
        raise JobError(f"{state.file}: found a quote without an end, expected another {quote}")
    return at, done + ([word] if word or empty else [])


def _expanded(state: _State, text: str, at: int, split: bool) -> tuple[int, list[str]]:
    """Where an expansion ends, and the pieces it comes to, `split` at blanks or not."""
    at, parts, array = _expansion(state, text, at)
    pieces = parts if array else [" ".join(parts)]
    return at, [p for piece in pieces for p in blanks(piece)] if split else pieces


def _limit(state: _State, size: int) -> None:
    """Refuse variables that are made of each other without end. Raises JobError."""
    state.written += 1
    if size > _MOST or state.written > 5 * _MOST:
        raise JobError(f"{state.file}: found variables that grow past {_MOST:,} characters")


def blanks(text: str) -> list[str]:
    """A text at its blanks; those inside a mark keep it together."""
    return _PIECE.findall(text)


def _joined(word: str, pieces: list[str]) -> tuple[str, list[str]]:
    """What is read goes on with the first piece; all but the last are words of their own."""
    if not pieces:
        return word, []
    pieces = [word + pieces[0], *pieces[1:]]
    return pieces[-1], pieces[:-1]


def _expansion(state: _State, text: str, at: int) -> tuple[int, list[str], bool]:
    """What stands for `$NAME`, `${NAME}`, `${NAME[@]}`, `${NAME:-text}`; a mark for all else."""
    if match := _BRACED.match(text, at):
        value = state.variables.get(match[1])
        if value is None:
            value = [match[3]] if match[3] is not None else [_unset(match[1])]
        return match.end(), value, "[" in match[0]
    if text[at] == "$" and (match := _NAME.match(text, at + 1)):
        return match.end(), state.variables.get(match[0], [_unset(match[0])]), False
    if text[at] == "$" and text[at + 1 : at + 2] not in ("(", "{"):
        return at + 2, [_unset(text[at + 1 : at + 2])], False
    end = _closing(state, text, at)
    return end, [f"{UNKNOWN}{text[at : min(end, at + 40)]}{UNKNOWN}"], False


def _unset(name: str) -> str:
    return f"{UNKNOWN}${name[:40]}, not set here{UNKNOWN}"


def _closing(state: _State, text: str, at: int) -> int:
    """Where a substitution ends that is not read. Raises JobError."""
    if text[at] == "`":
        end = text.find("`", at + 1) + 1
    else:
        opens, depth, end = text[at + 1], 0, at + 1
        closes = {"(": ")", "{": "}"}[opens]
        while end < len(text):
            depth += (text[end] == opens) - (text[end] == closes)
            end += 1
            if not depth:
                break
        end = 0 if depth else end
    if not end:
        raise JobError(f"{state.file}: found {text[at : at + 2]} without an end, expected one")
    return end
