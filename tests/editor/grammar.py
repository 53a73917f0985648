"""What a TextMate grammar of single-line `match` rules says of a text: a scope for each character.

The rules by https://macromates.com/manual/en/language_grammars: line by line, from left to right, the match
that begins first wins, and of several the rule that stands first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Rule:
    name: str
    match: re.Pattern[str]
    captures: Mapping[int, str]


def rules(grammar: Mapping[str, Any]) -> list[Rule]:
    """The rules that the grammar applies, in order; each is one of its repository."""
    repository = grammar["repository"]
    included = [repository[pattern["include"].removeprefix("#")] for pattern in grammar["patterns"]]
    return [
        Rule(
            rule.get("name", ""),
            re.compile(rule["match"]),
            {int(group): value["name"] for group, value in rule.get("captures", {}).items()},
        )
        for rule in included
    ]


def scopes(found: list[Rule], text: str) -> list[str]:
    """The scope of each character, "" where it has none."""
    result: list[str] = []
    for line in text.splitlines(keepends=True):
        result += _line(found, line)
    return result


def _line(found: list[Rule], line: str) -> list[str]:
    result = [""] * len(line)
    at = 0
    while True:
        matches = [
            (match.start(), rule, match) for rule in found if (match := rule.match.search(line, at))
        ]
        if not matches:
            return result
        _, rule, match = min(matches, key=lambda candidate: candidate[0])
        assert match.end() > match.start(), f"{rule.match.pattern} matches nothing"
        _mark(result, match, 0, rule.name)
        for group, name in rule.captures.items():
            if match[group] is not None:
                _mark(result, match, group, name)
        at = match.end()


def _mark(result: list[str], match: re.Match[str], group: int, name: str) -> None:
    start, end = match.span(group)
    result[start:end] = [name] * (end - start)
